import type { ApiClient } from '@mailsweep/client';
import type { Scan } from '@mailsweep/contracts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { SCAN_KEY, SENDERS_KEY, SUGGESTION_GROUPS_KEY } from '../queries/query-keys.ts';

/** Data this young is not requested again. Unit: milliseconds. */
const STALE_MS = 5_000;
/** How often a scan in progress is requested while the tab is visible. Unit: milliseconds. */
const FOLLOW_MS = 1_000;

/** Whether a scan is not final: it is in progress, or resumes automatically. */
export const isInProgress = (scan: Scan): boolean => ['queued', 'running', 'waiting'].includes(scan.state);

/** Whether the mailbox has not been scanned yet, so far as is known: what is suggested is not complete. */
export const isFirstVisit = (scan: Scan | null | undefined): boolean =>
  scan === null || (scan !== undefined && isInProgress(scan));

/**
 * Notes what has become known of the newest scan. What it has found is requested again: suggestions while it goes on,
 * the overview of senders once it has ended.
 */
export const noteScan = (queryClient: QueryClient, scan: Scan | null): void => {
  const before = queryClient.getQueryData<Scan | null>(SCAN_KEY);
  queryClient.setQueryData(SCAN_KEY, scan);
  if (before && scan && (before.suggested !== scan.suggested || before.state !== scan.state)) {
    // A request in flight is not given up for the next one: they come faster than the responses may.
    void queryClient.invalidateQueries({ queryKey: SUGGESTION_GROUPS_KEY }, { cancelRefetch: false });
  }
  if (before && isInProgress(before) && scan && !isInProgress(scan)) {
    void queryClient.invalidateQueries({ queryKey: SENDERS_KEY });
  }
};

/** The user's newest scan; null before the first one. While one is in progress, that very one. */
export const newestScanQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: SCAN_KEY,
    queryFn: async ({ signal, client: queryClient }): Promise<Scan | null> => {
      const known = queryClient.getQueryData<Scan | null>(SCAN_KEY);
      const scan =
        known && isInProgress(known)
          ? await client.getScan({ params: { id: known.id }, signal })
          : ((await client.listScans({ query: { page: 1, perPage: 1 }, signal })).data[0] ?? null);
      noteScan(queryClient, scan);
      return scan;
    },
    staleTime: STALE_MS,
  });

/** The newest scan, kept current while it runs. Once in the app: each observer would poll by itself. */
export const followedScanQuery = (client: ApiClient) =>
  queryOptions({
    ...newestScanQuery(client),
    refetchInterval: ({ state }) => (state.data && isInProgress(state.data) ? FOLLOW_MS : false),
  });
