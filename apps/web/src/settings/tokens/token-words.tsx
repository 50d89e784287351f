import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { isProblem } from '@mailsweep/client';
import { MAX_TOKENS, type TokenScope } from '@mailsweep/contracts';
import { describeError, type ErrorDescription } from '../../api/errors.ts';
import { useOwnMailboxes } from '../../mailboxes/own-mailboxes.ts';
import classes from '../section/change-dialog.module.css';

const YEAR_DAYS = 365;

/** Each includes those before it. */
export const TOKEN_SCOPES: readonly TokenScope[] = ['read', 'act', 'admin'];

export const TOKEN_DAYS = [7, 30, 90, 180, YEAR_DAYS] as const;

/** @param advice - where the user may have no more tokens */
export const describeTokenFailure = (error: unknown, advice: string): ErrorDescription =>
  isProblem(error, 'too_many_tokens')
    ? {
        title: plural(MAX_TOKENS, {
          one: 'You have # access token, which is the most',
          other: 'You have # access tokens, which is the most',
        }),
        advice,
      }
    : describeError(error);

/** A scope in a few words. */
export const toScopeName = (scope: TokenScope): string =>
  ({ read: t`Read only`, act: t`Read and clean up`, admin: t`All that programs may do` })[scope];

/** A scope as a sentence. */
export const describeScope = (scope: TokenScope): string =>
  ({
    read: t`It sees senders, subjects, suggestions and your history.`,
    act: t`It also archives, deletes to the trash and labels email. All of it can be undone.`,
    admin: t`It also changes rules, protected senders and preferences, and unsubscribes.`,
  })[scope];

export const formatTokenDays = (days: number): string =>
  days === YEAR_DAYS ? t`1 year` : plural(days, { one: '# day', other: '# days' });

/** Whether a token is for every mailbox; nothing to choose where there is one. */
export const AllMailboxesChoice = (props: { isForAll: boolean; onChange: (isForAll: boolean) => void }) =>
  useOwnMailboxes().length > 1 && (
    <div className={classes.field}>
      <label className={classes.choice}>
        <input
          type="checkbox"
          checked={props.isForAll}
          onChange={(event) => props.onChange(event.currentTarget.checked)}
        />
        <Trans>For all my mailboxes</Trans>
      </label>
    </div>
  );

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
