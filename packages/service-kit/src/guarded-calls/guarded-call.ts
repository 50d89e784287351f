import { lookup } from 'node:dns';
import { once } from 'node:events';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import got, { type Response } from 'got';
import { readCapped } from '../resilience/bounded.ts';
import { parseRetryAfterMs } from '../resilience/retry.ts';
import { inHttpCall } from '../tracing/spans.ts';
import {
  type AddressPolicy,
  createGuardedLookup,
  findLiteralAddress,
  isAddressAllowed,
  type ResolveAll,
} from './address-policy.ts';
import { createDnsLookup } from './dns-lookup.ts';

const DEFAULT_MAX_BODY_BYTES = 20_000;
/** Longest call, from the look-up of the name to the last byte of the response, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 15_000;

/** Shortest wait that a receiver may ask for, in milliseconds. */
const SHORTEST_RETRY_AFTER_MS = 1_000;
/** How long a connection is kept for the next call, in milliseconds; Node's own default. */
const KEEP_ALIVE_MS = 5_000;

/** The call failed. The message names neither address nor body: addresses are often secret. */
export class GuardedCallError extends Error {
  override readonly name = 'GuardedCallError';
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(`the call failed: ${code}`, options);
    this.code = code;
  }
}

export interface GuardedResponse {
  status: number;
  /** After how long it wants to be called again; undefined when it does not say so. */
  retryAfterMs: number | undefined;
  contentType: string | undefined;
  /** Where it redirects to, as the receiver wrote it. */
  location: string | undefined;
  /** Undefined where it broke off, was too large or took too long. */
  body: Buffer | undefined;
}

/** Makes one call, a POST where it has a body, and resolves to the response, whatever its status. */
export type GuardedCall = (
  url: string,
  call: { headers: Record<string, string>; body?: string | Buffer },
) => Promise<GuardedResponse>;

const toCallError = (error: unknown, signal: AbortSignal): GuardedCallError => {
  if (signal.aborted) return new GuardedCallError('timeout');
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  // got's own error holds the whole request; its cause doesn't.
  return new GuardedCallError(code, { cause: error instanceof Error ? error.cause : undefined });
};

/**
 * Prepares calls to addresses that nobody here has chosen: no redirects, no retries of its own, no cookies, one time limit
 * for the whole call, and no address that the policy refuses.
 *
 * @param options.peer - what is called, as spans show it
 * @param options.isOperators - whether the operator chose the address: it may be seen in spans, is sent the trace, and its
 *   name is looked up as the system does, which may take threads
 * @param options.keepsConnections - whether a connection is kept for the next call
 * @param options.certificateAuthority - trusted in place of those that the system trusts; PEM
 * @throws {GuardedCallError} from the calls, when there is no response or the address may not be called
 */
export const createGuardedCall = (options: {
  policy: AddressPolicy;
  peer: string;
  isOperators?: boolean;
  keepsConnections: boolean;
  timeoutMs?: number | undefined;
  resolveAll?: ResolveAll | undefined;
  maxBodyBytes?: number;
  certificateAuthority?: string | undefined;
}): GuardedCall => {
  const { policy, peer, isOperators = false, keepsConnections, certificateAuthority } = options;
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBodyBytes = DEFAULT_MAX_BODY_BYTES } = options;
  const { resolveAll = isOperators ? lookup : createDnsLookup() } = options;
  const dnsLookup = createGuardedLookup(policy, resolveAll);

  // The global agents may use a proxy (NODE_USE_ENV_PROXY), which would look the name up unguarded.
  const agentOptions = keepsConnections ? { keepAlive: true, timeout: KEEP_ALIVE_MS } : { keepAlive: false };
  const agent = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) };

  const make = async (
    url: string,
    {
      method,
      headers,
      body,
    }: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string | Buffer },
  ): Promise<GuardedResponse> => {
    // An IP address in the URL is never looked up.
    const literal = findLiteralAddress(url);
    if (literal !== undefined && !isAddressAllowed(literal, policy))
      throw new GuardedCallError('address_refused');
    const signal = AbortSignal.timeout(timeoutMs);
    const stream = got.stream(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      signal,
      agent,
      dnsLookup,
      retry: { limit: 0 },
      followRedirect: false,
      throwHttpErrors: false,
      decompress: false,
      https: { rejectUnauthorized: true, ...(certificateAuthority && { certificateAuthority }) },
    });
    try {
      const [response] = (await once(stream, 'response')) as [Response];
      // A body that breaks off or never ends does not hide the status. It is drained (capped), so that the connection
      // can be reused.
      const received = await readCapped(stream, maxBodyBytes).catch(() => undefined);
      const { 'retry-after': retryAfter, 'content-type': contentType, location } = response.headers;
      return {
        status: response.statusCode,
        retryAfterMs: parseRetryAfterMs(retryAfter, Date.now(), SHORTEST_RETRY_AFTER_MS),
        contentType,
        location,
        body: received,
      };
    } catch (error) {
      throw toCallError(error, signal);
    }
  };

  return (url, { headers, ...call }) => {
    const method = call.body === undefined ? 'GET' : 'POST';
    return inHttpCall({ method, peer, ...(isOperators && { url }) }, async (span) => {
      const response = await make(url, {
        ...call,
        method,
        headers: isOperators ? { ...headers, ...span.headers } : headers,
      });
      span.responded(response.status);
      return response;
    });
  };
};
