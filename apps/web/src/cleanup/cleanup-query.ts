import type { ApiClient } from '@mailsweep/client';
import type { Cleanup } from '@mailsweep/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { CLEANUPS_KEY, LIST_KEYS, refresh } from '../api/query-keys.ts';
import { whenIdle } from '../lazy-parts/when-idle.ts';

/** Poll intervals; longer in a hidden tab. Unit: milliseconds. */
export const FOLLOW_MS = { visible: 1_000, hidden: 10_000 };
/** Unfinished cleanups are among the newest. */
const NEWEST_SHOWN = 20;

const UNFINISHED_KEY = [...CLEANUPS_KEY, 'unfinished'] as const;
const IN_PROGRESS = ['queued', 'running', 'waiting'];

/** Whether a cleanup continues without the user. */
export const isInProgress = ({ state }: Cleanup): boolean => IN_PROGRESS.includes(state);

export const isAwaitingConfirmation = ({ state }: Cleanup): boolean => state === 'awaiting_confirmation';

const isUnfinished = (cleanup: Cleanup): boolean =>
  isInProgress(cleanup) || cleanup.state === 'paused' || isAwaitingConfirmation(cleanup);

/** Cleanups that run or wait for confirmation, of any tab. */
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

/** Cleanups whose progress a toast shows. */
export const followedCleanupsQuery = queryOptions({
  queryKey: [...CLEANUPS_KEY, 'followed'] as const,
  queryFn: (): readonly string[] => [],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Refreshes what a cleanup changes. */
export const refreshAfterCleanup = (queryClient: QueryClient): Promise<unknown> =>
  refresh(queryClient, ...LIST_KEYS, UNFINISHED_KEY);
