const REPLACEMENT_CHARACTER = '\uFFFD';

const toStorableText = (text: string): string =>
  text.toWellFormed().replaceAll('\u0000', REPLACEMENT_CHARACTER);

/**
 * Copies a JSON value so that a `jsonb` column takes it: NUL and lone surrogates, which PostgreSQL refuses in
 * JSON text, become U+FFFD, in keys too (PostgreSQL manual, "JSON Types"). Absent fields are left out.
 */
export const toStorableJson = (value: unknown): unknown => {
  if (typeof value === 'string') return toStorableText(value);
  if (Array.isArray(value)) return value.map(toStorableJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([key, field]) => [toStorableText(key), toStorableJson(field)]),
  );
};

/** What JSON.stringify makes of a NUL and of a lone surrogate; a text that spells one out looks the same. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** The JSON text of {@link toStorableJson}; a value that is storable as it is, as nearly all are, is not copied. */
export const toStorableJsonText = (value: object): string => {
  const text = JSON.stringify(value);
  return UNSTORABLE.test(text) ? JSON.stringify(toStorableJson(value)) : text;
};
