import { z } from 'zod';

/** One route: what it takes and what it returns. The server, its documentation and its clients share it. */
export interface RouteContract {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Absolute path; a parameter is in braces, as in OpenAPI. */
  path: `/api/v1/${string}`;
  /** Needs no session token. */
  isPublic?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  response: z.ZodType;
  /** Returns 202 where it began work that goes on after the response. */
  accepts?: true;
  /** Takes an `Idempotency-Key`: the same request with the same key is carried out once. */
  idempotent?: true;
  /** Its response has an `ETag`; where `If-None-Match` names it, there is nothing new, which 304 says. */
  conditional?: true;
}

/** Response without a body: status 204. */
export const NoContentSchema = z.undefined();

export const defineRoutes = <const T extends Record<string, RouteContract>>(routes: T) => routes;
