import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
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

/**
 * A workflow service that remembers every call and responds as a test wants.
 *
 * @param initial - how it responds until told otherwise
 */
export const startWebhookReceiver = async (initial: WebhookBehaviour = accept) => {
  const calls: ReceivedCall[] = [];
  let behaviour = initial;
  let callNumber = 0;
  const server = await listenOnLoopback(async (request, response) => {
    const { headers, url: path = '' } = request;
    const id = String(headers['webhook-id']);
    calls.push({ id, path, headers, body: await text(request), atMs: Date.now() });
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

/** Responds to each call with the next status; the last one repeats. */
export const respondWithStatuses =
  (...statuses: number[]): WebhookBehaviour =>
  (response, callNumber) =>
    void response.writeHead(statuses[Math.min(callNumber, statuses.length) - 1] ?? 200).end();

/**
 * The signature of a call as the specification of Standard Webhooks has it, made without the library that signs.
 *
 * @param secret - `whsec_…`
 */
export const signatureOf = ({ id, headers, body }: ReceivedCall, secret: string): string => {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${headers['webhook-timestamp']}.${body}`);
  return `v1,${mac.digest('base64')}`;
};
