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
