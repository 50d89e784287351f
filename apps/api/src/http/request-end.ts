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

/** What a request holds while the process works on it. */
interface Held {
  take(): void;
  giveBack(): void;
}
const heldBy = new WeakMap<Response, Held>();

const giveBack = (response: Response): Held | undefined => {
  const held = heldBy.get(response);
  heldBy.delete(response);
  held?.giveBack();
  return held;
};

/** Takes what a request is to hold until the work on it has ended, except while it waits for others. */
export const holdWhileWorking = (response: Response, held: Held): void => {
  held.take();
  heldBy.set(response, held);
  onWorkEnd(response, () => giveBack(response));
};

/** Waits for others, such as the client that sends a body, without what the request holds; then takes it again. */
export const waitForOthers = async <T>(response: Response, wait: () => Promise<T>): Promise<T> => {
  const held = giveBack(response);
  const result = await wait();
  if (held !== undefined) holdWhileWorking(response, held);
  return result;
};
