import { MailboxError } from '@mailsweep/mailbox';
import { HttpExchangeError } from '@mailsweep/service-kit/http-client';
import { toExchangeFailure } from './jmap-errors.ts';
import { readSession } from './jmap-session.ts';

/** Longest wait for the session, in milliseconds: the user waits for their sign-in. */
const TIMEOUT_MS = 4_000;

/** The account of a user's own mail. */
export interface OwnAccount {
  accountId: string;
  /** What the server calls its user: an address at most servers. */
  username: string;
}

/**
 * Reads whose mailbox a token opens. What others share with its user is not theirs: one mailbox has one user here.
 *
 * @throws {MailboxError} `reauth_required` when the server does not accept the token, `forbidden` when it may not change
 *   the mailbox, `mail_service_disabled` when its user has no mailbox of their own, `failed` when there is no session at
 *   this address
 */
export const readOwnAccount = async (sessionUrl: string, token: string): Promise<OwnAccount> => {
  const options = { token, timeoutMs: TIMEOUT_MS, nowMs: Date.now() };
  const session = await readSession({ sessionUrl }, options).catch((error: unknown) => {
    if (error instanceof HttpExchangeError) return toExchangeFailure(error);
    throw error;
  });
  if ('error' in session) {
    throw session.isStale ? new MailboxError('failed', session.error.message) : session.error;
  }
  const { accountId, account, username } = session;
  if (!account.isPersonal) {
    throw new MailboxError('mail_service_disabled', 'The JMAP session has no mailbox of its user');
  }
  if (account.isReadOnly) throw new MailboxError('forbidden', 'The JMAP account is read-only');
  return { accountId, username };
};
