import { t } from '@lingui/core/macro';
import { MAX_TOKEN_NAME_LENGTH } from '@mailsweep/contracts';
import shapes from '../../shapes.module.css';
import classes from './token-dialogs.module.css';

/** The name of a token, which the user chooses. */
export const TokenNameField = (props: {
  value: string;
  onChange: (name: string) => void;
  placeholder?: string;
}) => (
  <label className={classes.field}>
    <span>{t`Name`}</span>
    <input
      className={shapes.textField}
      type="text"
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      placeholder={props.placeholder}
      maxLength={MAX_TOKEN_NAME_LENGTH}
      autoComplete="off"
      data-autofocus
    />
  </label>
);
