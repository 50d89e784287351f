import type { Scan } from '@mailsweep/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { followScan } from './follow-scan.ts';
import { isInProgress, newestScanQuery, noteScan } from './scan-query.ts';

/** How often a scan in progress is polled where there is no event stream. Unit: milliseconds. */
const POLL_MS = 1_500;
/** The same beside a stream, which may have come to a stop without a word. Unit: milliseconds. */
const POLL_BESIDE_STREAM_MS = 15_000;

/**
 * The user's newest scan, kept current by a stream of events while it runs, else by polling. Once in the app: each
 * caller holds a stream of its own.
 *
 * @returns null when there was none yet, undefined while that is not known
 */
export const useFollowedScan = (): Scan | null | undefined => {
  const { client, origin } = useApi();
  const queryClient = useQueryClient();
  const [unstreamedId, setUnstreamedId] = useState<string | null>(null);
  const { data: scan } = useQuery({
    ...newestScanQuery(client),
    refetchInterval: ({ state }) => {
      if (!state.data || !isInProgress(state.data)) return false;
      return state.data.id === unstreamedId ? POLL_MS : POLL_BESIDE_STREAM_MS;
    },
  });
  const idInProgress = scan && isInProgress(scan) ? scan.id : null;
  const streamedId = idInProgress === unstreamedId ? null : idInProgress;
  useEffect(() => {
    if (streamedId === null) return;
    return followScan({
      apiOrigin: origin,
      id: streamedId,
      onScan: (followed) => noteScan(queryClient, followed),
      onRefused: () => setUnstreamedId(streamedId),
    });
  }, [streamedId, origin, queryClient]);
  return scan;
};
