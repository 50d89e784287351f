import { z } from 'zod';

/** An instant as ISO 8601 text in UTC, for example `2026-01-31T09:30:00.000Z`. */
export const TimestampSchema = z.iso.datetime({ offset: true }).meta({ example: '2026-01-31T09:30:00.000Z' });

/** How many records carry each name, for example `{ "archive": 3 }`. */
export const CountsSchema = z.record(z.string(), z.number().int().min(0));
export type Counts = z.infer<typeof CountsSchema>;

/** A boolean in a query string: only the words `true` and `false` are read. Documents of the API call it a boolean. */
export const QueryBooleanSchema = z
  .stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive', error: 'must be true or false' })
  .meta({ override: { type: 'boolean' } });

/**
 * A whole number in a query string, decimal digits only: `1.5`, `0x10`, `1e3`, `+1` and `-1` are refused.
 * Documents of the API call it an integer within the bounds.
 *
 * @param bounds - inclusive limits of the number read
 */
export const queryInteger = (bounds: { min: number; max: number }) =>
  z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text), { error: 'must be a whole number written in decimal digits' })
    .meta({ override: { type: 'integer', minimum: bounds.min, maximum: bounds.max } })
    .transform(Number)
    .pipe(z.number().int().min(bounds.min).max(bounds.max));

/** The same, with the number that is taken when the query leaves it out. */
export const queryIntegerOr = (fallback: number, bounds: { min: number; max: number }) =>
  queryInteger(bounds)
    .default(fallback)
    .meta({ override: { default: fallback } });
