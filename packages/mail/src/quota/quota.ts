/** Whether a user waits for the response, or a job that has time, such as the scan of a whole mailbox. */
export type CallPriority = 'interactive' | 'background';

export interface QuotaGrant {
  /** How many of the calls may be made, counted from the first. */
  granted: number;
  /** Where their units were written down; {@link QuotaStore.postpone} needs it. */
  slot: number;
  /** How long until the first refused call has a chance, in milliseconds; 0 when none was refused. */
  waitMs: number;
  /** How long until all refused calls have one. */
  waitForAllMs: number;
}

export interface QuotaCharge {
  slot: number;
  units: number;
  priority: CallPriority;
}

/**
 * Counts the quota units of each user's mailbox. Units are only ever granted while the provider,
 * who counts over a sliding minute, would take them as well. No method rejects.
 */
export interface QuotaStore {
  /**
   * Takes the units of as many calls as there is room for.
   *
   * @param prices - units of each call, in the order they are to be made
   */
  take(userId: string, prices: readonly number[], priority: CallPriority): Promise<QuotaGrant>;
  /** Counts units as used just now instead of when they were granted, since the provider may have counted so late. */
  postpone(userId: string, charge: QuotaCharge): Promise<void>;
  /** Grants nothing for this user's mailbox for a while; a longer pause that runs already stays. */
  pause(userId: string, pauseMs: number): Promise<void>;
}

/** The limits that a store of quota units holds to. */
export interface QuotaLimits {
  /** What the provider allows each user in any 60 seconds. */
  unitsPerMinute: number;
  /** The share of it that background calls leave free, from 0 to below 1. */
  interactiveReserve: number;
  /** What is left of the share of background calls while the user's own calls count: they will make more of them. */
  shareBesideUser?: number | undefined;
}

/** What Gmail allows each user of a project that did not use the API before May 2026, and what background calls leave of it (decision 023). */
export const DEFAULT_QUOTA_LIMITS = { unitsPerMinute: 6_000, interactiveReserve: 0.4 } as const;

export type QuotaEvent =
  | { type: 'units_taken'; priority: CallPriority; units: number }
  /** One call waited for its units, since there were none at first. */
  | { type: 'waited'; priority: CallPriority; waitMs: number }
  /** One call was given up, for its units would have come too late. */
  | { type: 'gave_up'; priority: CallPriority; retryAfterMs: number }
  | { type: 'paused'; pauseMs: number }
  /** As many calls of one user may now be in flight from this process. */
  | { type: 'concurrency_changed'; limit: number };

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

const SHARE_BESIDE_USER = 2 / 3;

/**
 * What the calls of a minute may add up to, those of both priorities. Background calls also start only while those of
 * the last {@link PACE_MS} add up to less than a tenth of their ceiling.
 */
export interface Ceilings {
  interactive: number;
  background: number;
  /** For background calls while interactive ones of the last minute count. */
  besideUser: number;
}

/** @throws {RangeError} for limits under which no call could ever be made */
export const toCeilings = (limits: QuotaLimits): Ceilings => {
  const { unitsPerMinute, interactiveReserve, shareBesideUser = SHARE_BESIDE_USER } = limits;
  const background = Math.floor(unitsPerMinute * (1 - interactiveReserve));
  if (!(unitsPerMinute >= 1 && interactiveReserve >= 0 && background >= 1)) {
    throw new RangeError('The quota leaves nothing to background calls');
  }
  const besideUser = Math.max(1, Math.floor(background * shareBesideUser));
  return { interactive: unitsPerMinute, background, besideUser };
};
