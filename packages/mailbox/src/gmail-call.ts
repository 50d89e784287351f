import type { GmailFault } from './gmail-errors.ts';
import { type AccessTokenSource, MailboxError } from './mailbox.ts';
import { createRetryBudget, retryDelayMs } from './retry.ts';

/** Time and its passing, in milliseconds since 1970. */
export interface Clock {
  nowMs(): number;
  sleep(delayMs: number): Promise<void>;
}

export interface GmailCallDependencies {
  accessTokens: AccessTokenSource;
  /** How long faults may hold up the whole call before it gives up, in milliseconds. */
  retryBudgetMs: number;
  clock: Clock;
  /** A number from 0 up to but not including 1; spreads retries. */
  random: () => number;
}

/** What one attempt came to. */
export type Attempt = { text: string } | { fault: GmailFault };

/** The attempts of all requests that one call of the port makes. */
export interface GmailCall {
  /**
   * Attempts a request until it succeeds or its fault is final, and gives the text of the answer. A refused access
   * token is renewed once. When a fault shows that no request can succeed (the retry budget is used up, access is
   * lost), all further ones are refused with that same fault, unattempted.
   *
   * @throws {MailboxError} for any failure
   */
  settle(attempt: (token: string) => Promise<Attempt>): Promise<string>;
  /** Refuses everything from now on. */
  close(): void;
}

const toMailboxError = (error: unknown): MailboxError =>
  error instanceof MailboxError
    ? error
    : new MailboxError('failed', 'No access token could be had', { cause: error });

/** Begins a call of the port, with a fresh retry budget. */
export const beginGmailCall = ({
  accessTokens,
  retryBudgetMs,
  clock,
  random,
}: GmailCallDependencies): GmailCall => {
  const budget = createRetryBudget(retryBudgetMs);
  let ended: MailboxError | undefined;

  const end = (error: MailboxError): MailboxError => {
    ended ??= error;
    return error;
  };
  const assertOpen = (): void => {
    if (ended) throw ended;
  };

  const readToken = async (read: () => Promise<string>): Promise<string> => {
    assertOpen();
    try {
      return await read();
    } catch (error) {
      throw end(toMailboxError(error));
    }
  };

  const waitToRetry = async (fault: GmailFault, attemptsMade: number, startedMs: number): Promise<void> => {
    const { code, message, retryAfterMs } = fault;
    const delayMs = retryDelayMs({ attemptsMade, retryAfterMs, random: random() });
    if (!budget.spend(startedMs, clock.nowMs() + delayMs)) {
      const asksTooMuch = delayMs === retryAfterMs;
      throw end(new MailboxError(code, message, asksTooMuch ? { retryAfterMs } : {}));
    }
    await clock.sleep(delayMs);
  };

  return {
    async settle(attempt) {
      let token = await readToken(() => accessTokens.current());
      let isRenewed = false;
      for (let attemptsMade = 1; ; attemptsMade += 1) {
        assertOpen();
        const startedMs = clock.nowMs();
        const outcome = await attempt(token);
        if ('text' in outcome) return outcome.text;
        const { fault } = outcome;
        if (fault.remedy === 'retry') {
          await waitToRetry(fault, attemptsMade, startedMs);
        } else if (fault.remedy === 'renew_token' && !isRenewed) {
          const refused = token;
          token = await readToken(() => accessTokens.renew(refused));
          isRenewed = true;
        } else {
          const error = new MailboxError(fault.code, fault.message);
          throw fault.remedy === 'renew_token' ? end(error) : error;
        }
      }
    },
    close() {
      end(new MailboxError('failed', 'The call is over'));
    },
  };
};
