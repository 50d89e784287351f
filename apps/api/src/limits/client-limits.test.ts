import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createErrorHandler, createLogger, listen } from '@mailsweep/service-kit';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { createClientLimits } from './client-limits.ts';

test('all users together have eight exports in flight', async () => {
  const { begin, shed } = await setUp();
  const [first] = await Promise.all(Array.from({ length: 8 }, (_, index) => begin(`user-${index}`)));
  const refused = await begin('user-9');
  expect(refused.statusCode).toBe(503);
  expect(refused.headers['retry-after']).toBe('1');
  expect(shed).toEqual(['export']);

  first?.destroy();
  await expect.poll(async () => (await begin('user-9')).statusCode).toBe(200);
});

/** A server whose exports begin and do not end. */
const setUp = async () => {
  const shed: string[] = [];
  const limits = createClientLimits({
    maxInFlightPerAddress: 100,
    maxInFlightPerUser: 100,
    addressOf: () => undefined,
    onRefused: () => undefined,
    onShed: (reason) => void shed.push(reason),
  });
  const app = express();
  app.use((request, response, next) => {
    response.locals.caller = { userId: request.get('x-user') };
    next();
  });
  app.get('/', ...limits.exports, (_request, response) => void response.write('{'));
  app.use(createErrorHandler({ logger: createLogger({ service: 'test', level: 'silent' }) }));
  const server = await listen({ app, port: 0 });
  onTestFinished(() => server.close());
  /** Asks for an export, which lasts until the response is destroyed. */
  const begin = async (user: string): Promise<IncomingMessage> => {
    const asking = get({ port: server.port, host: '127.0.0.1', headers: { 'x-user': user }, agent: false });
    const [response] = await once(asking, 'response');
    onTestFinished(() => void response.destroy());
    return response;
  };
  return { begin, shed };
};
