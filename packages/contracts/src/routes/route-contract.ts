import { z } from 'zod';
import type { TokenScope } from '../account/token-scope.ts';
import type { ProblemCode } from '../problem-catalogue.ts';

/**
 * Who may call a route: everybody, a session, a session with a recent sign-in, or a session and every personal access
 * token with the scope.
 */
export type RouteAccess = 'public' | 'session' | 'recent_sign_in' | TokenScope;

/** The end of a route that has a better one; dates as `2027-01-31`, in UTC. */
export interface Deprecation {
  since: string;
  /** The day from which it may be gone, half a year after `since` at least. */
  sunset: string;
  /** What to call in its place, in Markdown: `` `GET /api/v1/emails` with `scope=all` ``. */
  instead: string;
}

/** One route. The server, its documentation and its clients share it. */
export interface RouteContract {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Absolute path; a parameter is in braces, as in OpenAPI. */
  path: `/api/v1/${string}`;
  access: RouteAccess;
  /**
   * What a token may do here that requires confirmation, where it has the scope `act` or `admin`: nothing by default, so
   * that no route is a way around it. `not_needed` changes nothing in the mailbox, or takes back or stops what was begun;
   * `asks` does it only once the user confirms it.
   */
  confirmation?: 'not_needed' | 'asks';
  /** Has no rate limit, and responds while the API is overloaded. */
  isUnlimited?: true;
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
  /** The problems of its own that it returns with 409: an example of the detail of each, by code. */
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

/** A type with all that is in it read-only, as inferred from a literal. */
type Frozen<T> = T extends (infer E)[]
  ? readonly Frozen<E>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T;
type Values<T> = T extends z.ZodType ? Frozen<z.input<T>> : undefined;
/** Parameters as the documentation types them: numbers and booleans, not the text of a URL. */
type Parameters<T> = T extends z.ZodType ? Frozen<Partial<z.output<T>>> : undefined;

interface ExamplesOf<C extends RouteContract> {
  params?: Values<C['params']>;
  query?: Parameters<C['query']>;
  bodies?: Record<string, Values<C['body']>>;
  responses?: Record<string, Values<C['response']>>;
}

/** Response without a body: status 204. */
export const NoContentSchema = z.undefined();

/** A section of the API reference with its routes, in reading order. */
export interface Section<T = Record<string, RouteContract>> {
  tag: string;
  description: string;
  routes: T;
}

/** A route whose type does not repeat its documentation. */
type Widened<C> = {
  [K in keyof C]: K extends 'summary' | 'description' | 'examples' | 'refuses' | 'deprecated'
    ? Exclude<RouteContract[K], undefined>
    : C[K];
};

/** Checks the examples of each route against the types of its schemas. */
export const defineSection = <const T extends Record<string, RouteContract>>(
  section: Section<T & { [K in keyof T]: { examples?: ExamplesOf<T[K]> } }>,
) => section as Section<{ [K in keyof T]: Widened<T[K]> }>;
