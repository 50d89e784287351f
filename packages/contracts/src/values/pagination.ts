import { z } from 'zod';
import { DEFAULT_PAGE, DEFAULT_PER_PAGE, MAX_PAGE, MAX_PER_PAGE } from './limits.ts';
import { queryIntegerOr } from './scalars.ts';

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
