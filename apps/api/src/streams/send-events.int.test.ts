import { once } from 'node:events';
import { connect } from 'node:net';
import { listen } from '@mailsweep/service-kit';
import express, { type Response } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { sendEvents } from './send-events.ts';

test('a client that does not read what it is sent is left, instead of kept for in memory', async () => {
  let made = 0;
  const { port, response } = await serve(async function* () {
    for (;;) {
      made += 1;
      yield { event: 'progress', id: `${made}`, data: 'x'.repeat(100_000) };
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  const socket = connect(port, '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const reply = await response;
  await once(reply, 'close');

  expect(reply.writableFinished).toBe(false);
  const madeByThen = made;
  await new Promise((resolve) => setImmediate(resolve));
  expect(made).toBe(madeByThen);
});

/** Responds to one request with events; ends with the test. */
const serve = async (toItems: () => AsyncGenerator<{ event: string; id: string; data: string }>) => {
  const asked = Promise.withResolvers<Response>();
  const over = new AbortController();
  const app = express().get('/', async (_request, response) => {
    asked.resolve(response);
    await sendEvents(response, toItems(), { isHeadOnly: false, signal: over.signal });
  });
  const server = await listen({ app, port: 0 });
  onTestFinished(() => {
    over.abort();
    return server.close();
  });
  return { port: server.port, response: asked.promise };
};
