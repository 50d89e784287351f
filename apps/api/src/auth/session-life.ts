const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

/** How long a session may last, however often it is used. */
const LONGEST_MS = 180 * DAY_MS;

/** How long sessions last (docs/decisions/007). */
export interface SessionLife {
  /** After this without a use, a session is over. */
  idleMs: number;
  /** After this a session is over in any case. */
  longestMs: number;
  /** How exactly the last use is stored, in seconds. */
  resolutionS: number;
  /** How old the token of a cookie gets before the browser is given another one. */
  renewCookieAfterMs: number;
}

/** @param idleMs - `SESSION_TTL_HOURS` */
export const toSessionLife = (idleMs: number): SessionLife => ({
  idleMs,
  longestMs: Math.max(LONGEST_MS, idleMs),
  resolutionS: Math.min(60, Math.floor(idleMs / 24 / SECOND_MS)),
  renewCookieAfterMs: Math.min(DAY_MS, idleMs / 24),
});
