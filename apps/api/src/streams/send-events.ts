import type { Response } from 'express';
import { endAsStream } from '../http/request-end.ts';

/** A server-sent event (HTML standard, section 9.2); undefined is a comment that keeps the connection alive. */
export type StreamItem = { event: string; id: string; data: unknown } | undefined;

/** How long an EventSource waits before it comes back, in milliseconds. */
const RECONNECT_MS = 2_000;

const HEADERS = {
  'content-type': 'text/event-stream',
  // Proxies must neither keep nor compress nor collect what is meant for now.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/** JSON has no line breaks of its own, so that one line holds all of the data. */
const toText = (item: StreamItem): string =>
  item === undefined
    ? ':\n\n'
    : `event: ${item.event}\nid: ${item.id}\ndata: ${JSON.stringify(item.data)}\n\n`;

/**
 * Responds with a stream of events until there are no more, or 204 where there are none at all. Whatever is wrong
 * before the first of them is thrown, while a problem document can still be sent.
 *
 * @param options.isHeadOnly - sends the head of the response alone, as HEAD asks for
 * @param options.signal - ends the stream
 */
export const sendEvents = async (
  response: Response,
  items: AsyncIterator<StreamItem>,
  options: { isHeadOnly: boolean; signal: AbortSignal },
): Promise<void> => {
  let item = await items.next();
  if (item.done) {
    response.status(204).set('cache-control', 'no-store').end();
    return;
  }
  response.set(HEADERS);
  if (options.isHeadOnly) {
    response.end();
    return;
  }
  endAsStream(response);
  response.write(`retry: ${RECONNECT_MS}\n\n`);
  for (; !item.done && !options.signal.aborted; item = await items.next()) {
    // A client that does not take what it is sent gets no more of our memory; it can come back.
    if (response.writableNeedDrain) {
      response.destroy();
      return;
    }
    response.write(toText(item.value));
  }
  response.end();
};
