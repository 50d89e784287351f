/** The last instant whose ISO 8601 form has a four-digit year. */
const LAST_INSTANT_MS = Date.UTC(10_000, 0, 1) - 1;

const KNOWN_ZONE = /(?:[+-]\d{2}:?\d{2}|(?<=[\d\s])(?:z|ut|utc|gmt|[ecmp][sd]t))$/i;

const toInstant = (epochMs: number): Date | undefined =>
  epochMs >= 0 && epochMs <= LAST_INSTANT_MS ? new Date(epochMs) : undefined;

/**
 * Reads the value of a Date header (RFC 5322, 3.3), also in the odd forms that mailers write: comments, no weekday,
 * ISO 8601. A zone that is missing or unknown counts as UTC.
 *
 * @returns undefined when there is no date between the years 1970 and 9999 in it
 */
export const parseDateHeader = (value: string): Date | undefined => {
  const text = value
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  // Without a zone the engine would take the machine's own; with a T it would not take our zone.
  const zoned = KNOWN_ZONE.test(text)
    ? text
    : `${text.replace(/ [a-z]+$/i, '').replace(/(?<=\d)T(?=\d)/, ' ')} UTC`;
  return toInstant(Date.parse(zoned));
};

/** Reads Gmail's `internalDate`, decimal milliseconds since 1970; undefined when it is none or out of range. */
export const parseInternalDate = (value: string): Date | undefined =>
  /^\d{1,15}$/.test(value) ? toInstant(Number(value)) : undefined;
