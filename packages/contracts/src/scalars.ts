import { z } from 'zod';

/** An instant as ISO 8601 text in UTC, for example `2026-01-31T09:30:00.000Z`. */
export const TimestampSchema = z.iso.datetime({ offset: true }).meta({ example: '2026-01-31T09:30:00.000Z' });

/** A boolean in a query string: only the words `true` and `false` are read. */
export const QueryBooleanSchema = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((word) => word === 'true');

/**
 * A whole number in a query string, decimal digits only: `1.5`, `0x10`, `1e3`, `+1` and `-1` are refused.
 *
 * @param bounds - inclusive limits of the number read
 */
export const queryInteger = (bounds: { min: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,15}$/, { error: 'must be a whole number written in decimal digits' })
    .transform(Number)
    .pipe(z.number().int().min(bounds.min).max(bounds.max));

/** How many records carry each name, for example `{ "archive": 3 }`. */
export const CountsSchema = z.record(z.string(), z.number().int().min(0));
export type Counts = z.infer<typeof CountsSchema>;
