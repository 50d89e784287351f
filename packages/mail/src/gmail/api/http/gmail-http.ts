import { MailboxError } from '@mailsweep/mail/mailbox';
import { methodOf, type QuotaGovernor } from '@mailsweep/mail/quota';
import { HttpExchangeError, type HttpResponse, parseJson } from '@mailsweep/service-kit/http-client';
import type { z } from 'zod';
import { type GmailRequest, namesItem, toHeaders, toRoot, toTarget } from '../gmail-requests.ts';
import { createBatchedReads, type Read } from './batched-reads.ts';
import { type Attempt, beginGmailCall, type GmailCallDependencies } from './gmail-call.ts';
import { toExchangeError, toResponseError, withoutItem } from './gmail-errors.ts';
import { exchangeWithGmail } from './gmail-exchange.ts';

export interface GmailHttpOptions extends GmailCallDependencies {
  /** Address of the Gmail API; a path in it is preserved. */
  baseUrl: string;
  /** Keeps the calls of all of this user's mailboxes within the provider's limits. */
  governor: QuotaGovernor;
  userId: string;
  /** Whether messages that are read at the same moment are asked for in one batch. */
  batchReads: boolean;
  callTimeoutMs: number;
  /** For `messages.batchModify`, which changes up to 1,000 messages. */
  batchModifyTimeoutMs: number;
  maxResponseBytes: number;
}

/** The requests that one call of the port makes; they share one retry budget. */
export interface GmailSession {
  /** @throws {MailboxError} for any failure, an unreadable response included */
  send<T>(request: GmailRequest<T>): Promise<T>;
  /** Waits, in milliseconds, for something to show at Gmail. */
  pause(delayMs: number): Promise<void>;
}

export interface GmailHttp {
  /** Does the work of one call of the port. Requests that it leaves behind when it fails are no longer sent. */
  withSession<T>(work: (session: GmailSession) => Promise<T>): Promise<T>;
}

export const BATCH_PATH = '/batch/gmail/v1';

const readResponse = <T>(text: string, schema: z.ZodType<T>): T => {
  try {
    return schema.parse(parseJson(text));
  } catch (cause) {
    throw new MailboxError('mailbox_unavailable', 'Gmail sent a response that could not be read', { cause });
  }
};

/**
 * Creates the way to the Gmail API, which turns every failure into a {@link MailboxError}. It opens nothing that
 * needs closing.
 *
 * @throws {TypeError} when `baseUrl` is no URL
 */
export const createGmailHttp = (options: GmailHttpOptions): GmailHttp => {
  const { maxResponseBytes, priority } = options;
  const root = toRoot(options.baseUrl);

  const toAttempt = (response: HttpResponse): Attempt => {
    const isSuccess = response.status >= 200 && response.status <= 299;
    return isSuccess ? { text: response.text } : { error: toResponseError(response, options.clock.nowMs()) };
  };
  const toFailedAttempt = (error: unknown): Attempt => {
    if (error instanceof HttpExchangeError) return { error: toExchangeError(error) };
    throw error;
  };

  const attemptAlone = async (
    request: Pick<GmailRequest<unknown>, 'method' | 'body'> & Read,
    timeoutMs: number,
  ) => {
    try {
      const response = await exchangeWithGmail({
        method: request.method,
        url: new URL(`${root}${request.target}`),
        headers: { ...toHeaders(request.token), accept: 'application/json' },
        body: request.body,
        timeoutMs,
        maxResponseBytes,
      });
      return toAttempt(response);
    } catch (error) {
      return toFailedAttempt(error);
    }
  };

  const reads = createBatchedReads({
    postBatch: (text, boundary, token) =>
      exchangeWithGmail({
        method: 'POST',
        url: new URL(`${root}${BATCH_PATH}`),
        headers: { ...toHeaders(token), 'content-type': `multipart/mixed; boundary=${boundary}` },
        text,
        timeoutMs: options.callTimeoutMs,
        maxResponseBytes,
      }),
    attemptAlone: (read) => attemptAlone({ ...read, method: 'GET', body: undefined }, options.callTimeoutMs),
    toAttempt,
    toFailedAttempt,
  });

  const attempt = async (request: GmailRequest<unknown>, token: string): Promise<Attempt> => {
    const { method, body } = request;
    const target = toTarget(request);
    const gmailMethod = methodOf(request);
    if (options.batchReads && gmailMethod === 'messages.get') return reads.attempt({ target, token });
    const isBatchModify = gmailMethod === 'messages.batchModify';
    const outcome = await attemptAlone(
      { method, target, token, body },
      isBatchModify ? options.batchModifyTimeoutMs : options.callTimeoutMs,
    );
    return 'error' in outcome && !namesItem(request) ? { error: withoutItem(outcome.error) } : outcome;
  };

  return {
    withSession: (work) =>
      options.governor.withUser(options.userId, async (quota) => {
        const call = beginGmailCall(options, quota);
        try {
          return await work({
            async send(request) {
              const text = await quota.whenRoom(priority, () =>
                call.run(quota.priceOf(request), (token) => attempt(request, token)),
              );
              return readResponse(text, request.response);
            },
            pause: (delayMs) => options.clock.sleep(delayMs),
          });
        } finally {
          call.close();
        }
      }),
  };
};
