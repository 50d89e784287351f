import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { limitConnections } from './connection-limits.ts';

/** Two clients: Linux answers on the whole of 127.0.0.0/8. */
const ADA = '127.0.0.1';
const MALLORY = '127.0.0.2';
const TREVOR = '127.0.0.3';

describe('the limit per address', () => {
  test('closes the longest idle connection of the same address, and of no other', async () => {
    const server = await start({ maxConnectionsPerAddress: 2 });
    const ada = await server.open(ADA);
    const [first, second] = [await server.open(MALLORY), await server.open(MALLORY)];
    await request(first);
    const third = await server.open(MALLORY);

    // The first was idle for a shorter time than the second: it had a request since.
    await closed(second);
    for (const connection of [ada, first, third]) expect(await request(connection)).toBe('ok');
  });

  test('counts a connection whose headers are not complete as idle', async () => {
    const server = await start({ maxConnectionsPerAddress: 1 });
    const slow = await server.open(MALLORY);
    slow.write('GET / HTTP/1.1\r\nhost: a\r\n');
    const next = await server.open(MALLORY);

    await closed(slow);
    expect(await request(next)).toBe('ok');
  });

  test('closes the new connection while all others have requests in flight, and takes one again afterwards', async () => {
    const server = await start({ maxConnectionsPerAddress: 1 });
    const busy = await server.open(MALLORY);
    const reply = request(busy, '/held');
    const response = await server.nextHeld();

    await closed(await server.open(MALLORY));
    response.end('held');
    expect(await reply).toBe('held');
    expect(await request(await server.open(MALLORY))).toBe('ok');
  });

  test('forgets connections that clients close', async () => {
    const server = await start({ maxConnectionsPerAddress: 1 });
    for (let round = 0; round < 3; round += 1) {
      const connection = await server.open(MALLORY);
      connection.write('GET /held HTTP/1.1\r\nhost: a\r\n\r\n');
      const response = await server.nextHeld();
      connection.destroy();
      await once(response, 'close');
    }
    expect(await request(await server.open(MALLORY))).toBe('ok');
  });

  test('is off at 0', async () => {
    const server = await start({ maxConnectionsPerAddress: 0 });
    const connections = await Promise.all(Array.from({ length: 5 }, () => server.open(MALLORY)));
    for (const connection of connections) expect(await request(connection)).toBe('ok');
  });

  test('counts addresses with the same key as one', async () => {
    const server = await start({ maxConnectionsPerAddress: 1, addressKeyOf: () => 'all' });
    const ada = await server.open(ADA);
    await server.open(MALLORY);

    await closed(ada);
  });
});

describe('the limit in total', () => {
  test('closes the longest idle connection of the address that holds the most', async () => {
    const server = await start({ maxConnections: 3, maxConnectionsPerAddress: 0 });
    const ada = await server.open(ADA);
    const [first, second] = [await server.open(MALLORY), await server.open(MALLORY)];
    const trevor = await server.open(TREVOR);

    await closed(first);
    for (const connection of [ada, second, trevor]) expect(await request(connection)).toBe('ok');
  });

  test('passes over an address whose connections all have requests in flight', async () => {
    const server = await start({ maxConnections: 3, maxConnectionsPerAddress: 0 });
    const busy = [await server.open(MALLORY), await server.open(MALLORY)];
    const replies = busy.map((connection) => request(connection, '/held'));
    const responses = [await server.nextHeld(), await server.nextHeld()];
    const ada = await server.open(ADA);
    const trevor = await server.open(TREVOR);

    await closed(ada);
    expect(await request(trevor)).toBe('ok');
    for (const response of responses) response.end('held');
    expect(await Promise.all(replies)).toEqual(['held', 'held']);
  });

  test('closes the new connection where none is idle', async () => {
    const server = await start({ maxConnections: 1, maxConnectionsPerAddress: 0 });
    const busy = await server.open(MALLORY);
    const reply = request(busy, '/held');
    const response = await server.nextHeld();

    await closed(await server.open(ADA));
    response.end('held');
    expect(await reply).toBe('held');
  });
});

/** A server that answers `ok` at once, and requests to `/held` when the test says so. */
const start = async (options: Partial<Parameters<typeof limitConnections>[1]>) => {
  const held: ServerResponse[] = [];
  const server = createServer((incoming, response) => {
    if (incoming.url === '/held') held.push(response);
    else response.end('ok');
  });
  limitConnections(server, {
    maxConnections: 100,
    maxConnectionsPerAddress: 100,
    addressKeyOf: String,
    ...options,
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    /** Opens a connection from an address, and waits until the server has seen it. */
    async open(localAddress: string): Promise<Socket> {
      const seen = once(server, 'connection');
      const connection = connect({ port, host: '127.0.0.1', localAddress });
      connection.on('error', () => undefined);
      onTestFinished(() => void connection.destroy());
      await Promise.all([once(connection, 'connect'), seen]);
      return connection;
    },
    /** The next request to `/held`, once it has arrived. */
    async nextHeld(): Promise<ServerResponse> {
      await expect.poll(() => held.length).toBeGreaterThan(0);
      return held.shift() as ServerResponse;
    },
  };
};

/** Sends a request on a connection; returns the response's body. */
const request = async (connection: Socket, path = '/'): Promise<string> => {
  connection.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
  const [chunk]: Buffer[] = await once(connection, 'data');
  const text = String(chunk);
  return text.slice(text.indexOf('\r\n\r\n') + 4);
};

const closed = async (connection: Socket): Promise<void> => {
  connection.resume();
  await expect.poll(() => connection.closed).toBe(true);
};
