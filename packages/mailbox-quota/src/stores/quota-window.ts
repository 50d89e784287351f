import type { QuotaLimits } from '../quota.ts';

// The provider counts over a sliding minute, and at an instant that we do not see: somewhere between the sending of a
// request and its response. So units count from the beginning of the slot they were taken in until no minute that
// may hold them is left.

/** Units are written down by the half second, so that a user's minute is a short list. */
export const SLOT_MS = 500;
/** A request that is in flight for longer has its units postponed when it ends. */
export const TRANSIT_MS = 500;
/** How long units count, from the beginning of their slot on. */
export const COUNTED_MS = 60_000 + SLOT_MS + TRANSIT_MS;
/**
 * Background calls are spread over the minute: units taken evenly come back evenly, so that a user who needs more
 * than the reserve waits seconds, not a minute.
 */
export const PACE_MS = COUNTED_MS / 10;
/** Background calls stand back this long after an interactive one was refused, which asks again sooner than that. */
export const HOLD_MS = 2_000;
/** Longest pause that the provider can ask for, in milliseconds. */
export const MAX_PAUSE_MS = 3_600_000;

/** What the calls of a minute may add up to. */
export interface Ceilings {
  interactive: number;
  background: number;
  /** Background calls start only while those of the last {@link PACE_MS} add up to less. */
  pace: number;
}

/** @throws {RangeError} for limits under which no call could ever be made */
export const toCeilings = ({ unitsPerMinute, interactiveReserve }: QuotaLimits): Ceilings => {
  const background = Math.floor(unitsPerMinute * (1 - interactiveReserve));
  if (!(unitsPerMinute >= 1 && interactiveReserve >= 0 && background >= 1)) {
    throw new RangeError('The quota leaves nothing to background calls');
  }
  return { interactive: unitsPerMinute, background, pace: Math.max(1, background / 10) };
};
