import type { ApiClient } from '@mailsweep/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';

/** Who is signed in rarely changes. Unit: milliseconds. */
const ME_STALE_MS = 5 * 60_000;

/** Who is signed in, and whether the mailbox is still connected. */
export const meQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['me'],
    queryFn: ({ signal }) => client.getMe({ signal }),
    staleTime: ME_STALE_MS,
  });

export const useMe = () => useQuery(meQuery(useApi().client));
