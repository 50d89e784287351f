import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { resetSlowReaders } from './connection-limits.ts';

/** More than the kernel takes for a client that does not read. */
const LARGE = Buffer.alloc(32 * 1024 * 1024);
/** As a response is streamed. */
const PIECE_BYTES = 64 * 1024;
const RELAXED = { stallMs: 60_000, waitMs: 60_000, minBytesPerSecond: 1_000, checkMs: 20 };

describe('a client that does not read', () => {
  test('is cut off', async () => {
    const server = await start({ ...RELAXED, stallMs: 50 });
    await server.ask('/');
    const response = await server.nextResponse();

    await once(response, 'close');
    expect(response.writableFinished).toBe(false);
  });
});

describe('a client that reads slowly', () => {
  test('is cut off when it falls below the rate, though it reads again and again', async () => {
    const server = await start({ ...RELAXED, waitMs: 100, minBytesPerSecond: 1_000_000_000 });
    const client = await server.ask('/');
    const response = await server.nextResponse();
    const reading = setInterval(() => client.read(1_000), 10);
    onTestFinished(() => clearInterval(reading));

    await once(response, 'close');
    expect(response.writableFinished).toBe(false);
  });

  test.each([
    ['streamed', '/pieces', 1_000],
    // The kernel takes more of one large write only once much of the rest is read.
    ['written at once', '/', RELAXED.stallMs],
  ])('gets the whole of a response that is %s, at a rate that is allowed', async (_kind, path, stallMs) => {
    const server = await start({ ...RELAXED, stallMs, waitMs: 0, minBytesPerSecond: 1_000_000 });
    const received = countBytes(await server.ask(path));

    await expect.poll(received, { timeout: 20_000 }).toBeGreaterThan(LARGE.length);
  });
});

test('a handler is waited for', async () => {
  // The request must arrive before that, on a busy machine too.
  const server = await start({ ...RELAXED, stallMs: 500 });
  const timedOut = server.nextTimeout();
  const client = await server.ask('/held');
  const response = await server.nextResponse();
  await timedOut;
  response.end('at last');

  const [chunk] = await once(client, 'data');
  expect(String(chunk)).toContain('at last');
});

test('a connection without a request is closed', async () => {
  const server = await start({ ...RELAXED, stallMs: 20 });
  const client = await server.open();

  client.resume();
  await once(client, 'close');
});

/** Reads with pauses; tells how much has come so far. */
const countBytes = (client: Socket): (() => number) => {
  let received = 0;
  client.on('data', (chunk: Buffer) => {
    received += chunk.length;
    client.pause();
    setImmediate(() => client.resume());
  });
  return () => received;
};

function* inPieces(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += PIECE_BYTES) yield content.subarray(at, at + PIECE_BYTES);
}

const reply: RequestListener = ({ url }, response) => {
  if (url === '/held') return;
  if (url === '/pieces') return void Readable.from(inPieces(LARGE)).pipe(response);
  response.end(LARGE);
};

const start = async (limits: Parameters<typeof resetSlowReaders>[1]) => {
  const responses: ServerResponse[] = [];
  const server = createServer();
  resetSlowReaders(server, limits);
  server.on('request', (incoming, response) => {
    responses.push(response);
    reply(incoming, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = async (): Promise<Socket> => {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    onTestFinished(() => void client.destroy());
    await once(client, 'connect');
    return client;
  };
  return {
    open,
    /** Sends a request on a connection of its own; reads nothing. */
    async ask(path: string): Promise<Socket> {
      const client = await open();
      client.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
      return client;
    },
    nextTimeout: () => once(server, 'timeout'),
    async nextResponse(): Promise<ServerResponse> {
      await expect.poll(() => responses.length).toBeGreaterThan(0);
      return responses.shift() as ServerResponse;
    },
  };
};
