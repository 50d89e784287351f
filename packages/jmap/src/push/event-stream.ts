import { createParser } from 'eventsource-parser';

/** Largest event that is read, in characters; state changes have some hundreds. */
const MAX_EVENT_LENGTH = 64 * 1024;

/** An event of a stream of server-sent events (HTML, "Server-sent events"). */
export interface StreamEvent {
  /** Its type; `message` where the server names none. */
  type: string;
  data: string;
}

/**
 * Reads server-sent events until the stream ends.
 *
 * @param onBytes - called for whatever arrives, comments too
 * @throws what the stream is ended with, and for an event that is too large
 */
export const readEventStream = async (
  body: AsyncIterable<Uint8Array>,
  { onBytes, onEvent }: { onBytes: () => void; onEvent: (event: StreamEvent) => void },
): Promise<void> => {
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ event = 'message', data }) => onEvent({ type: event, data }),
  });
  for await (const bytes of body) {
    onBytes();
    parser.feed(decoder.decode(bytes, { stream: true }));
  }
};
