import type { ListSendersResponse, Scan } from '@mailsweep/contracts';
import { isUnderWay } from './scan-query.ts';

/** What the overview of senders knows of scans. */
export type ScanCoverage = Pick<ListSendersResponse, 'complete' | 'scannedAt'>;

/**
 * What to tell of scans: one goes on, the newest one stopped early, none has ever seen the whole mailbox, what one saw
 * has to be looked at anew, some mail got no suggestions for want of the classification service, or all is well.
 */
export type ScanStage = 'under-way' | 'stopped' | 'never' | 'outdated' | 'unclassified' | 'done';

export const toScanStage = (scan: Scan | null, coverage: ScanCoverage): ScanStage => {
  if (scan && isUnderWay(scan)) return 'under-way';
  if (scan?.state === 'failed') return 'stopped';
  if (coverage.complete)
    return scan?.state === 'completed' && scan.unclassified > 0 ? 'unclassified' : 'done';
  if (scan?.state === 'cancelled') return 'stopped';
  return coverage.scannedAt === null ? 'never' : 'outdated';
};
