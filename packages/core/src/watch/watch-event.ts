import type { WatchError } from '@mailsweep/contracts';

/** What came of a run of the watch; `ended`: the watch was disabled, or another process took over. */
export type WatchOutcome = 'done' | 'ended' | 'released' | WatchError;

/** A run of the watch, for metrics and the log; without content. */
export interface WatchRun {
  outcome: WatchOutcome;
  newEmails: number;
  suggested: number;
}
