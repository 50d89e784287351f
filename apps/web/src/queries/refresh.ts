import type { QueryClient, QueryKey } from '@tanstack/react-query';

/** Longer lists are not requested again as a whole: each page costs the provider's quota, or the server's time. */
export const MAX_PAGES_TO_REFRESH = 3;

/** Requests again what is shown of each of these; what is not shown is requested when it next is. */
export const refresh = (queryClient: QueryClient, ...keys: QueryKey[]): Promise<unknown> =>
  Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
