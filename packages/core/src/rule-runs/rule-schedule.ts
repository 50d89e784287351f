const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

/** New email makes rules that take it due at once, so hours are short enough for the rest; older email does not get old faster than by the day. */
const toIntervalMs = (olderThan: number): number => (olderThan === 0 ? HOUR_MS : DAY_MS);

/**
 * When the watch is to run a rule next: an hour after it was due where it takes email of any age, else a day. It keeps its
 * time of day, also when it ran late; what was missed meanwhile is not made up for.
 *
 * @param options.isComplete - false when the run had more emails than it may take: the rest follows within the hour
 */
export const nextRuleRun = (
  dueAt: Date,
  olderThan: number,
  { nowMs, isComplete }: { nowMs: number; isComplete: boolean },
): Date => {
  const intervalMs = isComplete ? toIntervalMs(olderThan) : HOUR_MS;
  const missed = Math.max(0, Math.floor((nowMs - dueAt.getTime()) / intervalMs));
  return new Date(dueAt.getTime() + (missed + 1) * intervalMs);
};
