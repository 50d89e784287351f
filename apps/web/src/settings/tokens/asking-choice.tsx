import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import classes from './token-dialogs.module.css';

/** Whether a token asks its user before it changes the mailbox. */
export const AskingChoice = (props: { isAsking: boolean; onChange: (isAsking: boolean) => void }) => (
  <div className={classes.field}>
    <label className={classes.choice}>
      <input
        type="checkbox"
        checked={props.isAsking}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
        aria-describedby="token-asking-note"
      />
      <Trans>Ask me in Mailsweep before it changes my mailbox</Trans>
    </label>
    <span id="token-asking-note" className={classes.note}>
      {props.isAsking
        ? t`The cleanups it plans run after you confirm them here. Recommended for assistants.`
        : t`It acts without asking. Only for scripts that you wrote or trust.`}
    </span>
  </div>
);
