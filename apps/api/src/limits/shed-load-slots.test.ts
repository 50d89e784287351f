import { once } from 'node:events';
import { connect } from 'node:net';
import { createErrorHandler, createLogger, listen } from '@mailsweep/service-kit';
import express, { type Request, type Response } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { endWork, waitForOthers } from '../http/request-end.ts';
import { createHoldSlots, createSlotPool } from './shed-load.ts';

/** More than the kernel takes for a client that does not read. */
const LARGE = Buffer.alloc(32 * 1024 * 1024);

test('a slot is released when the handler has ended its response, though the client does not read it', async () => {
  const { ask, pool, next } = await setUp();
  await ask('/');
  const response = await next();
  expect(pool.taken()).toBe(1);
  response.end(LARGE);

  expect(pool.taken()).toBe(0);
  expect(response.writableFinished).toBe(false);
});

test('a slot is released when a response at the pace of its client begins', async () => {
  const { ask, pool, next } = await setUp();
  await ask('/');
  const response = await next();
  endWork(response);
  expect(pool.taken()).toBe(0);
  response.end();

  expect(pool.taken()).toBe(0);
});

test('a slot is not released while the handler works, though its client has disconnected', async () => {
  const { ask, pool, next } = await setUp();
  const client = await ask('/');
  const response = await next();
  client.destroy();
  await once(response, 'close');
  expect(pool.taken()).toBe(1);
  response.end();

  expect(pool.taken()).toBe(0);
});

test('a request that waits for others holds no slot, and takes one again', async () => {
  const { ask, pool, next } = await setUp();
  await ask('/waiting');
  const waiting = await next();
  expect(pool.taken()).toBe(0);
  waiting.emit('go on');
  await expect.poll(() => pool.taken()).toBe(1);
  (await next()).end();

  expect(pool.taken()).toBe(0);
});

test('a request is refused without a slot, before and after its wait', async () => {
  const { ask, pool, next, refusals } = await setUp();
  await ask('/waiting');
  const waiting = await next();
  await ask('/');
  const working = await next();
  const refused = await ask('/');
  expect(String(await once(refused, 'data'))).toContain('503');
  const closed = once(waiting, 'close');
  waiting.emit('go on');
  await closed;

  expect(waiting.statusCode).toBe(503);
  expect(refusals).toHaveLength(2);
  working.end();
  expect(pool.taken()).toBe(0);
});

/** A server with one slot; the test gets each response, and ends it. */
const setUp = async () => {
  const responses: Response[] = [];
  const refusals: number[] = [];
  const pool = createSlotPool({ size: 1, onFull: () => void refusals.push(1) });
  const hold = createHoldSlots([pool]);
  const reply = (_request: Request, response: Response) => void responses.push(response);
  const app = express();
  app.get('/', hold, reply);
  app.get(
    '/waiting',
    hold,
    async (_request, response, next) => {
      await waitForOthers(response, async () => {
        responses.push(response);
        await once(response, 'go on');
      });
      next();
    },
    reply,
  );
  app.use(createErrorHandler({ logger: createLogger({ service: 'test', level: 'silent' }) }));
  const server = await listen({ app, port: 0 });
  onTestFinished(() => server.close());
  return {
    pool,
    refusals,
    /** Sends a request on a connection of its own; reads nothing. */
    async ask(path: string) {
      const client = connect(server.port, '127.0.0.1');
      client.on('error', () => undefined);
      onTestFinished(() => void client.destroy());
      await once(client, 'connect');
      client.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
      return client;
    },
    async next(): Promise<Response> {
      await expect.poll(() => responses.length).toBeGreaterThan(0);
      return responses.shift() as Response;
    },
  };
};
