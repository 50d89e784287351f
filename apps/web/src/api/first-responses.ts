import type { QueryClient } from '@tanstack/react-query';

/** Slower screens show what they have. Unit: milliseconds. */
const MAX_WAIT_MS = 400;

/**
 * Resolves when all requests so far have responses, at the latest after 400 ms. Drawing skeletons and each response
 * in turn takes a slow phone more than twice as long.
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
