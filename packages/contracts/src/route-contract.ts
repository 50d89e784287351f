import type { z } from 'zod';

/** What a client has to know of a route to call it and to read the answer. */
export interface CallContract {
  method: 'get' | 'post' | 'delete';
  /** Absolute path; a parameter stands in braces, as in OpenAPI. */
  path: `/api/v1/${string}`;
  response: z.ZodType;
}

/** One JSON route: what it takes and what it answers. The server, its documentation and its clients share it. */
export interface RouteContract extends CallContract {
  /** Whether a session token is needed. */
  authenticated: boolean;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** Answers 202 where it began work that goes on after the answer. */
  accepts?: true;
  /** Takes an `Idempotency-Key`: the same request with the same key is carried out once. */
  idempotent?: true;
}

/** Keeps a call's exact type. */
export const defineCall = <const T extends CallContract>(call: T): T => call;

/** Keeps a route's exact type. */
export const defineRoute = <const T extends RouteContract>(route: T): T => route;
