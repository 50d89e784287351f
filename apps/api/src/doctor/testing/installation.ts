import { type ChildProcess, spawn } from 'node:child_process';
import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@mailsweep/database/testing';
import { listenOnLoopback } from '@mailsweep/service-kit';
import { findFreePort, readInherited } from '@mailsweep/service-kit/testing';
import { startWebhookReceiver } from '@mailsweep/worker/testing/webhook-receiver';
import { inject } from 'vitest';
import { createEnvironment } from '../../testing/api-harness.ts';
import { startGoogleSandbox } from '../../testing/google-sandbox.ts';
import type { NamedFinding } from '../checks.ts';
import type { Environment } from '../context.ts';
import { runDoctor } from '../run-doctor.ts';

const APPS = fileURLToPath(new URL('../../../../', import.meta.url));
const START_TIMEOUT_MS = 30_000;

/** Resolves once `isReady` does to true. */
const waitUntil = async (isReady: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isReady())) {
    if (Date.now() > deadline) throw new Error('a part of the installation did not start');
    await delay(50);
  }
};

const respondsAt = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

const acceptsAt = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.end(() => resolve(true)));
    socket.on('error', () => resolve(false));
  });

const end = async (child: ChildProcess): Promise<void> => {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};

const startApp = (name: string, env: Environment): ChildProcess =>
  spawn(process.execPath, [join(APPS, name, 'src/main.ts')], {
    env: { ...readInherited(), ...env, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });

/** A Redis of its own, with these settings above those of a good one. */
export const startRedis = async (settings: readonly string[] = []) => {
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'doctor-redis-'));
  const good = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction', '--requirepass', 'redis-password'];
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...good, ...settings];
  const child = spawn('redis-server', words, { stdio: 'ignore' });
  await waitUntil(() => acceptsAt(port));
  return {
    url: `redis://:redis-password@127.0.0.1:${port}`,
    async close() {
      await end(child);
      rmSync(folder, { recursive: true });
    },
  };
};

/** Runs SQL as the superuser of the test server. */
type Query = Awaited<ReturnType<typeof createTestDatabase>>['query'];

/** As API and worker sign in. */
const SERVICE = 'IN ROLE mailsweep_service';

/** A role with a password that occurs in no other text, with the rights of the services unless words say otherwise. */
export const createRole = async (query: Query, words = SERVICE) => {
  const name = `doctor_${randomUUID().replaceAll('-', '')}`;
  await query(`CREATE ROLE ${name} LOGIN ${words} PASSWORD 'database-password'`);
  return {
    name,
    at(databaseUrl: string): string {
      const url = new URL(databaseUrl);
      url.username = name;
      url.password = 'database-password';
      return url.href;
    },
  };
};

/** A web app, as far as the doctor looks at it; `link` is that of its pages. */
export const startWebApp = (link?: string) =>
  listenOnLoopback((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...(link && { link }) }).end('<html></html>');
  }, 0);

const createVapidKeys = () => {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const privateKey = pair.getPrivateKey().toString('hex').padStart(64, '0');
  return {
    VAPID_PUBLIC_KEY: pair.getPublicKey('base64url'),
    VAPID_PRIVATE_KEY: Buffer.from(privateKey, 'hex').toString('base64url'),
    VAPID_SUBJECT: 'mailto:operator@example.com',
  };
};

/**
 * An installation in which nothing is wrong: API, worker and classification service as processes of their own, a real
 * database, the Google sandbox and a workflow service.
 */
export const startInstallation = async () => {
  await using started = new AsyncDisposableStack();
  const testDatabase = await createTestDatabase();
  started.defer(() => testDatabase.drop());
  const role = await createRole(testDatabase.query);
  const [port, mlPort, workerPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
  const redirectUri = `http://localhost:${port}/auth/idp/callback`;
  const client = { clientId: 'client', clientSecret: 'client-secret-value' };
  const google = await startGoogleSandbox({ ...client, redirectUri, mail: {} });
  started.defer(() => google.close());
  const webhook = await startWebhookReceiver();
  started.defer(() => webhook.close());
  const web = await startWebApp();
  started.defer(() => web.close());
  const ml = `http://127.0.0.1:${mlPort}`;
  const env: Record<string, string> = {
    ...createEnvironment({ database: role.at(testDatabase.url), google: google.url, ml }),
    OAUTH_CLIENT_SECRET: client.clientSecret,
    OAUTH_REDIRECT_URI: redirectUri,
    FRONTEND_ORIGIN: `http://localhost:${web.port}`,
    PORT: String(port),
    WORKER_PORT: String(workerPort),
    INTERNAL_JWT_SECRET: randomBytes(32).toString('base64'),
    WORKFLOW_WEBHOOK_URL: webhook.url,
    WEBHOOK_SIGNING_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
    ...createVapidKeys(),
  };
  const { PORT: _port, ...mlEnv } = env;
  const children = {
    api: startApp('api', env),
    worker: startApp('worker', env),
    ml: startApp('ml', { ...mlEnv, PORT: String(mlPort) }),
  };
  started.defer(async () => void (await Promise.all(Object.values(children).map(end))));
  await waitUntil(() => respondsAt(`http://localhost:${port}/api/v1/health/db`));
  await waitUntil(() => respondsAt(`http://127.0.0.1:${workerPort}/ready`));
  await waitUntil(() => respondsAt(`${ml}/health`));
  const running = started.move();
  return {
    env,
    google,
    webhook,
    testDatabase,
    /** Has a process hang, or go on. */
    signal: (name: keyof typeof children, signal: 'SIGSTOP' | 'SIGCONT') => children[name].kill(signal),
    close: () => running.disposeAsync(),
  };
};

/** What is left of the time for a process that takes long to start, in milliseconds: what hangs ends sooner. */
const SLOW_START_MS = 8_000;

/** Runs the doctor as its command does. */
export const runAsCommand = async (env: Environment, words = ['--json'], startMs = SLOW_START_MS) => {
  const outputs: string[] = [];
  const write = (text: string) => void outputs.push(text);
  const exitCode = await runDoctor(words, { env, hasColour: false, write, writeError: write, startMs });
  const output = outputs.join('');
  const findings = words.includes('--json') ? (JSON.parse(output).findings as NamedFinding[]) : [];
  return { exitCode, output, findings };
};

export const hasRedis = (): boolean => inject('redisUrl') !== null;
