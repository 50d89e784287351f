import { randomUUID } from 'node:crypto';
import { HttpExchangeError, type HttpResponse, RESPONSE_TOO_LARGE } from '@mailsweep/service-kit/http-client';
import { decodeBatch, encodeBatch } from './gmail-batch.ts';
import type { Attempt } from './gmail-call.ts';

/** Most requests in one batch. Each of them counts against the provider's limit of calls at a time. */
const MAX_BATCH = 25;

export interface Read {
  /** Path and query below the API's origin. */
  target: string;
  token: string;
}

interface PendingRead extends Read {
  resolve: (attempt: Attempt | Promise<Attempt>) => void;
}

/**
 * Reads that come within one turn of the event loop go out as one batch; a lone one goes out by itself. A response
 * belongs to the read whose Content-ID it carries. A read without one is worth another attempt, alone or with others
 * that failed. When the batch as a whole is refused or too large, its reads are made one by one.
 *
 * @param options.postBatch - makes one exchange with the batch endpoint
 * @param options.attemptAlone - attempts a read by itself
 * @param options.toAttempt - the outcome of a response
 * @param options.toFailedAttempt - the outcome when no response came
 */
export const createBatchedReads = (options: {
  postBatch: (body: string, boundary: string, token: string) => Promise<HttpResponse>;
  attemptAlone: (read: Read) => Promise<Attempt>;
  toAttempt: (response: HttpResponse) => Attempt;
  toFailedAttempt: (error: unknown) => Attempt;
}) => {
  const { postBatch, attemptAlone, toAttempt, toFailedAttempt } = options;
  let pending: PendingRead[] = [];
  let isRefused = false;

  const alone = (reads: readonly PendingRead[]): void => {
    for (const read of reads) read.resolve(attemptAlone(read));
  };

  const failAll = (reads: readonly PendingRead[], error: unknown): void => {
    for (const { resolve } of reads) resolve(Promise.reject(error));
  };

  const together = async (reads: readonly PendingRead[], token: string): Promise<void> => {
    const boundary = `batch_${randomUUID()}`;
    const parts = reads.map((read, index) => ({ read, contentId: `${boundary}-${index}` }));
    const body = encodeBatch(
      parts.map(({ read: { target }, contentId }) => ({ contentId, method: 'GET', target })),
      boundary,
    );
    let whole: HttpResponse;
    try {
      whole = await postBatch(body, boundary, token);
    } catch (error) {
      if (error instanceof HttpExchangeError && error.code === RESPONSE_TOO_LARGE) return alone(reads);
      for (const { resolve } of reads) resolve(toFailedAttempt(error));
      return;
    }
    const wholeAttempt = toAttempt(whole);
    const responses = 'text' in wholeAttempt ? decodeBatch(whole.text, whole.contentType) : undefined;
    const refusal = 'error' in wholeAttempt ? wholeAttempt.error : undefined;
    if (refusal !== undefined && refusal.remedy !== 'none') {
      for (const { resolve } of reads) resolve(wholeAttempt);
    } else if (responses === undefined) {
      // A stand-in for Gmail without batches.
      isRefused = true;
      alone(reads);
    } else {
      for (const { read, contentId } of parts) {
        const response = responses.get(contentId);
        read.resolve(response === undefined ? missingPart : toAttempt(response));
      }
    }
  };

  const flush = (): void => {
    const reads = pending;
    pending = [];
    for (const [token, sameToken] of Map.groupBy(reads, (read) => read.token)) {
      for (let from = 0; from < sameToken.length; from += MAX_BATCH) {
        const batch = sameToken.slice(from, from + MAX_BATCH);
        if (batch.length === 1 || isRefused) alone(batch);
        else together(batch, token).catch((error) => failAll(batch, error));
      }
    }
  };

  return {
    attempt: (read: Read): Promise<Attempt> =>
      new Promise((resolve) => {
        if (pending.length === 0) setImmediate(flush);
        pending.push({ ...read, resolve });
      }),
  };
};

const missingPart: Attempt = {
  error: {
    code: 'mailbox_unavailable',
    message: 'Gmail sent no response to a part of a batch',
    remedy: 'retry',
  },
};
