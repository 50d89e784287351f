import { ProblemError, withDeadline } from '@mailsweep/service-kit';
import type { Response } from 'express';

/** Streams that a user may have open at one replica: a few windows, and some whose loss is not noticed yet. */
const MAX_STREAMS_PER_USER = 4;
/** Seconds after which a refused client may try again. */
const RETRY_AFTER_S = 10;
/** How long clients have to take the end of their streams when the process ends, in milliseconds. */
const CLOSING_TIMEOUT_MS = 1_000;

const retryLater = { 'retry-after': String(RETRY_AFTER_S) };

/** The streams that this process has open. They have places of their own: requests never wait for them. */
export interface EventStreams {
  /**
   * Takes a place for a stream; it is free again when the response is closed.
   *
   * @returns aborted when the client has disconnected or the process ends
   * @throws ProblemError 429 when the user has too many streams here, 503 when all places are taken
   */
  open(response: Response, userId: string): AbortSignal;
  /** How many are open. */
  count(): number;
  /** Ends them all and takes no more. A server that closes waits for them: call it before. */
  close(): Promise<void>;
}

/**
 * @param options.maxStreams - most streams open at once
 * @param options.onFull - called when a stream is refused because all places are taken
 * @param options.onTooMany - called when a stream is refused because the user has too many
 */
export const createEventStreams = (options: {
  maxStreams: number;
  onFull: () => void;
  onTooMany: () => void;
}): EventStreams => {
  const open = new Map<Response, { userId: string; over: AbortController }>();
  let isClosing = false;

  const requirePlace = (userId: string) => {
    if (isClosing || open.size >= options.maxStreams) {
      options.onFull();
      throw new ProblemError(
        503,
        'overloaded',
        'Too many event streams are open just now; try again shortly.',
        {
          headers: retryLater,
          isExpected: true,
        },
      );
    }
    const ofUser = open.values().filter((stream) => stream.userId === userId);
    if ([...ofUser].length >= MAX_STREAMS_PER_USER) {
      options.onTooMany();
      const detail = `You have ${MAX_STREAMS_PER_USER} event streams open: close one of them.`;
      throw new ProblemError(429, 'too_many_streams', detail, { headers: retryLater });
    }
  };

  return {
    open(response, userId) {
      requirePlace(userId);
      // A client that left while a guard waited has had its close event.
      if (response.closed) return AbortSignal.abort();
      const over = new AbortController();
      open.set(response, { userId, over });
      response.once('close', () => {
        open.delete(response);
        over.abort();
      });
      return over.signal;
    },
    count: () => open.size,
    async close() {
      isClosing = true;
      const closed = [...open].map(async ([response, { over }]) => {
        const isClosed = new Promise<void>((resolve) => response.once('close', () => resolve()));
        over.abort();
        // One that has not started yet is a request like others: it ends with its response.
        if (!response.headersSent) return;
        response.end();
        await withDeadline(isClosed, CLOSING_TIMEOUT_MS, () => new Error('not taken')).catch(() =>
          response.destroy(),
        );
      });
      await Promise.all(closed);
    },
  };
};
