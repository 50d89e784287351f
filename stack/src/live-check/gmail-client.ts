import { setTimeout as delay } from 'node:timers/promises';
import { priceOf } from '@mailsweep/google-sandbox';
import { exponentialDelay } from '@mailsweep/service-kit/resilience';
import { z } from 'zod';
import type { Pacer } from './pacer.ts';

const USER_PATH = '/gmail/v1/users/me/';
/** Google publishes no duration for the longest call, a batchModify of 1,000 messages. */
const CALL_TIMEOUT_MS = 90_000;
const MAX_ATTEMPTS = 6;
const pauseMs = exponentialDelay({ firstMs: 1_000, longestMs: 30_000 });

const ErrorSchema = z.object({
  error: z.object({
    errors: z.array(z.object({ reason: z.string().default('') })).default([]),
  }),
});

export interface GmailRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path and query below the user's mailbox. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
}

export interface GmailResponse {
  status: number;
  headers: Headers;
  /** Parsed; undefined for an empty body. */
  body: unknown;
  tookMs: number;
}

/** Changes labels of several messages at once. */
export const toBatchModify = (
  ids: readonly string[],
  addLabelIds: string[],
  removeLabelIds: string[],
): GmailRequest => ({
  method: 'POST',
  path: 'messages/batchModify',
  body: { ids, addLabelIds, removeLabelIds },
});

/** A refusal that Gmail gave for quota, or with which it asked to slow down. */
export interface QuotaRefusal {
  status: number;
  reason: string;
  hasRetryAfter: boolean;
}

/** A call that had to succeed did not. The message holds no mail: status and reason alone. */
export class GmailCallError extends Error {
  override readonly name = 'GmailCallError';
  readonly status: number;
  readonly reason: string;

  constructor(request: GmailRequest, status: number, reason: string) {
    const [resource] = request.path.split(/[/?]/);
    super(`${request.method} ${resource} was answered ${status}${reason && ` (${reason})`}`);
    this.status = status;
    this.reason = reason;
  }
}

/** Google's reason for a refusal, such as `accessNotConfigured`; empty where there is none. */
export const reasonOf = ({ body }: Pick<GmailResponse, 'body'>): string => {
  const [first] = ErrorSchema.safeParse(body).data?.error.errors ?? [];
  return /^[A-Za-z]{1,60}$/.test(first?.reason ?? '') ? (first?.reason ?? '') : '';
};

export const isSuccess = ({ status }: Pick<GmailResponse, 'status'>): boolean =>
  status >= 200 && status < 300;

const isTransient = (response: GmailResponse): boolean =>
  response.status >= 500 || response.status === 429 || /rateLimit|quota/i.test(reasonOf(response));

/** The Gmail API as it is: whole responses, without the product's reading of them. */
export interface GmailClient {
  /** Makes one call, whatever comes of it. @throws when no response came */
  call(request: GmailRequest): Promise<GmailResponse>;
  /**
   * Makes a call that has to succeed; transient errors are retried.
   *
   * @returns the parsed body
   * @throws {GmailCallError}
   */
  must<T>(request: GmailRequest, schema: z.ZodType<T>): Promise<T>;
  /** Sends a batch of reads as the product does. */
  postBatch(
    text: string,
    boundary: string,
    units: number,
  ): Promise<{ status: number; text: string; contentType: string; tookMs: number }>;
  /** The quota refusals so far. */
  readonly refusals: readonly QuotaRefusal[];
}

/**
 * @param options.signal - ends all waiting. A call in flight is let finish: cut off, it might still change the mailbox
 *   after everything has been cleaned up
 */
export const createGmailClient = (options: {
  baseUrl: string;
  accessToken: string;
  pacer: Pacer;
  refusals?: QuotaRefusal[];
  signal?: AbortSignal | undefined;
}): GmailClient => {
  const { baseUrl, accessToken, pacer, signal, refusals = [] } = options;
  const authorization = `Bearer ${accessToken}`;

  const noteRefusal = (response: GmailResponse): void => {
    if (isSuccess(response) || !isTransient(response) || response.status >= 500) return;
    refusals.push({
      status: response.status,
      reason: reasonOf(response),
      hasRetryAfter: response.headers.has('retry-after'),
    });
  };

  const call = async ({ method, path, body }: GmailRequest): Promise<GmailResponse> => {
    const url = new URL(`${baseUrl}${USER_PATH}${path}`);
    await pacer.take(priceOf(method, url.pathname).units, signal);
    const startedMs = performance.now();
    const response = await fetch(url, {
      method,
      redirect: 'error',
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    });
    const text = await response.text();
    const tookMs = performance.now() - startedMs;
    const result = { status: response.status, headers: response.headers, body: parseJson(text), tookMs };
    noteRefusal(result);
    return result;
  };

  const attempt = async (request: GmailRequest): Promise<GmailResponse | undefined> => {
    try {
      return await call(request);
    } catch {
      signal?.throwIfAborted();
      return undefined;
    }
  };

  return {
    call,
    refusals,
    async must(request, schema) {
      for (let attempts = 1; ; attempts += 1) {
        const response = await attempt(request);
        if (response !== undefined && isSuccess(response)) return schema.parse(response.body);
        if (attempts === MAX_ATTEMPTS || (response !== undefined && !isTransient(response))) {
          throw new GmailCallError(
            request,
            response?.status ?? 0,
            response ? reasonOf(response) : 'no response',
          );
        }
        await delay(pauseMs(attempts), undefined, signal && { signal });
      }
    },
    async postBatch(text, boundary, units) {
      await pacer.take(units, signal);
      const startedMs = performance.now();
      const response = await fetch(`${baseUrl}/batch/gmail/v1`, {
        method: 'POST',
        headers: { authorization, 'content-type': `multipart/mixed; boundary=${boundary}` },
        body: text,
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      return {
        status: response.status,
        contentType: response.headers.get('content-type') ?? '',
        text: await response.text(),
        tookMs: performance.now() - startedMs,
      };
    },
  };
};

/** Undefined for what is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
