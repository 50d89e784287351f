import type { Response } from 'express';

const STREAM_BEGAN = Symbol('stream began');

/** How a request ends: its answer is sent or its client is gone, or the answer goes on as a stream. */
export type RequestEnd = 'closed' | 'streaming';

/** Tells once when a request has ended: whoever counts requests does not count a stream for as long as it lasts. */
export const onRequestEnd = (response: Response, listener: (end: RequestEnd) => void): void => {
  let hasEnded = false;
  const end = (how: RequestEnd) => () => {
    if (!hasEnded) listener(how);
    hasEnded = true;
  };
  response.once('close', end('closed'));
  response.once(STREAM_BEGAN, end('streaming'));
};

/** Ends a request whose answer goes on as a stream. */
export const endAsStream = (response: Response): void => {
  response.emit(STREAM_BEGAN);
};
