/** The last instant whose ISO 8601 form has a four-digit year. */
const LAST_INSTANT_MS = Date.UTC(10_000, 0, 1) - 1;

const toInstant = (epochMs: number): Date | undefined =>
  epochMs >= 0 && epochMs <= LAST_INSTANT_MS ? new Date(epochMs) : undefined;

/**
 * Reads Gmail's `internalDate`, decimal milliseconds since 1970. Gmail gives one to every message, whatever its Date
 * header says (Gmail API reference, users.messages).
 *
 * @returns undefined when it is none or out of range
 */
export const parseInternalDate = (value: string): Date | undefined =>
  /^\d{1,15}$/.test(value) ? toInstant(Number(value)) : undefined;
