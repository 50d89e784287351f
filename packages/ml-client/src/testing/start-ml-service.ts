import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** How the service treats one request, whose body has been read. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

interface ReceivedRequest {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** A local classification service that treats its first request in the first way, and so on; the last way stays. */
export const startMlService = async (...behaviours: [Behaviour, ...Behaviour[]]) => {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const behave = behaviours[Math.min(received.length, behaviours.length - 1)];
      received.push({
        method: request.method,
        path: request.url,
        headers: request.headers,
        body: JSON.parse(body),
      });
      behave?.(response, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

/** Responds with 200 with a JSON value. */
export const respondWithJson =
  (value: unknown): Behaviour =>
  (response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  };

/** Responds with 200 with a text. */
export const respondWithText =
  (body: string): Behaviour =>
  (response) => {
    response.end(body);
  };

/** Responds with a status with a body that looks like a usable response. */
export const respondWithStatus =
  (status: number, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, headers).end('[]');
  };

/** Never responds. */
export const hang: Behaviour = (response) => {
  response.on('error', () => response.destroy());
};

/** Sends its headers, then nothing more. */
export const hangAfterHeaders: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
};

/** Sends white space, byte by byte, without end. */
export const drip: Behaviour = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(timer));
};

/** Resets the connection instead of responding. */
export const reset: Behaviour = (_response, request) => {
  request.socket.resetAndDestroy();
};

/** Resets the connection in the middle of its response. */
export const resetMidResponse: Behaviour = (response, request) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('[{"id":', () => request.socket.resetAndDestroy());
};

/** Sends so many bytes of one JSON text, as fast as the client reads; tells how far it came. */
export const flood = (totalBytes: number) => {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const progress = { sentBytes: 0 };
  const behaviour: Behaviour = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('"');
    const pump = () => {
      while (progress.sentBytes < totalBytes && !response.destroyed) {
        progress.sentBytes += chunk.length;
        if (!response.write(chunk)) {
          response.once('drain', pump);
          return;
        }
      }
      response.end('"');
    };
    pump();
  };
  return { behaviour, progress };
};
