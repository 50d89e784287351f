import type { API_ROUTES, Problem, RouteContract } from '@mailsweep/contracts';
import type { z } from 'zod';
import { ProblemError, UnexpectedResponseError, UnreachableError } from './api-errors.ts';
import { sendWhenOnline } from './connection.ts';
import { whileInFlight } from './in-flight.ts';

type Routes = typeof API_ROUTES;
export type RouteName = keyof Routes;

type ClientRoute = Pick<RouteContract, 'method' | 'path' | 'idempotent' | 'conditional'>;
/** The routes of the contract without their schemas; `vite.config.ts` fills them in. */
declare const __CLIENT_ROUTES__: Record<RouteName, ClientRoute>;
const ROUTES = __CLIENT_ROUTES__;

const NO_CONTENT = 204;
const NOT_MODIFIED = 304;

type QueryOf<R> = R extends { query: infer S extends z.ZodType } ? { query?: Partial<z.output<S>> } : unknown;
type BodyOf<R> = R extends { body: infer S extends z.ZodType } ? { body: z.input<S> } : unknown;
type ParamsOf<R> = R extends { params: infer S extends z.ZodType } ? { params: z.input<S> } : unknown;

type KeyOf<R> = R extends { idempotent: true }
  ? {
      /** The same for each time that one gesture of the user sends this very request. */
      idempotencyKey: string;
    }
  : unknown;

/** What a route takes; numbers and booleans instead of the text of a URL. */
export type RequestOf<K extends RouteName> = QueryOf<Routes[K]> &
  BodyOf<Routes[K]> &
  ParamsOf<Routes[K]> &
  KeyOf<Routes[K]> & { signal?: AbortSignal };
/** What a route returns. */
export type ResponseOf<K extends RouteName> = z.output<Routes[K]['response']>;

/** One method for each route of the contract. */
export type ApiClient = { [K in RouteName]: (request: RequestOf<K>) => Promise<ResponseOf<K>> };

interface LooseRequest {
  query?: Record<string, unknown>;
  body?: unknown;
  params?: Record<string, string>;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

const toUrl = (apiOrigin: string, route: ClientRoute, request: LooseRequest): URL => {
  const path = route.path.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(request.params?.[name] ?? ''),
  );
  const url = new URL(path, apiOrigin);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
};

/** @param knownTag - of the response that is at hand already */
const toInit = (route: ClientRoute, request: LooseRequest, knownTag: string | undefined): RequestInit => {
  const init: RequestInit = {
    method: route.method.toUpperCase(),
    credentials: 'include',
    headers: {
      accept: 'application/json, application/problem+json',
      ...(knownTag !== undefined && { 'if-none-match': knownTag }),
    },
    signal: request.signal ?? null,
  };
  if (route.method === 'get') return init;
  // The API takes state-changing requests only as JSON: a form of another site cannot send that.
  return {
    ...init,
    headers: {
      ...init.headers,
      'content-type': 'application/json',
      ...(request.idempotencyKey !== undefined && { 'idempotency-key': request.idempotencyKey }),
    },
    body: JSON.stringify(request.body ?? {}),
  };
};

const readJson = async (response: Response): Promise<unknown> => {
  if (response.status === NO_CONTENT) return undefined;
  try {
    return await response.json();
  } catch (error) {
    throw new UnexpectedResponseError(response.status, error);
  }
};

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'status' in body && 'detail' in body;

const toError = (response: Response, body: unknown): Error =>
  isProblem(body) ? new ProblemError(body) : new UnexpectedResponseError(response.status);

/**
 * Sends a request with the session cookie and translates every error to those of `api-errors.ts`.
 * An aborted request rejects with the browser's own `AbortError`.
 */
const send = async (fetchFunction: typeof fetch, url: URL, init: RequestInit): Promise<Response> => {
  try {
    return await fetchFunction(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new UnreachableError(error);
  }
};

/**
 * The typed client of the API, made from the contract's route table. It takes responses as they are, for they come from the
 * API of its own origin.
 *
 * @param input.apiOrigin - for example `http://localhost:3000`
 * @param input.onError - called with every error, before the caller receives it
 * @throws ProblemError, UnreachableError or UnexpectedResponseError from every method
 */
export const createApiClient = (input: {
  apiOrigin: string;
  fetch?: typeof fetch;
  onError?: (error: unknown) => void;
}): ApiClient => {
  const fetchFunction = input.fetch ?? globalThis.fetch.bind(globalThis);
  /** The last response of each conditional route. */
  const known = new Map<RouteName, { href: string; tag: string; body: unknown }>();
  const call = async (name: RouteName, request: LooseRequest): Promise<unknown> => {
    const route = ROUTES[name];
    const respond = () =>
      whileInFlight(async () => {
        const url = toUrl(input.apiOrigin, route, request);
        const last = known.get(name);
        const same = last?.href === url.href ? last : undefined;
        const response = await send(fetchFunction, url, toInit(route, request, same?.tag));
        if (same && response.status === NOT_MODIFIED) return same.body;
        const body = await readJson(response);
        if (!response.ok) throw toError(response, body);
        const tag = route.conditional && response.headers.get('etag');
        if (tag) known.set(name, { href: url.href, tag, body });
        return body;
      });
    return route.idempotent ? sendWhenOnline(request.idempotencyKey ?? '', respond) : respond();
  };
  const methods = (Object.keys(ROUTES) as RouteName[]).map((name) => [
    name,
    (request: LooseRequest) =>
      call(name, request).catch((error: unknown) => {
        input.onError?.(error);
        throw error;
      }),
  ]);
  return Object.fromEntries(methods) as ApiClient;
};

/** Which sessions a sign-out ends: this browser's, or every one that the user has anywhere. */
export type SignOutReach = 'here' | 'everywhere';

const SIGN_OUT_PATHS: Record<SignOutReach, string> = {
  here: '/auth/logout',
  everywhere: '/auth/logout-everywhere',
};

/** Ends sessions on the server, which also clears the cookie. @throws as the client's methods do */
export const signOut = async (
  apiOrigin: string,
  reach: SignOutReach,
  fetchFunction: typeof fetch = fetch,
): Promise<void> => {
  const response = await send(fetchFunction, new URL(SIGN_OUT_PATHS[reach], apiOrigin), {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok && response.status !== 401) throw new UnexpectedResponseError(response.status);
};
