import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFakeMailbox, type FakeGmailContent } from './fake-mailbox.ts';
import type { FakeLabel, FakeMessage, FakeResponse, RecordedRequest } from './fake-types.ts';
import { priceOf } from './prices.ts';
import { BATCH_PATH, readBatch, readRequest, send, writeBatch } from './wire.ts';

/** Responds to a request in place of the fake, unless it gives undefined. */
type Interceptor = (request: RecordedRequest) => FakeResponse | undefined | Promise<FakeResponse | undefined>;

export interface FakeGmail {
  url: string;
  requests: RecordedRequest[];
  messages: FakeMessage[];
  labels: FakeLabel[];
  /** What all requests so far cost in quota units (Gmail API reference, "Usage limits"). */
  units(): number;
  /** Responds to a request as the fake itself does, with all that it changes. */
  respond(request: RecordedRequest): FakeResponse;
  /** Changes labels as another client does. */
  change(id: string, change: { added?: string[]; removed?: string[] }): void;
  /** Lets a message arrive, as the newest. */
  deliver(message: FakeMessage): void;
  /** Deletes a message for good, as another client does. */
  remove(id: string): void;
  /** Loses the next records of these messages for good; the changes are made. */
  loseRecords(ids: readonly string[]): void;
  /** Forgets all history up to now, as the provider does after a while. */
  expireHistory(): void;
  /** How many requests wait for their response. */
  inFlight(): number;
  intercept(interceptor: Interceptor): void;
  close(): Promise<void>;
}

/**
 * A Gmail server on localhost that keeps what it is asked. It knows `labelIds`, pages and history, but ignores search
 * terms (except the search for drafts and chats) and field masks, so that tests see whether the adapter relies on them.
 */
export const startFakeGmail = async (content: FakeGmailContent = {}): Promise<FakeGmail> => {
  const mailbox = createFakeMailbox(content);
  const requests: RecordedRequest[] = [];
  let interceptor: Interceptor = () => undefined;
  let inFlight = 0;

  const server = createServer((incoming, response) => {
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
    });
    const respondToOne = async (request: RecordedRequest): Promise<FakeResponse> => {
      requests.push(request);
      return (await interceptor(request)) ?? mailbox.respond(request);
    };
    const respondToBatch = async (request: RecordedRequest): Promise<FakeResponse> => {
      const calls = readBatch(request).map(async (call) => ({
        contentId: call.contentId,
        response: await respondToOne(call.request),
      }));
      return writeBatch(await Promise.all(calls));
    };
    void readRequest(incoming).then(async (request) => {
      if (request.path !== BATCH_PATH) return send(response, await respondToOne(request));
      requests.push(request);
      send(response, (await interceptor(request)) ?? (await respondToBatch(request)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...mailbox,
    requests,
    units: () => requests.reduce((sum, request) => sum + priceOf(request), 0),
    inFlight: () => inFlight,
    intercept(next) {
      interceptor = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
