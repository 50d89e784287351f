import pRetry from 'p-retry';

export interface RetryPolicy {
  maxAttempts: number;
  isTransient: (error: unknown) => boolean;
  /** The backoff after the first attempt lies between this and twice this, in milliseconds; it doubles each time. */
  firstDelayMs: number;
  /** The deadline of all attempts: none starts after it fired, and it ends a backoff. */
  signal?: AbortSignal | undefined;
}

/**
 * Makes attempts until one succeeds, an error is final, or attempts or time are used up. The outcome is the last
 * attempt's. p-retry takes every TypeError but those of `fetch` as final, without asking the policy.
 */
export const retry = async <T>(attempt: () => Promise<T>, policy: RetryPolicy): Promise<T> => {
  let lastAttempt: Promise<T> | undefined;
  const makeAttempt = () => {
    lastAttempt = attempt();
    return lastAttempt;
  };
  const result = pRetry(makeAttempt, {
    retries: policy.maxAttempts - 1,
    minTimeout: policy.firstDelayMs,
    factor: 2,
    randomize: true,
    shouldRetry: ({ error }) => policy.isTransient(error),
    signal: policy.signal,
  });
  // At the deadline p-retry rejects with the signal's reason; the error of the last attempt says more.
  return await result.catch((error: unknown) => lastAttempt ?? Promise.reject(error));
};
