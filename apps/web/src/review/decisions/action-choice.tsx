import { t } from '@lingui/core/macro';
import { LabelField } from '../../controls/label-field.tsx';
import { Select } from '../../controls/select.tsx';
import { TO_DO, toActionChoices } from '../../email/action-words.ts';
import type { OtherAction } from '../../suggestions/confirming/other-action.ts';
import classes from './action-choice.module.css';

/** What is to be done: what is suggested, or another action. */
export const ActionChoice = (props: {
  other: OtherAction | undefined;
  onChange: (other: OtherAction | undefined) => void;
}) => {
  const { other, onChange } = props;
  return (
    <div className={classes.choice}>
      <Select
        aria-label={t`What to do`}
        value={other?.action ?? ''}
        onChange={(action) => onChange(action === '' ? undefined : { action, label: '' })}
        choices={[{ label: t`As suggested`, value: '' }, ...toActionChoices()]}
      />
      {other?.action === 'label' && (
        <LabelField value={other.label} onChange={(label) => onChange({ ...other, label })} />
      )}
    </div>
  );
};

/** What a button does to so many emails. */
export const describeDecision = (other: OtherAction | undefined, count: string): string =>
  TO_DO[other?.action ?? 'accept'](count);
