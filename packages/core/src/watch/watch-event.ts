import { WatchErrorSchema } from '@mailsweep/contracts';

export const WATCH_OUTCOMES = ['done', 'ended', 'released', ...WatchErrorSchema.options] as const;
/** What came of a run of the watch; `ended`: the watch was disabled, or another process took over. */
export type WatchOutcome = (typeof WATCH_OUTCOMES)[number];

/** A run of the watch, for metrics and the log; without content. */
export interface WatchRun {
  outcome: WatchOutcome;
  newEmails: number;
  suggested: number;
}
