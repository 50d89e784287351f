import { isProblem, ProblemError, UnexpectedResponseError, UnreachableError } from './errors.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** If the API asks for more, the caller decides. */
const LONGEST_RETRY_AFTER_MS = 60_000;
/** After a crash the API needs up to a minute to find out what the request did. */
const ATTEMPTS_WHILE_IN_FLIGHT = 6;
const TRANSIENT_STATUSES = [429, 502, 503, 504];

/** Whether the same request may succeed later. */
export const isTransient = (error: unknown): boolean =>
  !isProblem(error, 'mailbox_refused', 'no_inbox') &&
  (error instanceof UnreachableError ||
    ((error instanceof ProblemError || error instanceof UnexpectedResponseError) &&
      TRANSIENT_STATUSES.includes(error.status)));

/** The wait before the next attempt: exponential with jitter, at least what the API asks for. */
export const toWaitMs = (attempt: number, error: unknown): number => {
  const backoffMs = Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS) * (1 + Math.random() / 2);
  return isProblem(error) ? Math.max(backoffMs, (error.retryAfterSeconds ?? 0) * 1_000) : backoffMs;
};

/** @returns after the time, or once the signal is aborted */
export const wait = (waitMs: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
  });

/**
 * Attempts again while errors pass.
 *
 * @param retries - most repetitions; an attempt in flight at the API is asked for over a minute all the same
 * @param signal - ends the attempts
 * @throws the error of the last attempt
 */
export const withRetries = async <T>(
  attempt: () => Promise<T>,
  { retries, signal }: { retries: number; signal: AbortSignal | undefined },
): Promise<T> => {
  for (let done = 0; ; done += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isInFlight = isProblem(error, 'idempotency_request_in_flight');
      const limit = isInFlight ? ATTEMPTS_WHILE_IN_FLIGHT : isTransient(error) ? retries : 0;
      const waitMs = toWaitMs(done, error);
      if (done >= limit || waitMs > LONGEST_RETRY_AFTER_MS) throw error;
      await wait(waitMs, signal);
      if (signal?.aborted) throw error;
    }
  }
};
