import type { ApiClient } from '@mailsweep/client';
import type { Cleanup } from '@mailsweep/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { whenIdle } from '../parts/when-idle.ts';
import { CLEANUPS_KEY, LIST_KEYS } from '../queries/query-keys.ts';
import { refresh } from '../queries/refresh.ts';

/** How often a cleanup is requested while the server executes it, less often in a hidden tab. Unit: milliseconds. */
export const FOLLOW_MS = { visible: 1_000, hidden: 10_000 };
/** Cleanups looked through for unfinished ones: they are among the newest. */
const NEWEST_SHOWN = 20;

const UNFINISHED_KEY = [...CLEANUPS_KEY, 'unfinished'] as const;
const IN_PROGRESS = ['queued', 'running', 'waiting'];

/** Whether a cleanup continues without the user. */
export const isInProgress = ({ state }: Cleanup): boolean => IN_PROGRESS.includes(state);

/** Whether a program asks the user to confirm a cleanup. */
export const isAwaitingConfirmation = ({ state }: Cleanup): boolean => state === 'awaiting_confirmation';

/** Whether a cleanup was started and has not ended. */
const isUnfinished = (cleanup: Cleanup): boolean =>
  isInProgress(cleanup) || cleanup.state === 'paused' || isAwaitingConfirmation(cleanup);

/** The cleanups that were started, or are to be confirmed, and have not ended, in this tab or elsewhere. */
export const unfinishedCleanupsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: UNFINISHED_KEY,
    queryFn: async ({ signal }) => {
      await whenIdle();
      const { data } = await client.listCleanups({ query: { page: 1, perPage: NEWEST_SHOWN }, signal });
      return data.filter(isUnfinished);
    },
    staleTime: FOLLOW_MS.visible,
    refetchInterval: ({ state }) => (state.data?.some(isInProgress) ? 2 * FOLLOW_MS.visible : false),
  });

/** The ids of cleanups whose progress a toast of this tab shows. */
export const followedCleanupsQuery = queryOptions({
  queryKey: [...CLEANUPS_KEY, 'followed'] as const,
  queryFn: (): readonly string[] => [],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Requests again what a cleanup changes. */
export const refreshAfterCleanup = (queryClient: QueryClient): Promise<unknown> =>
  refresh(queryClient, ...LIST_KEYS, UNFINISHED_KEY);
