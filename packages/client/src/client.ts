import { ProblemError, UnexpectedResponseError, UnreachableError } from './errors.ts';
import type { Operations, Problem } from './operations.ts';
import { withRetries } from './retries.ts';
import { type ClientRoute, ROUTES } from './route-table.ts';

const DEFAULT_TIME_LIMIT_MS = 120_000;
/** Timers take no more; such a limit is none. */
const LONGEST_TIME_LIMIT_MS = 2 ** 31 - 1;
const DEFAULT_RETRIES = 3;
const KEY_BYTES = 16;
const NO_CONTENT = 204;
const NOT_MODIFIED = 304;

/** The operations of the API, as `operationId` names them in its OpenAPI document. */
export type OperationId = keyof Operations;

export interface CallOptions {
  /** Aborts the call, which then rejects with the reason of the signal, an `AbortError` by default. */
  signal?: AbortSignal | undefined;
  /** For this call with all its attempts. Unit: milliseconds; `Infinity` is none. */
  timeLimitMs?: number;
}

/** What an operation takes. Where it takes an `idempotencyKey`, one is made for each call that names none. */
export type RequestOf<K extends OperationId> = Operations[K]['request'] & CallOptions;
/** What an operation returns. */
export type ResponseOf<K extends OperationId> = Operations[K]['response'];

/** One method for each operation of the API. */
export type ApiClient = {
  [K in OperationId]: CallOptions extends RequestOf<K>
    ? (request?: RequestOf<K>) => Promise<ResponseOf<K>>
    : (request: RequestOf<K>) => Promise<ResponseOf<K>>;
};

export interface ClientOptions {
  /** Of the API, for example `https://api.example.com`. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer`, or a function that returns it for each attempt. Without one, cookies are sent. */
  token?: string | (() => string | Promise<string>);
  /** For each call with all its attempts. Unit: milliseconds; 120,000 by default; `Infinity` is none. */
  timeLimitMs?: number;
  /** How often a call that is safe to repeat is repeated after errors that pass: 3 times by default. */
  retries?: number;
  /** Called with every error, before the caller receives it. */
  onError?: (error: unknown) => void;
  fetch?: typeof fetch;
}

interface LooseRequest extends CallOptions {
  query?: Record<string, unknown>;
  body?: unknown;
  params?: Record<string, string>;
  idempotencyKey?: string;
}

/** A new `Idempotency-Key`. Works on plain HTTP, too, where browsers offer no `crypto.randomUUID`. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

const toUrl = (baseUrl: string, route: ClientRoute, request: LooseRequest): URL => {
  const path = route.path.replace(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(request.params?.[name] ?? ''),
  );
  const url = new URL(baseUrl.replace(/\/$/, '') + path);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
};

interface Attempt {
  token: string | undefined;
  /** Of the response that is at hand already. */
  knownTag: string | undefined;
  signal: AbortSignal | undefined;
}

/** What `fetch` says of a token that no header can carry has the token in it. */
const toAuthorization = (token: string): string => {
  const trimmed = token.trim();
  if (!/^[\x21-\x7e]+$/.test(trimmed)) throw new TypeError('The token is empty, or no header can carry it.');
  return `Bearer ${trimmed}`;
};

const toInit = (route: ClientRoute, request: LooseRequest, attempt: Attempt): RequestInit => {
  const headers = new Headers({ accept: 'application/json, application/problem+json' });
  if (attempt.token !== undefined) headers.set('authorization', toAuthorization(attempt.token));
  if (attempt.knownTag !== undefined) headers.set('if-none-match', attempt.knownTag);
  const init: RequestInit = {
    method: route.method.toUpperCase(),
    credentials: attempt.token === undefined ? 'include' : 'omit',
    headers,
    signal: attempt.signal ?? null,
  };
  if (route.method === 'get') return init;
  // The API takes state-changing requests only as JSON: a form of another site cannot send that.
  headers.set('content-type', 'application/json');
  if (request.idempotencyKey !== undefined) headers.set('idempotency-key', request.idempotencyKey);
  return { ...init, body: JSON.stringify(request.body ?? {}) };
};

/** @returns the seconds of a `Retry-After`, which is a number of them or a date */
const readRetryAfter = (response: Response): number | undefined => {
  const text = response.headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
};

const parseBody = (response: Response, text: string): unknown => {
  if (response.status === NO_CONTENT) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnexpectedResponseError(response.status, error);
  }
};

const isProblemDocument = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'status' in body && 'detail' in body;

const toError = (response: Response, body: unknown): Error =>
  isProblemDocument(body)
    ? new ProblemError(body, readRetryAfter(response))
    : new UnexpectedResponseError(response.status);

/** The signal of the caller and the time limit as one. */
const withTimeLimit = (signal: AbortSignal | undefined, timeLimitMs: number): AbortSignal | undefined => {
  if (timeLimitMs > LONGEST_TIME_LIMIT_MS) return signal;
  const limit = AbortSignal.timeout(timeLimitMs);
  return signal ? AbortSignal.any([signal, limit]) : limit;
};

/**
 * The typed client of the API: `client.listEmails({ query: { unread: true } })`. It takes responses as they are.
 *
 * It repeats calls that are safe to repeat, which are those that only read and those with an `Idempotency-Key`, after a
 * lost connection, 429, 502, 503 and 504. It waits longer each time, and as long as `Retry-After` says, up to a minute.
 *
 * @throws ProblemError, UnreachableError or UnexpectedResponseError from every method
 */
export const createClient = (options: ClientOptions): ApiClient => {
  const fetchFunction = options.fetch ?? globalThis.fetch.bind(globalThis);
  /** The last response of each conditional route. */
  const known = new Map<OperationId, { href: string; tag: string; body: unknown }>();

  const attempt = async (id: OperationId, request: LooseRequest, signal: AbortSignal | undefined) => {
    const route: ClientRoute = ROUTES[id];
    const url = toUrl(options.baseUrl, route, request);
    const last = known.get(id);
    const same = last?.href === url.href ? last : undefined;
    const token = typeof options.token === 'function' ? await options.token() : options.token;
    const init = toInit(route, request, { token, knownTag: same?.tag, signal });
    let response: Response;
    let text: string;
    try {
      response = await fetchFunction(url, init);
      if (same && response.status === NOT_MODIFIED) return same.body;
      text = await response.text();
    } catch (error) {
      throw new UnreachableError(error);
    }
    const body = parseBody(response, text);
    if (!response.ok) throw toError(response, body);
    const tag = route.conditional && response.headers.get('etag');
    if (tag) known.set(id, { href: url.href, tag, body });
    return body;
  };

  const call = async (id: OperationId, given: LooseRequest): Promise<unknown> => {
    const { method, idempotent }: ClientRoute = ROUTES[id];
    const request = idempotent
      ? { ...given, idempotencyKey: given.idempotencyKey ?? newIdempotencyKey() }
      : given;
    const limitMs = given.timeLimitMs ?? options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
    const signal = withTimeLimit(given.signal, limitMs);
    const retries = method === 'get' || idempotent ? (options.retries ?? DEFAULT_RETRIES) : 0;
    try {
      return await withRetries(() => attempt(id, request, signal), { retries, signal });
    } catch (failure) {
      const error: unknown = given.signal?.aborted ? given.signal.reason : failure;
      options.onError?.(error);
      throw error;
    }
  };

  const methods = (Object.keys(ROUTES) as OperationId[]).map((id) => [
    id,
    (request: LooseRequest = {}) => call(id, request),
  ]);
  return Object.fromEntries(methods) as ApiClient;
};
