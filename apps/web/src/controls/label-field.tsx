import { t } from '@lingui/core/macro';
import { MAX_LABEL_LENGTH } from '@mailsweep/contracts';
import shapes from '../shapes.module.css';

/** A field for the name of a label. */
export const LabelField = (props: { value: string; onChange: (name: string) => void }) => (
  <input
    className={shapes.textField}
    type="text"
    aria-label={t`Name of the label`}
    placeholder={t`Name of the label`}
    value={props.value}
    maxLength={MAX_LABEL_LENGTH}
    autoComplete="off"
    onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
  />
);
