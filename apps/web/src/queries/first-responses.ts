import type { QueryClient } from '@tanstack/react-query';

/** A slower screen shows first what it has. Unit: milliseconds. */
const MAX_WAIT_MS = 400;

/**
 * Resolves when every request so far has its response, or after 400 ms. The first screen is then drawn once: to draw its
 * skeleton and each response after it takes a slow phone more than twice as long.
 */
export const firstResponses = (queryClient: QueryClient): Promise<void> =>
  new Promise((resolve) => {
    const timeout = setTimeout(resolve, MAX_WAIT_MS);
    const check = () => {
      if (queryClient.isFetching() > 0) return;
      clearTimeout(timeout);
      unsubscribe();
      resolve();
    };
    // A response may lead to another request.
    const checkLater = () => void setTimeout(check);
    const unsubscribe = queryClient.getQueryCache().subscribe(checkLater);
    checkLater();
  });
