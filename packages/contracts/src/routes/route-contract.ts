import { z } from 'zod';
import type { TokenScope } from '../account/token-scope.ts';
import type { ProblemCode } from '../problem-catalogue.ts';
import examples from './examples.json' with { type: 'json' };

/** Who may call a route: everybody, a session, a recent sign-in, or sessions and tokens with the scope. */
export type RouteAccess = 'public' | 'session' | 'recent_sign_in' | TokenScope;

/** The end of a route with a successor; dates as `2027-01-31`, in UTC. */
export interface Deprecation {
  since: string;
  /** When it may be gone: at least half a year after `since`. */
  sunset: string;
  /** The successor, in Markdown: `` `GET /api/v1/emails` with `scope=all` ``. */
  instead: string;
}

/** One route. The server, its documentation and its clients share it. */
export interface RouteContract {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Absolute path; a parameter is in braces, as in OpenAPI. */
  path: `/api/v1/${string}`;
  access: RouteAccess;
  /**
   * What tokens that ask their user may do here: nothing by default, so that no route is a way around it. `not_needed`
   * changes nothing, or takes back or stops something; `asks` waits for the user.
   */
  confirmation?: 'not_needed' | 'asks';
  /** Has no rate limit, and responds while the API is overloaded. */
  isUnlimited?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  response: z.ZodType;
  /** Returns 202 if work goes on after the response. */
  accepts?: true;
  /** Takes an `Idempotency-Key`: the same request with the same key is carried out once. */
  idempotent?: true;
  /** Its response has an `ETag`; `If-None-Match` with it gets 304. */
  conditional?: true;
  /** Its query names something that may not be there: then 404, as for a path. */
  namesInQuery?: true;
  /** Its own 409 problems: by code, an example of the detail. */
  refuses?: Partial<Record<ProblemCode, string>>;
  /** Responses carry `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
  deprecated?: Deprecation;
  /** What it does, in a few words in the imperative. */
  summary: string;
  /** Paragraphs in Markdown: behaviour, limits, errors, partial failure. */
  description: readonly string[];
  examples?: {
    params?: object;
    query?: object;
    /** Bodies by what they show. */
    bodies?: Record<string, unknown>;
    /** Bodies of successful responses by what they show. */
    responses?: Record<string, unknown>;
  };
}

/** Response without a body: status 204. */
export const NoContentSchema = z.undefined();

/** A section of the API reference with its routes, in reading order. */
export interface Section<T = Record<string, RouteContract>> {
  tag: string;
  description: string;
  routes: T;
}

/** Keeps the documentation out of the route's type. */
type Widened<C> = {
  [K in keyof C]: K extends 'summary' | 'description' | 'examples' | 'refuses' | 'deprecated'
    ? Exclude<RouteContract[K], undefined>
    : C[K];
};

const EXAMPLES: Record<string, RouteContract['examples']> = examples;

/** Gives each route its examples, which are data. */
export const defineSection = <const T extends Record<string, RouteContract>>(section: Section<T>) => {
  const routes = Object.entries(section.routes).map(([id, route]) => [
    id,
    { ...route, ...(EXAMPLES[id] && { examples: EXAMPLES[id] }) },
  ]);
  return { ...section, routes: Object.fromEntries(routes) as { [K in keyof T]: Widened<T[K]> } };
};
