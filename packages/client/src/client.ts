import { ProblemError, UnexpectedResponseError, UnreachableError } from './errors.ts';
import type { Operations, Problem } from './operations.ts';
import { withRetries } from './retries.ts';
import { type ClientRoute, ROUTES } from './route-table.ts';

const DEFAULT_TIME_LIMIT_MS = 120_000;
/** The most that timers take. */
const LONGEST_TIME_LIMIT_MS = 2 ** 31 - 1;
const DEFAULT_RETRIES = 3;
const KEY_BYTES = 16;
const NO_CONTENT = 204;
const NOT_MODIFIED = 304;

/** The operations of the API, as `operationId` names them in its OpenAPI document. */
export type OperationId = keyof Operations;

export interface CallOptions {
  /** Aborts the call, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds for this call with all attempts; `Infinity`: no limit. */
  timeLimitMs?: number;
}

/** What an operation takes. A call without an `idempotencyKey` gets one. */
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
  /** Such as `https://api.example.com`. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer`; a function is called for each attempt. Without one, cookies are sent. */
  token?: string | (() => string | Promise<string>);
  /** The number of the mailbox to work in, of `listMailboxes`; by default that of the sign-in or the token. */
  mailbox?: number | undefined;
  /** Milliseconds for each call with all attempts: 120,000 by default; `Infinity`: no limit. */
  timeLimitMs?: number;
  /** Most repetitions of a safe call after passing errors: 3 by default. */
  retries?: number;
  /** Sees every error before the caller. */
  onError?: (error: unknown) => void;
  fetch?: typeof fetch;
}

interface LooseRequest extends CallOptions {
  query?: Record<string, unknown>;
  body?: unknown;
  params?: Record<string, string>;
  idempotencyKey?: string;
}

/** A new `Idempotency-Key`. On plain HTTP browsers offer no `crypto.randomUUID`. */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/**
 * Refuses what nothing would read, such as a filter beside `query`: the call would find everything.
 *
 * @throws TypeError
 */
export const refuseOthers = (given: object, known: readonly string[], what: string): void => {
  const stray = Object.keys(given).find((name) => !known.includes(name));
  if (stray !== undefined) throw new TypeError(`${what} takes no ${stray}, only ${known.join(', ')}.`);
};

const toPathPart = (name: string, value: unknown): string => {
  // Otherwise it is the path of another operation.
  if (typeof value === 'string' && !['', '.', '..'].includes(value)) return encodeURIComponent(value);
  throw new TypeError(`The parameter ${name} has to be a text that can be part of a path.`);
};

const toUrl = (baseUrl: string, route: ClientRoute, request: LooseRequest): URL => {
  const path = route.path.replace(/\{(\w+)\}/g, (_match, name: string) =>
    toPathPart(name, request.params?.[name]),
  );
  const url = new URL(baseUrl.replace(/\/$/, '') + path);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value === undefined) continue;
    if (typeof value === 'object') throw new TypeError(`The parameter ${name} takes one value.`);
    url.searchParams.set(name, String(value));
  }
  return url;
};

interface Attempt {
  token: string | undefined;
  mailbox: number | undefined;
  /** Of the last response. */
  knownTag: string | undefined;
  signal: AbortSignal | undefined;
}

/** The error of `fetch` about an invalid header repeats the token. */
const toAuthorization = (token: string): string => {
  const trimmed = token.trim();
  if (!/^[\x21-\x7e]+$/.test(trimmed)) throw new TypeError('The token is empty, or no header can carry it.');
  return `Bearer ${trimmed}`;
};

const toInit = (route: ClientRoute, request: LooseRequest, attempt: Attempt): RequestInit => {
  const headers = new Headers({ accept: 'application/json, application/problem+json' });
  if (attempt.token !== undefined) headers.set('authorization', toAuthorization(attempt.token));
  if (attempt.mailbox !== undefined) headers.set('mailsweep-mailbox', String(attempt.mailbox));
  if (attempt.knownTag !== undefined) headers.set('if-none-match', attempt.knownTag);
  const init: RequestInit = {
    method: route.method.toUpperCase(),
    credentials: attempt.token === undefined ? 'include' : 'omit',
    headers,
    signal: attempt.signal ?? null,
  };
  if (route.method === 'get') return init;
  // The API takes changes as JSON only, which a form of another site cannot send.
  headers.set('content-type', 'application/json');
  if (request.idempotencyKey !== undefined) headers.set('idempotency-key', request.idempotencyKey);
  return { ...init, body: JSON.stringify(request.body ?? {}) };
};

/** @returns the seconds of a `Retry-After` in seconds or as a date */
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
 * The typed client of the API: `client.listEmails({ query: { unread: true } })`. It does not check responses.
 *
 * It repeats reads and calls with an `Idempotency-Key` after a lost connection, 429, 502, 503 and 504, unless the mail
 * provider refuses them. It waits longer each time, and as long as `Retry-After` says, up to a minute.
 *
 * @throws ProblemError, UnreachableError or UnexpectedResponseError from every method
 */
export const createClient = (options: ClientOptions): ApiClient => {
  const taken = ['baseUrl', 'token', 'mailbox', 'timeLimitMs', 'retries', 'onError', 'fetch'];
  refuseOthers(options, taken, 'createClient');
  const fetchFunction = options.fetch ?? globalThis.fetch.bind(globalThis);
  /** The last response of each conditional route. */
  const known = new Map<OperationId, { href: string; tag: string; body: unknown }>();

  const attempt = async (id: OperationId, request: LooseRequest, signal: AbortSignal | undefined) => {
    const route: ClientRoute = ROUTES[id];
    const url = toUrl(options.baseUrl, route, request);
    const last = known.get(id);
    const same = last?.href === url.href ? last : undefined;
    const token = typeof options.token === 'function' ? await options.token() : options.token;
    const init = toInit(route, request, { token, mailbox: options.mailbox, knownTag: same?.tag, signal });
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
    const { method, path, idempotent }: ClientRoute = ROUTES[id];
    const params = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const parts = params.length > 0 ? ['params', 'query'] : ['query'];
    if (method !== 'get') parts.push('body');
    if (idempotent) parts.push('idempotencyKey');
    refuseOthers(given, [...parts, 'signal', 'timeLimitMs'], id);
    refuseOthers(given.params ?? {}, params, `${id}: params`);
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
