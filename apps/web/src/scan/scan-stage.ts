import type { ListSendersResponse, Scan } from '@mailsweep/contracts';
import { isInProgress } from './use-scan.ts';

export type ScanCoverage = Pick<ListSendersResponse, 'complete' | 'scannedAt'>;

/**
 * What to show about scans: one in progress, the newest stopped early, none saw the whole mailbox, an outdated one,
 * unclassified emails, or nothing.
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
