import { z } from 'zod';

/** How many records carry each name, for example `{ "archive": 3 }`. */
export const CountsSchema = z.record(z.string(), z.number().int().min(0));
export type Counts = z.infer<typeof CountsSchema>;
