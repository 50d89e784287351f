import pLimit from 'p-limit';
import type { z } from 'zod';
import { type Attempt, beginGmailCall, type GmailCallDependencies } from './gmail-call.ts';
import { toExchangeFault, toRefusalFault } from './gmail-errors.ts';
import { exchange, HttpExchangeError } from './http-exchange.ts';
import { MailboxError } from './mailbox.ts';
import { parseJson } from './parse-json.ts';

export interface GmailHttpOptions extends GmailCallDependencies {
  /** Address of the Gmail API; a path in it is kept. */
  baseUrl: string;
  /** Most requests in flight at a time, over all calls. */
  concurrency: number;
  /** How long one attempt may take. */
  callTimeoutMs: number;
  maxResponseBytes: number;
}

export interface GmailRequest<T> {
  method: 'GET' | 'POST';
  /** Path below the mailbox of the signed-in person, its parts already encoded. */
  path: string;
  query?: URLSearchParams;
  /** Sent as JSON. */
  body?: unknown;
  /** What a good answer looks like. */
  answer: z.ZodType<T>;
}

/** The requests that one call of the port makes; they share one retry budget. */
export interface GmailSession {
  /** @throws {MailboxError} for any failure, an answer that does not read as it should included */
  send<T>(request: GmailRequest<T>): Promise<T>;
}

export interface GmailHttp {
  /** Does the work of one call of the port. Requests that it leaves behind when it fails are no longer sent. */
  withSession<T>(work: (session: GmailSession) => Promise<T>): Promise<T>;
}

const USER_PATH = '/gmail/v1/users/me/';
// Google compresses its answers only for a client whose name says gzip (Gmail API, "Improve performance").
const USER_AGENT = 'mailsweep (gzip)';

const readAnswer = <T>(text: string, schema: z.ZodType<T>): T => {
  try {
    return schema.parse(parseJson(text));
  } catch (cause) {
    // Also a RangeError, for an answer nested too deep to walk.
    throw new MailboxError('mailbox_unavailable', 'Gmail gave an answer that could not be read', { cause });
  }
};

/**
 * Creates the way to the Gmail API, which turns every failure into a {@link MailboxError}. It opens nothing that
 * needs closing.
 *
 * @throws {TypeError} when `baseUrl` is no URL
 */
export const createGmailHttp = (options: GmailHttpOptions): GmailHttp => {
  const root = `${new URL(options.baseUrl).href.replace(/\/+$/, '')}${USER_PATH}`;
  const limit = pLimit(options.concurrency);

  const attempt = async (request: GmailRequest<unknown>, token: string): Promise<Attempt> => {
    const url = new URL(`${root}${request.path}`);
    if (request.query) url.search = request.query.toString();
    try {
      const answer = await exchange({
        method: request.method,
        url,
        headers: { authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': USER_AGENT },
        body: request.body,
        timeoutMs: options.callTimeoutMs,
        maxResponseBytes: options.maxResponseBytes,
      });
      const isSuccess = answer.status >= 200 && answer.status <= 299;
      return isSuccess ? { text: answer.text } : { fault: toRefusalFault(answer, options.clock.nowMs()) };
    } catch (error) {
      if (error instanceof HttpExchangeError) return { fault: toExchangeFault(error) };
      throw error;
    }
  };

  return {
    async withSession(work) {
      const call = beginGmailCall(options);
      try {
        return await work({
          async send(request) {
            const text = await limit(() => call.settle((token) => attempt(request, token)));
            return readAnswer(text, request.answer);
          },
        });
      } finally {
        call.close();
      }
    },
  };
};
