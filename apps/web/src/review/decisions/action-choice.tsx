import { t } from '@lingui/core/macro';
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
      <select
        className={shapes.textField}
        aria-label={t`What to do`}
        value={other?.action ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === '' ? undefined : { action: value as OtherAction['action'], label: '' })
        }
      >
        <option value="">{t`As suggested`}</option>
        <option value="archive">{t`Archive`}</option>
        <option value="delete">{t`Move to Trash`}</option>
        <option value="mark_read">{t`Mark as read`}</option>
        <option value="label">{t`Add label`}</option>
      </select>
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
export const describeDecision = (other: OtherAction | undefined, count: string): string => {
  switch (other?.action) {
    case 'archive':
      return t`Archive ${count}`;
    case 'delete':
      return t`Move ${count} to Trash`;
    case 'mark_read':
      return t`Mark ${count} read`;
    case 'label':
      return t`Label ${count}`;
    default:
      return t`Accept ${count}`;
  }
};
