import { MailboxError } from '@mailsweep/mail/mailbox';
import { HttpExchangeError } from '@mailsweep/service-kit/http-client';
import { type Clock, createRetryBudget, retryDelayMs, SYSTEM_CLOCK } from '@mailsweep/service-kit/resilience';
import { readSession, type Session } from './jmap-client.ts';
import { toExchangeFailure } from './jmap-errors.ts';

const TIMEOUT_MS = 4_000;
/** How long the server may be asked again, in milliseconds: the user waits for their sign-in. */
const RETRY_BUDGET_MS = 8_000;

export interface OwnAccount {
  accountId: string;
  /** What the server calls its user: an address at most servers. */
  username: string;
  isReadOnly: boolean;
}

/**
 * Reads whose mailbox a token opens. What others share with its user is not theirs: one mailbox has one user here.
 *
 * @throws {MailboxError} `reauth_required` when the server does not accept the token, `forbidden` when it refuses it
 *   the session, `mail_service_disabled` when its user has no mailbox of their own, `failed` when there is no session at
 *   this address
 */
export const readOwnAccount = async (
  sessionUrl: string,
  token: string,
  clock: Clock = SYSTEM_CLOCK,
): Promise<OwnAccount> => {
  const budget = createRetryBudget(RETRY_BUDGET_MS);
  const read = async (attemptsMade: number): Promise<Session> => {
    const startedMs = clock.nowMs();
    const session = await readSession(
      { sessionUrl },
      { token, timeoutMs: TIMEOUT_MS, nowMs: startedMs },
    ).catch((error: unknown) => {
      if (error instanceof HttpExchangeError) return toExchangeFailure(error);
      throw error;
    });
    if (!('error' in session)) return session;
    const { error, isStale, remedy } = session;
    if (isStale) throw new MailboxError('failed', error.message);
    const { retryAfterMs } = error;
    const delayMs = retryDelayMs({ attemptsMade, retryAfterMs, random: Math.random });
    if (remedy !== 'retry' || !budget.spend(startedMs, clock.nowMs() + delayMs)) throw error;
    await clock.sleep(delayMs);
    return await read(attemptsMade + 1);
  };
  const session = await read(1);
  const { accountId, account, username } = session;
  if (!account.isPersonal) {
    throw new MailboxError('mail_service_disabled', 'The JMAP session has no mailbox of its user');
  }
  return { accountId, username, isReadOnly: account.isReadOnly };
};
