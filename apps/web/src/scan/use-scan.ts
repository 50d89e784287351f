import type { Scan } from '@mailsweep/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { beginGesture, type Gesture } from '../api/gesture.ts';
import { showToast, toFailure } from '../feedback/toasts.tsx';
import { SCAN_KEY } from '../queries/query-keys.ts';
import { isInProgress, newestScanQuery, noteScan } from './scan-query.ts';

/**
 * The newest scan of the mailbox, and the ways to start and to end one. `ScanStatus` in the frame around every screen
 * keeps it current.
 */
export const useScan = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const query = useQuery(newestScanQuery(client));
  const isRunning = query.data ? isInProgress(query.data) : false;
  const handlers = {
    onSuccess: async (scan: Scan) => {
      // A response that is still on its way is older than this one.
      await queryClient.cancelQueries({ queryKey: SCAN_KEY });
      noteScan(queryClient, scan);
    },
    onError: (error: Error) => showToast(toFailure(error)),
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
