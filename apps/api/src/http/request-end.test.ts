import { EventEmitter, once } from 'node:events';
import { get } from 'node:http';
import { createErrorHandler, createLogger, listen } from '@mailsweep/service-kit';
import express, { type RequestHandler } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { createClientLimits } from '../limits/client-limits.ts';
import { onRequestEnd } from './request-end.ts';

const CLIENTS = 20;

test('requests whose clients left during authentication are not in flight', async () => {
  const { byUser, exports } = createClientLimits({
    maxInFlightPerAddress: 100,
    maxInFlightPerUser: 1,
    addressOf: () => undefined,
    onRefused: () => undefined,
    onShed: () => undefined,
  });
  const server = await startServer([byUser, ...exports], (_request, response) => void response.end());
  await server.askAndLeave();
  expect(await server.ask()).toBe(200);
});

test('many limits listen for the end of a request without a warning of a leak', async () => {
  let ended = 0;
  const server = await startServer([], (_request, response) => {
    for (let index = 0; index < 20; index += 1) onRequestEnd(response, () => (ended += 1));
    expect(response.listenerCount('close')).toBeLessThanOrEqual(EventEmitter.defaultMaxListeners);
    response.end();
  });
  expect(await server.ask()).toBe(200);
  await expect.poll(() => ended).toBe(20);
});

/** A server that authenticates only after a client has left, if it is one that leaves. */
const startServer = async (guards: RequestHandler[], handler: RequestHandler) => {
  let received = 0;
  let authenticated = 0;
  const authenticate: RequestHandler = async (request, response, next) => {
    received += 1;
    response.locals.caller = { userId: 'ada' };
    if (request.get('x-leaves') !== undefined) await once(response, 'close');
    authenticated += 1;
    next();
  };
  const app = express().get('/', authenticate, ...guards, handler);
  app.use(createErrorHandler({ logger: createLogger({ service: 'test', level: 'silent' }) }));
  const server = await listen({ app, port: 0 });
  onTestFinished(() => server.close());
  const begin = (headers: Record<string, string> = {}) =>
    get({ port: server.port, host: '127.0.0.1', headers, agent: false });
  return {
    async ask(): Promise<number | undefined> {
      const [response] = await once(begin(), 'response');
      response.resume();
      return response.statusCode;
    },
    async askAndLeave(): Promise<void> {
      const requests = Array.from({ length: CLIENTS }, () => begin({ 'x-leaves': 'yes' }));
      for (const request of requests) request.on('error', () => undefined);
      await expect.poll(() => received).toBe(CLIENTS);
      for (const request of requests) request.destroy();
      await expect.poll(() => authenticated).toBe(CLIENTS);
    },
  };
};
