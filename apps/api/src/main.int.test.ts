import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { findFreePort, readInherited } from '@mailsweep/service-kit/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createEnvironment } from './testing/api-harness.ts';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

describe('the API process', () => {
  test('warns of a misspelled variable, serves on PORT and on PORT_HTTP, and ends with code 0 on SIGTERM', async () => {
    const [port, portHttp] = [await findFreePort(), await findFreePort()];
    const { child, output } = start({
      ...env,
      PORT: String(port),
      PORT_HTTP: String(portHttp),
      OAUTH_CLIENT_SECERT: 'hunter2',
    });
    await expect.poll(() => ask(portHttp), { timeout: 20_000 }).toBe(200);

    expect(await ask(port)).toBe(200);
    expect(await ask(port, '/api/v1/health/db')).toBe(200);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    const lines = (await output).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({
      level: 40,
      variable: 'OAUTH_CLIENT_SECERT',
      didYouMean: 'OAUTH_CLIENT_SECRET',
    });
    expect(lines.at(-1)).toMatchObject({ msg: 'stopped', service: 'api' });
  });

  test('R30: is not ready any more on SIGTERM, sends clients elsewhere, and fails no request meanwhile', async () => {
    const [port, operationsPort] = [await findFreePort(), await findFreePort()];
    const { child } = start({
      ...env,
      PORT: String(port),
      OPERATIONS_PORT: String(operationsPort),
    });
    await expect.poll(() => ask(operationsPort, '/ready'), { timeout: 20_000 }).toBe(200);
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    onTestFinished(() => agent.destroy());
    const responses: { status: number; connection: string | undefined }[] = [];
    const faults: unknown[] = [];
    let isDown = false;
    // What clients of a balancer do: they go on until it has learned that this replica is not ready.
    const clients = Array.from({ length: 8 }, async () => {
      while (!isDown)
        await askWith(agent, port).then(responses.push.bind(responses), faults.push.bind(faults));
    });
    await expect.poll(() => responses.length).toBeGreaterThan(50);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await expect.poll(() => ask(operationsPort, '/ready')).toBe(503);
    const countBefore = responses.length;
    await expect.poll(() => responses.length).toBeGreaterThan(countBefore + 50);
    isDown = true;
    await Promise.all(clients);

    expect(faults).toEqual([]);
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200]));
    expect(responses[0]?.connection).toBe('keep-alive');
    expect(responses.slice(countBefore + 8).map((response) => response.connection)).not.toContain(
      'keep-alive',
    );
    expect(await exited).toEqual([0, null]);
  });

  test('ends with code 1 when its port is taken', async () => {
    const server = createServer().listen(0);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { child, output } = start({ ...env, PORT: String((server.address() as AddressInfo).port) });

    expect((await once(child, 'exit'))[0]).toBe(1);
    expect((await output).stdout).toContain('EADDRINUSE');
  });

  test('R10: names every error of its configuration at once, prints no value, and never listens', async () => {
    const port = await findFreePort();
    const { child, output } = start({
      PORT: String(port),
      OAUTH_CLIENT_SECRET: 'client-secret-value',
      TOKEN_ENCRYPTION_KEY: 'dG9vIHNob3J0',
      FRONTEND_ORIGIN: 'https://mail.example.com/path',
      OAUTH_CLIENT_IT: 'hunter2',
    });
    let hasListened = false;
    const watch = setInterval(async () => (hasListened ||= (await ask(port)) !== 0), 20);
    onTestFinished(() => clearInterval(watch));

    expect((await once(child, 'exit'))[0]).toBe(1);
    expect(hasListened).toBe(false);
    const { stderr, stdout } = await output;
    const named = [...stderr.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name);
    expect(named.toSorted()).toEqual([
      'DATABASE_URL',
      'FRONTEND_ORIGIN',
      'ML_BASE_URL',
      'OAUTH_CLIENT_ID',
      'OAUTH_REDIRECT_URI',
      'TOKEN_ENCRYPTION_KEY',
    ]);
    expect(stderr).toContain('unknown variable OAUTH_CLIENT_IT: did you mean OAUTH_CLIENT_ID?');
    expect(stderr + stdout).not.toMatch(/hunter2|client-secret-value|dG9vIHNob3J0|mail\.example\.com\/path/);
  });

  test.each([
    { title: 'is complete', changes: {}, code: 0, says: 'The configuration is complete.' },
    { title: 'has an error', changes: { PORT: 'x' }, code: 1, says: '  PORT: ' },
  ])('--check says that the configuration $title, and ends', async ({ changes, code, says }) => {
    const { child, output } = start({ ...env, PORT: '3999', ...changes }, [MAIN, '--check']);

    expect((await once(child, 'exit'))[0]).toBe(code);
    const { stdout, stderr } = await output;
    expect(code === 0 ? stdout : stderr).toContain(says);
  });

  test.each(['main.ts', 'reencrypt.ts'])('refuses words, which %s would not heed', async (file) => {
    const { child, output } = start({}, [join(MAIN, '..', file), '--dry-run']);

    expect((await once(child, 'exit'))[0]).toBe(1);
    expect((await output).stderr).toBe('Takes no arguments, only variables: --dry-run\n');
  });
});

const start = (variables: Record<string, string>, words = [MAIN]) => {
  const child = spawn(process.execPath, words, {
    env: { ...readInherited(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = Promise.all([text(child.stdout), text(child.stderr)]).then(([stdout, stderr]) => ({
    stdout,
    stderr,
  }));
  return { child, output };
};

const ask = (port: number, path = '/api/v1/health'): Promise<number> =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    (response) => response.status,
    () => 0,
  );

const askWith = async (agent: Agent, port: number) => {
  const sent = request({ agent, port, host: '127.0.0.1', path: '/api/v1/health' }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  await text(response);
  return { status: response.statusCode ?? 0, connection: response.headers.connection };
};

let testDatabase: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  // Neither provider nor classification service is needed to start.
  env = createEnvironment({
    database: testDatabase.url,
    google: 'http://127.0.0.1:1',
    ml: 'http://127.0.0.1:1',
  });
});
afterAll(() => testDatabase.drop());
