import type { Response } from 'express';

const REQUEST_ENDED = Symbol('request ended');
const WORK_ENDED = Symbol('work ended');

/** Calls the listener once a request has ended: its response is sent, or its client has disconnected. */
export const onRequestEnd = (response: Response, listener: () => void): void => {
  // A client that left while a guard waited has had its close event.
  if (response.closed) {
    listener();
    return;
  }
  if (response.listenerCount(REQUEST_ENDED) === 0) announceClose(response);
  response.once(REQUEST_ENDED, listener);
};

/** One listener for all limits: Node warns of a leak when an event has more than ten. */
const announceClose = (response: Response): void => {
  response.once('close', () => response.emit(REQUEST_ENDED));
};

/**
 * Calls the listener once the work on a request has ended: its handler has called `end`, or goes on at the pace at which the
 * client reads. Neither waits for the client to read the response, or ends early because the client has disconnected.
 */
export const onWorkEnd = (response: Response, listener: () => void): void => {
  if (response.listenerCount(WORK_ENDED) === 0) announceEnd(response);
  response.once(WORK_ENDED, listener);
};

/** Node's own events come once the kernel has taken the whole response, which is up to the client. */
const announceEnd = (response: Response): void => {
  const { end } = response;
  const announcingEnd = (...args: unknown[]) => {
    response.emit(WORK_ENDED);
    return Reflect.apply(end, response, args);
  };
  response.end = announcingEnd as typeof end;
};

/** Calls the listener once a request and the work on it have ended. */
export const onRequestAndWorkEnd = (response: Response, listener: () => void): void => {
  let open = 2;
  const close = () => {
    open -= 1;
    if (open === 0) listener();
  };
  onRequestEnd(response, close);
  onWorkEnd(response, close);
};

/** Ends the work on a request whose response is sent at the pace at which the client reads. */
export const endWork = (response: Response): void => {
  response.emit(WORK_ENDED);
};
