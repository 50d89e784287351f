import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenToChannel } from './listen.ts';

test('ends at once when it is to stop while it connects to a server that does not respond', async () => {
  const { port, accepted } = await startSilentServer();
  const stopping = new AbortController();
  const listening = listen(port, stopping.signal);
  await accepted;
  stopping.abort();
  expect(await listening).toBeUndefined();
});

test('does not even connect when it was to stop before', async () => {
  expect(await listen(1, AbortSignal.abort())).toBeUndefined();
});

test('rejects when there is no server', async () => {
  await expect(listen(1, new AbortController().signal)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

const listen = (port: number, signal: AbortSignal): Promise<void> =>
  listenToChannel({
    databaseUrl: `postgres://ada@127.0.0.1:${port}/none`,
    channel: 'work',
    signal,
    onListening: () => undefined,
    onNotified: () => undefined,
  });

/** Accepts connections and says nothing. */
const startSilentServer = async () => {
  const server = createServer((socket: Socket) => void socket.resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, accepted: once(server, 'connection') };
};
