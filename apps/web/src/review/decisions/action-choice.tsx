import { t } from '@lingui/core/macro';
import { Select } from '../../controls/select.tsx';
import { TO_DO, toActionChoices } from '../../email/action-words.ts';
import shapes from '../../shapes.module.css';
import type { OtherAction } from '../../suggestions/confirming/other-action.ts';
import classes from './action-choice.module.css';

const MAX_LABEL_LENGTH = 100;

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
        <input
          className={shapes.textField}
          type="text"
          aria-label={t`Name of the label`}
          placeholder={t`Name of the label`}
          value={other.label}
          maxLength={MAX_LABEL_LENGTH}
          autoComplete="off"
          onChange={({ currentTarget }) => onChange({ ...other, label: currentTarget.value })}
        />
      )}
    </div>
  );
};

/** What a button does to so many emails. */
export const describeDecision = (other: OtherAction | undefined, count: string): string =>
  TO_DO[other?.action ?? 'accept'](count);
