import type { z } from 'zod';

/** One JSON route: what it takes and what it returns. The server, its documentation and its clients share it. */
export interface RouteContract {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Absolute path; a parameter is in braces, as in OpenAPI. */
  path: `/api/v1/${string}`;
  /** Whether a session token is needed. */
  authenticated: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  response: z.ZodType;
  /** Returns 202 where it began work that goes on after the response. */
  accepts?: true;
  /** Takes an `Idempotency-Key`: the same request with the same key is carried out once. */
  idempotent?: true;
}
