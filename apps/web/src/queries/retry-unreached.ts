import type { Query, QueryClient } from '@tanstack/react-query';
import { isTransient } from '../api/error-kinds.ts';

/** Waits between attempts while the service cannot be reached; the last one repeats. Unit: milliseconds. */
const WAITS_MS = [2_000, 5_000, 10_000, 20_000, 60_000];

const isUnreached = ({ state }: Query): boolean => state.status === 'error' && isTransient(state.error);
const UNREACHED = { type: 'active', predicate: isUnreached } as const;

/**
 * Requests again what is on screen and could not be loaded because the service was out of reach: after a while, and at
 * once when the browser has a network again or the user comes back to the tab. Screens show the error until then.
 *
 * @param probe - any request; when it gets through, the others follow
 * @returns the way to stop
 */
export const retryUnreached = (queryClient: QueryClient, probe: () => Promise<unknown>): (() => void) => {
  const queries = queryClient.getQueryCache();
  let attempts = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const retry = async () => {
    try {
      if (queries.findAll(UNREACHED).length > 0) await probe();
    } catch (error) {
      if (isTransient(error)) {
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
    if (event.type === 'updated' && event.action.type === 'error' && isTransient(event.action.error))
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
