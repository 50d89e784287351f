import { listenOnLoopback } from '@mailsweep/service-kit';
import got from 'got';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiSession, signIn } from './src/api-session.ts';
import { type LocalStack, startLocalStack } from './src/local-stack.ts';

describe('a stack whose FRONTEND_ORIGIN is a dev server that runs already', () => {
  test('starts without a web app of its own', () => {
    expect(stack.web).toBeNull();
    expect(Object.keys(stack.pids).toSorted()).toEqual(['api', 'database', 'ml', 'worker']);
  });

  test('sends users back to that server after their sign-in', () => {
    expect(landedAt).toBe(`${frontEnd}/auth/callback`);
  });

  test('takes requests from pages of that server, and of no other', async () => {
    const ask = (origin: string) =>
      got.post(`${stack.api}/api/v1/inbox/actions`, {
        json: { emailIds: ['none'], action: 'archive' },
        headers: { cookie: user.cookie, origin },
        throwHttpErrors: false,
      });
    const own = await ask(frontEnd);
    expect(own.statusCode).toBe(200);
    expect(own.headers).toMatchObject({
      'access-control-allow-origin': frontEnd,
      'access-control-allow-credentials': 'true',
    });
    expect((await ask('http://localhost:5999')).statusCode).toBe(403);
  });
});

let stack: LocalStack;
let devServer: Awaited<ReturnType<typeof listenOnLoopback>>;
let frontEnd: string;
let landedAt: string;
let user: ApiSession;
beforeAll(async () => {
  devServer = await listenOnLoopback((_request, response) => response.end('a dev server'), 0);
  frontEnd = `http://localhost:${devServer.port}`;
  // A stack of its own: another server serves its front end.
  stack = await startLocalStack({ FRONTEND_ORIGIN: frontEnd });
  ({ landedAt, session: user } = await signIn(stack.api, 'ada@example.com'));
});
afterAll(async () => {
  expect(await stack?.stop()).toBe(0);
  await devServer?.close();
});
