import type { Scan } from '@mailsweep/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { describeError } from '../api/describe-error.ts';
import { beginGesture, type Gesture } from '../api/gesture.ts';
import { showToast } from '../feedback/toasts.tsx';
import { SCAN_KEY } from '../queries/query-keys.ts';
import { followScan } from './follow-scan.ts';
import { isInProgress, newestScanQuery, noteScan } from './scan-query.ts';

/** How often a scan in progress is polled where there is no event stream. Unit: milliseconds. */
const POLL_MS = 1_500;
/** The same beside a stream, which may have come to a stop without a word. Unit: milliseconds. */
const POLL_BESIDE_STREAM_MS = 15_000;

const tellOfError = (error: unknown) => {
  const { title, advice } = describeError(error);
  showToast({ title, detail: advice, tone: 'failed' });
};

/** The user's newest scan, kept current by a stream of events while it runs, else by asking again and again. */
const useNewestScan = () => {
  const { client, origin } = useApi();
  const queryClient = useQueryClient();
  const [unstreamedId, setUnstreamedId] = useState<string | null>(null);
  const query = useQuery({
    ...newestScanQuery(client),
    refetchInterval: ({ state }) => {
      if (!state.data || !isInProgress(state.data)) return false;
      return state.data.id === unstreamedId ? POLL_MS : POLL_BESIDE_STREAM_MS;
    },
  });
  const idUnderWay = query.data && isInProgress(query.data) ? query.data.id : null;
  const streamedId = idUnderWay === unstreamedId ? null : idUnderWay;
  useEffect(() => {
    if (streamedId === null) return;
    return followScan({
      apiOrigin: origin,
      id: streamedId,
      onScan: (scan) => noteScan(queryClient, scan),
      onRefused: () => setUnstreamedId(streamedId),
    });
  }, [streamedId, origin, queryClient]);
  return { query, isInProgress: idUnderWay !== null };
};

/** The newest scan of the mailbox, and the ways to start and to end one. */
export const useScan = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const { query, isInProgress: isRunning } = useNewestScan();
  const handlers = {
    onSuccess: async (scan: Scan) => {
      // A response that is still on its way is older than this one.
      await queryClient.cancelQueries({ queryKey: SCAN_KEY });
      noteScan(queryClient, scan);
    },
    onError: tellOfError,
  };
  const start = useMutation({
    mutationFn: (gesture: Gesture) =>
      client.startScan({ body: { scope: 'all' }, idempotencyKey: gesture.keyOf(0) }),
    ...handlers,
  });
  const cancel = useMutation({
    mutationFn: ({ id, gesture }: { id: string; gesture: Gesture }) =>
      client.cancelScan({ params: { id }, idempotencyKey: gesture.keyOf(0) }),
    ...handlers,
  });
  const scan = query.data;
  return {
    /** Null when there was none yet, undefined while that is not known. */
    scan,
    /** Whether that may become known yet; false too when the request failed. */
    isPending: query.isPending,
    isInProgress: isRunning,
    isStarting: start.isPending,
    start: () => {
      if (!start.isPending && !isRunning) start.mutate(beginGesture());
    },
    isCancelling: cancel.isPending,
    cancel: () => {
      if (scan && isRunning) cancel.mutate({ id: scan.id, gesture: beginGesture() });
    },
  };
};

export type ScanControl = ReturnType<typeof useScan>;
