import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { listenOnLoopback } from '@mailsweep/service-kit';

export interface ReceivedCall {
  /** Header `webhook-id`: the event's id. */
  id: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  atMs: number;
}

/** How the receiver responds to its n-th call, counted from 1, about an event; it may as well leave it open. */
export type WebhookBehaviour = (response: ServerResponse, callNumber: number, id: string) => void;

const accept: WebhookBehaviour = (response) => void response.writeHead(204).end();

/** A workflow service that remembers every call and returns as a scenario wants. */
export const startWebhookReceiver = async () => {
  const calls: ReceivedCall[] = [];
  let behaviour = accept;
  let callNumber = 0;
  const server = await listenOnLoopback(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const id = String(request.headers['webhook-id']);
    calls.push({
      id,
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      atMs: Date.now(),
    });
    callNumber += 1;
    response.on('error', () => response.destroy());
    behaviour(response, callNumber, id);
  }, 0);
  return {
    url: `${server.url}/hook`,
    calls,
    /** Changes the responses from now on; calls are counted from 1 again. */
    behave(next: WebhookBehaviour = accept) {
      behaviour = next;
      callNumber = 0;
    },
    close: server.close,
  };
};

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;
