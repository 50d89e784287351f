import { z } from 'zod';
import { queryIntegerOr } from './scalars.ts';

/** Page served when a list is asked for without `page`. Unit: pages, from 1. */
export const DEFAULT_PAGE = 1;
/** Records on a page when `perPage` is left out. */
export const DEFAULT_PER_PAGE = 20;
/** Most records one page may carry (docs/decisions/003). */
export const MAX_PER_PAGE = 100;
/** Highest page number accepted; beyond it no list of ours has records. */
export const MAX_PAGE = 10_000_000;

/** One page of a list whose whole length is `total`. */
export const paginated = <T extends z.ZodType>(record: T) =>
  z.object({
    total: z.number().int().min(0),
    page: z.number().int().min(1),
    perPage: z.number().int().min(1),
    data: z.array(record),
  });

export interface Page<T> {
  total: number;
  page: number;
  perPage: number;
  data: T[];
}

/** `page` and `perPage` as the lists of records take them; those without filters take no more. */
export const PaginationQuerySchema = z.strictObject({
  page: queryIntegerOr(DEFAULT_PAGE, { min: 1, max: MAX_PAGE }),
  perPage: queryIntegerOr(DEFAULT_PER_PAGE, { min: 1, max: MAX_PER_PAGE }),
});
export type Pagination = z.infer<typeof PaginationQuerySchema>;
