/** Whether a user waits for the response, or a job that has time, such as the scan of a whole mailbox. */
export type CallPriority = 'interactive' | 'background';

/** What a store of quota units grants. */
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

/** Units that calls were granted. */
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
}

/** What Gmail allows each user of a project that did not use the API before May 2026, and what background calls leave of it (decision 023). */
export const DEFAULT_QUOTA_LIMITS = { unitsPerMinute: 6_000, interactiveReserve: 0.05 } as const;

/** What happened to a user's quota, for metrics. */
export type QuotaEvent =
  | { type: 'units_taken'; priority: CallPriority; units: number }
  /** One call waited for its units. */
  | { type: 'waited'; priority: CallPriority; waitMs: number }
  /** One call was given up, for its units would have come too late. */
  | { type: 'gave_up'; priority: CallPriority; retryAfterMs: number }
  /** The provider asked to slow down. */
  | { type: 'paused'; pauseMs: number }
  /** As many calls of one user may now be in flight from this process. */
  | { type: 'concurrency_changed'; limit: number };
