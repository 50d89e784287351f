import type { API_ROUTES } from '@mailsweep/contracts';
import type { z } from 'zod';

// `scripts/write-declarations.ts` spells out the types of this module, which alone names the contracts.
export type * from '@mailsweep/contracts';

type Routes = typeof API_ROUTES;

/** Numbers and booleans instead of text. */
type QueryOf<R> = R extends { query: infer S extends z.ZodType } ? { query?: Partial<z.output<S>> } : unknown;
type BodyOf<R> = R extends { body: infer S extends z.ZodType }
  ? object extends z.input<S>
    ? { body?: z.input<S> }
    : { body: z.input<S> }
  : unknown;
type ParamsOf<R> = R extends { params: infer S extends z.ZodType } ? { params: z.input<S> } : unknown;
type KeyOf<R> = R extends { idempotent: true } ? { idempotencyKey?: string } : unknown;

/** What each operation of the API takes and returns. */
export type Operations = {
  [K in keyof Routes]: {
    request: QueryOf<Routes[K]> & BodyOf<Routes[K]> & ParamsOf<Routes[K]> & KeyOf<Routes[K]>;
    response: z.output<Routes[K]['response']>;
  };
};
