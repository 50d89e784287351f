import { type AccessTokenSource, createCallTokens, MailboxError } from '@mailsweep/mail/mailbox';
import type { CallPriority, Clock, UnitsTaken, UserQuota } from '@mailsweep/mail/quota';
import { createRetryBudget, retryDelayMs } from '@mailsweep/service-kit/resilience';
import { type AttemptError, GmailRefusal } from './gmail-errors.ts';

/** How long one background attempt waits for its units before it gives up, in milliseconds. */
const BACKGROUND_WAIT_MS = 300_000;
/** How long the provider may hold up one background call with quota errors, in milliseconds. */
const BACKGROUND_QUOTA_BUDGET_MS = 600_000;

export interface GmailCallDependencies {
  accessTokens: AccessTokenSource;
  /** How long errors may delay the whole call before it gives up, in milliseconds. */
  retryBudgetMs: number;
  clock: Clock;
  /** A number from 0 up to but not including 1; spreads retries. */
  random: () => number;
  priority: CallPriority;
  signal?: AbortSignal | undefined;
}

export type Attempt = { text: string } | { error: AttemptError };

/** The attempts of all requests that one call of the port makes. */
export interface GmailCall {
  /**
   * Attempts a request until it succeeds or its error is final, and returns the text of the response. Each attempt takes
   * its quota units first: an interactive one waits for them within the retry budget, a background one for minutes.
   * A refused access token is renewed once. When an error shows that no request can succeed (the retry budget is used
   * up, access is lost), all further ones are refused with that same error, unattempted.
   *
   * @param price - quota units of one attempt
   * @throws {MailboxError} for any failure, or the reason of the signal that ended the call
   */
  run(price: number, attempt: (token: string) => Promise<Attempt>): Promise<string>;
  close(): void;
}

export const beginGmailCall = (dependencies: GmailCallDependencies, quota: UserQuota): GmailCall => {
  const { retryBudgetMs, clock, random, priority, signal } = dependencies;
  const isBackground = priority === 'background';
  const tokens = createCallTokens(dependencies.accessTokens);
  const budget = createRetryBudget(retryBudgetMs);
  const quotaBudget = isBackground ? createRetryBudget(BACKGROUND_QUOTA_BUDGET_MS) : budget;
  const ending = new AbortController();

  const end = <E>(error: E): E => {
    ending.abort(error);
    return error;
  };
  const endBySignal = () => end(signal?.reason);
  signal?.addEventListener('abort', endBySignal, { once: true });
  if (signal?.aborted) endBySignal();

  const readToken = async (read: () => Promise<string>): Promise<string> => {
    ending.signal.throwIfAborted();
    try {
      return await read();
    } catch (error) {
      throw end(error);
    }
  };

  const takeUnits = (price: number): Promise<UnitsTaken> => {
    const sinceMs = clock.nowMs();
    return quota.takeUnits(priority, {
      price,
      mayWait(waitMs) {
        const untilMs = clock.nowMs() + waitMs;
        return isBackground ? untilMs - sinceMs <= BACKGROUND_WAIT_MS : budget.spend(sinceMs, untilMs);
      },
      toRefusal: (retryAfterMs) =>
        end(new MailboxError('rate_limited', 'The quota of the mailbox is used up', { retryAfterMs })),
      signal: ending.signal,
    });
  };

  const toFinalError = ({ code, message, retryAfterMs }: AttemptError, delayMs: number): MailboxError =>
    new MailboxError(code, message, delayMs === retryAfterMs ? { retryAfterMs } : {});

  const toRefusal = ({ code, message, retryAfterMs }: AttemptError): MailboxError =>
    code === 'failed'
      ? new GmailRefusal(message)
      : new MailboxError(code, message, retryAfterMs === undefined ? {} : { retryAfterMs });

  const waitToRetry = async (error: AttemptError, attemptsMade: number, startedMs: number): Promise<void> => {
    const delayMs = retryDelayMs({ attemptsMade, retryAfterMs: error.retryAfterMs, random });
    const isQuota = error.code === 'rate_limited';
    if (isQuota) await quota.slowDown(startedMs, delayMs);
    if (!(isQuota ? quotaBudget : budget).spend(startedMs, clock.nowMs() + delayMs)) {
      throw end(toFinalError(error, delayMs));
    }
    // The pause holds a background call up where its signal can end the wait: in the line for units.
    if (!(isQuota && isBackground)) await clock.sleep(delayMs);
  };

  const attemptOnce = async (price: number, attempt: (token: string) => Promise<Attempt>, token: string) => {
    const taken = await takeUnits(price);
    ending.signal.throwIfAborted();
    const startedMs = clock.nowMs();
    try {
      return { startedMs, outcome: await attempt(token) };
    } finally {
      await quota.finish(priority, price, taken);
    }
  };

  return {
    async run(price, attempt) {
      let token = await readToken(tokens.current);
      let isRenewed = false;
      for (let attemptsMade = 1; ; attemptsMade += 1) {
        ending.signal.throwIfAborted();
        const { startedMs, outcome } = await attemptOnce(price, attempt, token);
        if ('text' in outcome) {
          quota.recover();
          return outcome.text;
        }
        const { error } = outcome;
        if (error.remedy === 'retry') {
          await waitToRetry(error, attemptsMade, startedMs);
        } else if (error.remedy === 'renew_token' && !isRenewed) {
          const refused = token;
          token = await readToken(() => tokens.renew(refused));
          isRenewed = true;
        } else {
          if (error.code === 'missing_scope') await dependencies.accessTokens.reportMissingScope?.(token);
          throw error.remedy === 'none' ? toRefusal(error) : end(toRefusal(error));
        }
      }
    },
    close() {
      signal?.removeEventListener('abort', endBySignal);
      end(new MailboxError('failed', 'The call is over'));
    },
  };
};
