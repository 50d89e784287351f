import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { priceOf } from '@mailsweep/google-sandbox';
import { type GmailRequest, toMessageRequest } from '@mailsweep/mail/gmail/api';
import {
  BATCH_PATH,
  decodeBatch,
  encodeBatch,
  exchangeWithGmail,
  GoogleErrorSchema,
  toHeaders,
  toResponseError,
  toRoot,
  toTarget,
} from '@mailsweep/mail/gmail/protocol';
import { createMemoryQuotaStore, DEFAULT_QUOTA_PRICES } from '@mailsweep/mail/quota';
import {
  HttpExchangeError,
  type HttpRequest,
  type HttpResponse,
  parseJson,
} from '@mailsweep/service-kit/http-client';
import { retry } from '@mailsweep/service-kit/resilience';
import { z } from 'zod';

/** Google publishes no duration for the longest call, a batchModify of 1,000 messages. */
const CALL_TIMEOUT_MS = 90_000;
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
export const READ_UNITS = DEFAULT_QUOTA_PRICES['messages.get'];

/** A request of the product, or one that only these tests make. */
export interface LiveRequest<T = unknown> extends Omit<GmailRequest<T>, 'method'> {
  method: GmailRequest<T>['method'] | 'DELETE';
}

export type GmailResponse = HttpResponse & { tookMs: number };

export const toDeleteRequest = (path: string): LiveRequest => ({
  method: 'DELETE',
  path,
  response: z.unknown(),
});

/** Google's reason for a refusal, such as `accessNotConfigured`; empty where there is none. */
const reasonOf = (text: string): string => {
  const [first] = GoogleErrorSchema.safeParse(parseJson(text)).data?.error.errors ?? [];
  return /^[A-Za-z]{1,60}$/.exec(first?.reason ?? '')?.[0] ?? '';
};

/** Status and reason, such as `403 accessNotConfigured`. */
export const describeResponse = ({ status, text }: HttpResponse): string =>
  `${status} ${reasonOf(text)}`.trim();

export const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;

/** A call that had to succeed did not. The message holds no mail: status and reason alone. */
export class GmailCallError extends Error {
  override readonly name = 'GmailCallError';
  readonly isTransient: boolean;

  constructor({ method, path }: LiveRequest, response: HttpResponse) {
    const [resource] = path.split('/');
    const reason = reasonOf(response.text);
    super(`${method} ${resource} was answered ${response.status}${reason && ` (${reason})`}`);
    this.isTransient = toResponseError(response, Date.now()).remedy === 'retry';
  }
}

const isTransient = (error: unknown): boolean =>
  error instanceof HttpExchangeError || (error instanceof GmailCallError && error.isTransient);

/** The Gmail API as it is: whole responses, without the product's reading of them. */
export interface GmailClient {
  /** Makes one call, whatever comes of it. @throws HttpExchangeError when no response came */
  call(request: LiveRequest): Promise<GmailResponse>;
  /** Makes a call that has to succeed; transient errors are retried. @throws GmailCallError, HttpExchangeError */
  send<T>(request: LiveRequest<T>): Promise<T>;
  /** Reads messages in one batch, as the product does. A part is undefined when it has no response. */
  readBatch(ids: readonly string[]): Promise<GmailResponse & { parts: (HttpResponse | undefined)[] }>;
}

export interface GmailAccess {
  gmailUrl: string;
  accessToken: string;
  unitsPerMinute: number;
  /** What was used of the minute before, where another process or thread had the mailbox. */
  spentUnits?: number;
}

/**
 * Opens a mailbox. So many units pass in any minute, less than all that Google allows: the product may use the mailbox
 * at the same time.
 */
export const openGmail = (options: GmailAccess) => {
  const { unitsPerMinute, spentUnits = 0 } = options;
  const root = toRoot(options.gmailUrl);
  const store = createMemoryQuotaStore({ unitsPerMinute, interactiveReserve: 0 });
  const spent = store.take('', [Math.min(spentUnits, unitsPerMinute)], 'interactive');
  /** Refusals for quota, batches aside. */
  const refusals: string[] = [];
  const used = { units: 0 };

  /**
   * @param signal - ends all waiting. A call in flight is let finish: cut off, it might still change the mailbox after
   *   everything has been cleaned up
   */
  const createClient = (signal?: AbortSignal): GmailClient => {
    const takeUnits = async (units: number): Promise<void> => {
      signal?.throwIfAborted();
      await spent;
      const { granted, waitMs } = await store.take('', [units], 'interactive');
      if (granted === 0) {
        await delay(waitMs, undefined, signal && { signal });
        return takeUnits(units);
      }
      used.units += units;
    };

    const exchange = async (
      units: number,
      target: string,
      request: Pick<HttpRequest, 'method' | 'body' | 'text'>,
      headers: Record<string, string> = {},
    ): Promise<GmailResponse> => {
      await takeUnits(units);
      const startedMs = performance.now();
      const response = await exchangeWithGmail({
        ...request,
        url: new URL(`${root}${target}`),
        headers: { ...toHeaders(options.accessToken), ...headers },
        timeoutMs: CALL_TIMEOUT_MS,
        maxResponseBytes: MAX_RESPONSE_BYTES,
      });
      return { ...response, tookMs: performance.now() - startedMs };
    };

    const call = async (request: LiveRequest): Promise<GmailResponse> => {
      const { method, path, body } = request;
      const { units } = priceOf(method, `/${path}`);
      const response = await exchange(units, toTarget(request), { method, body });
      const isRefusal = !isSuccess(response) && toResponseError(response, Date.now()).code === 'rate_limited';
      const advice = response.retryAfter === undefined ? '' : ' with Retry-After';
      if (isRefusal) refusals.push(`${describeResponse(response)}${advice}`);
      return response;
    };

    return {
      call,
      send(request) {
        const attempt = async () => {
          const response = await call(request);
          if (!isSuccess(response)) throw new GmailCallError(request, response);
          return request.response.parse(parseJson(response.text));
        };
        return retry(attempt, { maxAttempts: 6, firstDelayMs: 1_000, isTransient, signal });
      },
      async readBatch(ids) {
        const boundary = `live_check_${randomUUID()}`;
        const parts = ids.map((id, index) => ({
          contentId: `${boundary}-${index}`,
          method: 'GET' as const,
          target: toTarget(toMessageRequest(id)),
        }));
        const request = { method: 'POST' as const, text: encodeBatch(parts, boundary) };
        const headers = { 'content-type': `multipart/mixed; boundary=${boundary}` };
        const response = await exchange(ids.length * READ_UNITS, BATCH_PATH, request, headers);
        const responses = decodeBatch(response.text, response.contentType);
        return { ...response, parts: parts.map(({ contentId }) => responses?.get(contentId)) };
      },
    };
  };

  return { createClient, refusals, used };
};
