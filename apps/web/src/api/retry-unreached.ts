import type { Query, QueryClient } from '@tanstack/react-query';
import { isRateLimited, isTransient } from './errors.ts';

/** Waits between attempts; the last one repeats. Unit: milliseconds. */
const WAITS_MS = [2_000, 5_000, 10_000, 20_000, 60_000];

const isRetried = (error: unknown): boolean => isTransient(error) || isRateLimited(error);
const isUnreached = ({ state }: Query): boolean => state.status === 'error' && isRetried(state.error);
const UNREACHED = { type: 'active', predicate: isUnreached } as const;

/**
 * Refetches what is on screen and failed because the service was unreachable, or the user had reached the rate limit: after a
 * wait, and at once when the network or the user returns.
 *
 * @param probe - any request; when it succeeds, the others follow
 * @returns a function that stops
 */
export const retryUnreached = (queryClient: QueryClient, probe: () => Promise<unknown>): (() => void) => {
  const queries = queryClient.getQueryCache();
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const retry = async () => {
    try {
      if (queries.findAll(UNREACHED).length > 0) await probe();
    } catch (error) {
      if (isRetried(error)) {
        attempts += 1;
        timer = wait();
        return;
      }
    }
    attempts = 0;
    timer = undefined;
    await queryClient.refetchQueries(UNREACHED);
  };
  const wait = () => setTimeout(retry, WAITS_MS[Math.min(attempts, WAITS_MS.length - 1)]);
  const retryNow = () => {
    if (timer === undefined || document.hidden) return;
    clearTimeout(timer);
    void retry();
  };
  const unsubscribe = queries.subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error' && isRetried(event.action.error))
      timer ??= wait();
  });
  window.addEventListener('online', retryNow);
  document.addEventListener('visibilitychange', retryNow);
  return () => {
    clearTimeout(timer);
    unsubscribe();
    window.removeEventListener('online', retryNow);
    document.removeEventListener('visibilitychange', retryNow);
  };
};
