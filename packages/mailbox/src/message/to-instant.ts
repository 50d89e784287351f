/** The last instant whose ISO 8601 form has a four-digit year. */
const LAST_INSTANT_MS = Date.UTC(10_000, 0, 1) - 1;

/** When a message was received, of milliseconds since 1970; what is no such instant reads as 1970. */
export const toInstant = (epochMs: number): Date =>
  new Date(epochMs >= 0 && epochMs <= LAST_INSTANT_MS ? epochMs : 0);
