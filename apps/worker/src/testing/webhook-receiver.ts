import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedCall {
  headers: IncomingHttpHeaders;
  body: string;
  path: string;
}

export interface WebhookReceiver {
  url: string;
  calls: ReceivedCall[];
  close(): Promise<void>;
}

/**
 * A real receiver of webhooks.
 *
 * @param respond - responds to the n-th call, counted from 1, or leaves it open
 */
export const startWebhookReceiver = async (
  respond: (response: ServerResponse, callNumber: number) => void = (response) => void response.end(),
): Promise<WebhookReceiver> => {
  const calls: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      calls.push({ headers: request.headers, body, path: request.url ?? '' });
      respond(response, calls.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    calls,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

/** Responds to each call with the next status; the last one repeats. */
export const respondWithStatuses =
  (...statuses: number[]) =>
  (response: ServerResponse, callNumber: number): void => {
    response.writeHead(statuses[Math.min(callNumber, statuses.length) - 1] ?? 200).end();
  };
