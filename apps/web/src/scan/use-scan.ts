import type { ApiClient } from '@mailsweep/client';
import type { Scan } from '@mailsweep/contracts';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { refresh, SCAN_KEY, SENDERS_KEY, SUGGESTION_GROUPS_KEY } from '../api/query-keys.ts';
import { showToast, toFailure } from '../feedback/toasts.tsx';

/** Data this young is not requested again. Unit: milliseconds. */
const STALE_MS = 5_000;
const FOLLOW_MS = 1_000;

export const isInProgress = (scan: Scan): boolean => ['queued', 'running', 'waiting'].includes(scan.state);

/** Whether no scan is complete, as far as known: neither are the suggestions. */
export const isFirstVisit = (scan: Scan | null | undefined): boolean =>
  scan === null || (scan !== undefined && isInProgress(scan));

/** Stores the newest scan, and refreshes what it found: suggestions while it runs, senders at its end. */
const noteScan = (queryClient: QueryClient, scan: Scan | null): void => {
  const before = queryClient.getQueryData<Scan | null>(SCAN_KEY);
  queryClient.setQueryData(SCAN_KEY, scan);
  if (!before || !scan) return;
  if (isInProgress(before) && !isInProgress(scan)) {
    void refresh(queryClient, SUGGESTION_GROUPS_KEY, SENDERS_KEY);
  } else if (before.suggested !== scan.suggested || before.state !== scan.state) {
    // Keeps a request in flight: updates may come faster than responses.
    void queryClient.invalidateQueries({ queryKey: SUGGESTION_GROUPS_KEY }, { cancelRefetch: false });
  }
};

/** The newest scan, or the one in progress; null before the first. */
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

/** The newest scan, polled while it runs. Use once in the app: each observer polls. */
export const followedScanQuery = (client: ApiClient) =>
  queryOptions({
    ...newestScanQuery(client),
    refetchInterval: ({ state }) => (state.data && isInProgress(state.data) ? FOLLOW_MS : false),
  });

/** The newest scan, and how to start and cancel one. `ScanStatus` keeps it current. */
export const useScan = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const query = useQuery(newestScanQuery(client));
  const isRunning = query.data ? isInProgress(query.data) : false;
  const handlers = {
    onSuccess: async (scan: Scan) => {
      // Older responses may be on their way.
      await queryClient.cancelQueries({ queryKey: SCAN_KEY });
      noteScan(queryClient, scan);
    },
    onError: (error: Error) => showToast(toFailure(error)),
  };
  const start = useMutation({
    mutationFn: () => client.startScan({ body: { scope: 'all' } }),
    ...handlers,
  });
  const cancel = useMutation({
    mutationFn: (id: string) => client.cancelScan({ params: { id } }),
    ...handlers,
  });
  const scan = query.data;
  return {
    /** Null before the first scan, undefined while unknown. */
    scan,
    /** False after a failed request, too. */
    isPending: query.isPending,
    isInProgress: isRunning,
    isStarting: start.isPending,
    start: () => start.mutate(),
    isCancelling: cancel.isPending,
    cancel: () => {
      if (scan) cancel.mutate(scan.id);
    },
  };
};

export type ScanControl = ReturnType<typeof useScan>;
