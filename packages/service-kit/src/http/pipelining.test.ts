import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { limitPipelining } from './connection-limits.ts';

const GET = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';

describe('a client that sends requests without waiting for responses', () => {
  test('is cut off beyond three, before more are handled', async () => {
    const server = await start();
    const socket = server.connect();
    socket.write(GET.repeat(100));

    await once(socket, 'close');
    expect(server.handled()).toBe(3);
  });

  test('gets the responses of three', async () => {
    const server = await start();
    const socket = server.connect();
    socket.end(GET.repeat(2) + GET.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));

    expect((await text(socket)).match(/200 OK/g)).toHaveLength(3);
  });
});

test('a client that waits for each response is served however many requests it sends', async () => {
  const server = await start();
  const socket = server.connect();
  for (let sent = 0; sent < 30; sent += 1) {
    socket.write(GET);
    await once(socket, 'data');
  }

  expect(server.handled()).toBe(30);
});

const start = async () => {
  let handled = 0;
  const server = createServer(
    limitPipelining((_request, response) => {
      handled += 1;
      setImmediate(() => response.end('ok'));
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return {
    handled: () => handled,
    connect: () => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      return socket;
    },
  };
};
