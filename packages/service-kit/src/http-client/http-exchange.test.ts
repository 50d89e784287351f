import { expect, onTestFinished, test } from 'vitest';
import { listenOnLoopback } from '../http/http-server.ts';
import { exchange } from './http-exchange.ts';

test.each(['GET', 'POST', 'DELETE'] as const)('a %s without a body is sent as it is', async (method) => {
  const server = await listenOnLoopback((request, response) => {
    request.resume().on('end', () => response.end(request.method));
  }, 0);
  onTestFinished(server.close);
  const url = new URL(server.url);
  const limits = { timeoutMs: 5_000, maxResponseBytes: 100 };
  const response = await exchange({ peer: 'test', template: '/', method, url, headers: {}, ...limits });
  expect(response).toMatchObject({ status: 200, text: method });
});
