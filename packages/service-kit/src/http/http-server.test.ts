import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listen } from './http-server.ts';

describe('a server that closes', () => {
  test('lets the requests that are running finish, and takes no new ones', async () => {
    const running = Promise.withResolvers<ServerResponse>();
    const server = await start((_request, response) => running.resolve(response));
    const reply = get(server.port);
    const response = await running.promise;
    const closed = server.close();

    await expect(get(server.port)).rejects.toThrow('ECONNREFUSED');
    response.end('done');
    expect(await text(await reply)).toBe('done');
    await closed;
  });

  test('does not wait for connections that are merely kept alive', async () => {
    const server = await start((_request, response) => response.end('ok'));
    const agent = keepAlive();
    await text(await get(server.port, agent));

    await closesAtOnce(server.close());
  });

  test('does not wait for a connection that is kept alive after its last request was running', async () => {
    const running = Promise.withResolvers<ServerResponse>();
    const server = await start((_request, response) => running.resolve(response));
    const reply = get(server.port, keepAlive());
    const response = await running.promise;
    const closed = server.close();
    response.end('done');
    await text(await reply);

    await closesAtOnce(closed);
  });

  test('asks clients on open connections to close them', async () => {
    const held = Promise.withResolvers<void>();
    const server = await start(async (incoming, response) => {
      if (incoming.url === '/slow') await held.promise;
      response.end('ok');
    });
    // Two requests on one connection, the second sent before the first is answered.
    const socket = connect(server.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const received = text(socket);
    socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'ready');
    const closed = server.close();
    socket.write('GET /next HTTP/1.1\r\nHost: a\r\n\r\n');
    held.resolve();

    expect(await received).toMatch(/connection: close/i);
    await closed;
  });
});

describe('a server that drains', () => {
  test('serves on, new connections too, and closes each connection with its next response', async () => {
    const server = await start((_request, response) => response.end('ok'));
    const agent = keepAlive();
    expect((await get(server.port, agent)).headers.connection).toBe('keep-alive');
    server.drain();

    for (const connection of [agent, new Agent({ keepAlive: true })]) {
      const reply = await get(server.port, connection);
      expect(reply.headers.connection).toBe('close');
      expect(await text(reply)).toBe('ok');
    }
    await server.close();
  });

  test('says so in responses that were in flight, too', async () => {
    const running = Promise.withResolvers<ServerResponse>();
    const server = await start((_request, response) => running.resolve(response));
    const reply = get(server.port, keepAlive());
    const response = await running.promise;
    server.drain();
    response.end('done');

    expect((await reply).headers.connection).toBe('close');
    await server.close();
  });
});

describe('a port', () => {
  test('that is taken is an error', async () => {
    const server = await start((_request, response) => response.end());

    await expect(listen({ app: () => undefined, port: server.port })).rejects.toThrow('EADDRINUSE');
  });
});

const start = async (app: RequestListener) => {
  const server = await listen({ app, port: 0 });
  return server;
};

const keepAlive = (): Agent => {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return agent;
};

const get = async (port: number, agent?: Agent): Promise<IncomingMessage> => {
  const sent = request({ port, host: '127.0.0.1', agent: agent ?? new Agent() }).end();
  const [response] = await once(sent, 'response');
  return response;
};

const closesAtOnce = async (closed: Promise<void>) => {
  const startedMs = performance.now();
  await closed;
  expect(performance.now() - startedMs).toBeLessThan(1_000);
};
