import { z } from 'zod';
import { MAX_SEARCH_LENGTH } from './limits.ts';

/** An instant as ISO 8601 text in UTC, for example `2026-01-31T09:30:00.000Z`. */
export const TimestampSchema = z.iso.datetime({ offset: true }).meta({ example: '2026-01-31T09:30:00.000Z' });

/** Words to search for, in any order and case. */
export const SearchWordsSchema = z.string().trim().min(1).max(MAX_SEARCH_LENGTH);

/** How many there are of something. */
export const CountSchema = z.number().int().min(0);

/** How many records carry each name, for example `{ "archive": 3 }`. */
export const CountsSchema = z.record(z.string(), CountSchema);
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

/**
 * A number in a query string, in decimal notation: `0.75`, not `.75`, `7.5e-1` or `+1`. Documents of the API call it a
 * number within the bounds.
 *
 * @param bounds - inclusive limits of the number read
 */
export const queryNumber = (bounds: { min: number; max: number }) =>
  z
    .string()
    .refine((text) => /^\d{1,15}(\.\d{1,15})?$/.test(text), {
      error: 'must be a number in decimal notation, such as 0.75',
    })
    .meta({ override: { type: 'number', minimum: bounds.min, maximum: bounds.max } })
    .transform(Number)
    .pipe(z.number().min(bounds.min).max(bounds.max));

/** {@link queryInteger}, with the number that is taken when the query leaves it out. */
export const queryIntegerOr = (fallback: number, bounds: { min: number; max: number }) =>
  queryInteger(bounds)
    .default(fallback)
    .meta({ override: { default: fallback } });
