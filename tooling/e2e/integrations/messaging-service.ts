import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Message {
  path: string;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

export interface MessagingService {
  url: string;
  /** What it has accepted. */
  messages: Message[];
  /** Responds with this status to so many requests. */
  failNext(times: number, status: number): void;
  close(): Promise<void>;
}

/** Starts a service that takes messages over HTTP, as Slack, Telegram and ntfy do. */
export const startMessagingService = async (): Promise<MessagingService> => {
  const messages: Message[] = [];
  const failure = { times: 0, status: 500 };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (failure.times > 0) {
      failure.times -= 1;
      response.writeHead(failure.status).end();
      return;
    }
    messages.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    failNext(times, status) {
      Object.assign(failure, { times, status });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
