import type { ListSendersResponse, Scan } from '@mailsweep/contracts';
import { isInProgress } from './scan-query.ts';

/** What the overview of senders knows of scans. */
export type ScanCoverage = Pick<ListSendersResponse, 'complete' | 'scannedAt'>;

/**
 * What to show about scans: one is in progress, the newest one stopped early, none has ever seen the whole mailbox, what one saw
 * has to be scanned again, some emails were not classified, or all is well.
 */
export type ScanStage = 'in-progress' | 'stopped' | 'never' | 'outdated' | 'unclassified' | 'done';

export const toScanStage = (scan: Scan | null, coverage: ScanCoverage): ScanStage => {
  if (scan && isInProgress(scan)) return 'in-progress';
  if (scan?.state === 'failed') return 'stopped';
  if (coverage.complete)
    return scan?.state === 'completed' && scan.unclassified > 0 ? 'unclassified' : 'done';
  if (scan?.state === 'cancelled') return 'stopped';
  return coverage.scannedAt === null ? 'never' : 'outdated';
};
