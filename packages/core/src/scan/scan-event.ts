import type { ScanError } from '@mailsweep/contracts';

/** What happens to scans, for metrics; each is told once, whoever takes a step again. */
export type ScanEvent =
  | { type: 'page_read'; emails: number }
  | { type: 'waits'; reason: ScanError }
  | { type: 'ended'; outcome: 'completed' | ScanError };
