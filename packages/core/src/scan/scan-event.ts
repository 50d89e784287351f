import type { ScanError } from '@mailsweep/contracts';

/** What happens to scans, for metrics; each is reported once, even if a step is repeated. */
export type ScanEvent =
  | { type: 'page_read'; emails: number }
  | { type: 'waits'; reason: ScanError }
  | { type: 'ended'; outcome: 'completed' | ScanError };
