/** The query of an address, as the router parsed it. */
export type Search = Record<string, unknown>;

/** The value if it is one of the choices. */
export const readChoice = <C extends string | number | boolean>(
  value: unknown,
  choices: readonly C[],
): C | undefined => choices.find((choice) => choice === value);

/** The value if it is a whole number in a range. */
export const readWholeNumber = (value: unknown, range: { min: number; max: number }): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= range.min && value <= range.max
    ? value
    : undefined;

/** The value if it is a short enough text. The router reads `?q=2026` as a number. */
export const readText = (value: unknown, maxLength: number): string | undefined => {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  return typeof text === 'string' && text.length <= maxLength ? text : undefined;
};

/** The value if it matches. */
export const readMatch = (value: unknown, form: RegExp): string | undefined =>
  typeof value === 'string' && form.test(value) ? value : undefined;
