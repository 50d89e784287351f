import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { createOutboxRelay, publish } from '@mailsweep/event-bus';
import {
  describeOnEachQueue,
  domainEvents,
  eventually,
  openTestQueue,
  queueUrlOf,
} from '@mailsweep/event-bus/testing';
import { VERSION } from '@mailsweep/service-kit';
import {
  createRecordingLogger,
  findFreePort,
  openFaultProxy,
  readInherited,
} from '@mailsweep/service-kit/testing';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Config } from './config.ts';
import { startWorkerService } from './dependencies.ts';
import { startWebhookReceiver } from './testing/webhook-receiver.ts';
import { SIGNING_SECRET } from './testing/worker-harness.ts';

describeOnEachQueue('the worker process', (kind) => {
  it('serves health, readiness and the metrics of its queues', async () => {
    const { url } = await startService();
    expect(await get(`${url}/health`)).toMatchObject({
      status: 200,
      body: `{"status":"ok","version":"${VERSION}"}`,
    });
    await eventually(async () => expect((await get(`${url}/ready`)).status).toBe(200));
    await publishOne();
    await eventually(async () => {
      const { body } = await get(`${url}/metrics`);
      expect(body).toMatch(/mailsweep_job_attempts_total\{queue="domain-events",outcome="completed".*\} 1/);
      expect(body).toMatch(/mailsweep_queue_jobs\{queue="domain-events",state="waiting".*\} 0/);
      expect(body).toMatch(/mailsweep_dead_letters\{queue="deliver-webhook".*\} 0/);
    });
  });

  it('shows its queues to operators once they have set a password', async () => {
    const hidden = await startService();
    expect((await get(`${hidden.url}/queues/`)).status).toBe(404);
    const shown = await startService({ operationsPassword: 'a password of some length' });
    expect((await get(`${shown.url}/queues/`)).status).toBe(401);
  });

  it('listens on the configured address only', async () => {
    const { url } = await startService({ host: '127.0.0.1' });
    await expect(fetch(`${url}/health`)).resolves.toMatchObject({ status: 200 });
    await expect(fetch(`${url.replace('127.0.0.1', '127.0.0.2')}/health`)).rejects.toThrow('fetch failed');
  });

  it('starts without database and queue, and becomes ready once they are available', async () => {
    const databaseProxy = await openFaultProxy(db.url);
    const queueProxy = await openFaultProxy(queueUrl());
    onTestFinished(async () => {
      await databaseProxy.close();
      await queueProxy.close();
    });
    for (const proxy of [databaseProxy, queueProxy]) proxy.cut();
    const proxiedRedisUrl = kind === 'redis' ? queueProxy.url : undefined;
    const { url } = await startService({ databaseUrl: databaseProxy.url, redisUrl: proxiedRedisUrl });
    expect((await get(`${url}/health`)).status).toBe(200);
    expect(await get(`${url}/ready`)).toMatchObject({
      status: 503,
      body: '{"status":"not_ready","failing":["database","queue"]}',
    });
    expect((await get(`${url}/metrics`)).status).toBe(200);
    for (const proxy of [databaseProxy, queueProxy]) proxy.heal();
    await eventually(async () => expect((await get(`${url}/ready`)).status).toBe(200));
    await publishOne();
    await waitForTimeline();
  });

  it('warns at start-up when webhook calls are not signed', async () => {
    const webhook = { url: 'https://hooks.example.com', signingSecrets: [], policy: { allowPrivate: true } };
    const unsigned = { level: WARN, msg: expect.stringContaining('webhook calls are not signed') };
    expect((await startService({ webhook })).lines).toContainEqual(expect.objectContaining(unsigned));
    const signed = { ...webhook, signingSecrets: [SIGNING_SECRET] };
    for (const config of [{ webhook: signed }, { webhook: undefined }]) {
      const { lines } = await startService(config);
      expect(lines).not.toContainEqual(expect.objectContaining(unsigned));
    }
  });

  it('finishes the webhook call in flight on SIGTERM, is not ready meanwhile, and exits with 0', async () => {
    const reply = Promise.withResolvers<ServerResponse>();
    const receiver = await startWebhookReceiver(reply.resolve);
    onTestFinished(() => receiver.close());
    const port = await findFreePort();
    const child = spawn(process.execPath, [MAIN_PATH], {
      env: {
        ...readInherited(),
        DATABASE_URL: db.url,
        REDIS_URL: redisUrl(),
        WORKFLOW_WEBHOOK_URL: receiver.url,
        WORKER_PORT: String(port),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'exit');
    const id = await publishOne();
    const response = await reply.promise;
    child.kill('SIGTERM');
    await eventually(async () =>
      expect(await get(`http://127.0.0.1:${port}/ready`)).toMatchObject({ status: 503 }),
    );
    response.end();
    expect(await exited).toEqual([0, null]);
    const event = await db.database.outboxEvent.findUniqueOrThrow({ where: { id } });
    expect(event.webhookState).toBe('done');
  });

  let db: TestDatabase;
  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(() => db.drop());

  // A database of Redis that no other suite uses: the process under test knows no prefix but its own.
  const queueUrl = () => queueUrlOf(kind, db.url) + (kind === 'redis' ? '/5' : '');
  const redisUrl = () => (kind === 'redis' ? queueUrl() : undefined);

  const startService = async (overrides: Partial<Config> = {}) => {
    const { logger, lines } = createRecordingLogger();
    const closers: (() => unknown)[] = [];
    onTestFinished(async () => {
      for (const close of closers.toReversed()) await close();
    });
    const { port } = await startWorkerService(
      {
        databaseUrl: db.url,
        redisUrl: redisUrl(),
        webhook: undefined,
        push: undefined,
        notificationWebhook: false,
        mailboxWork: undefined,
        operationsPassword: undefined,
        sharedVariables: {},
        port: 0,
        host: '127.0.0.1',
        logLevel: 'silent',
        ...overrides,
      },
      {
        logger,
        lifecycle: { onClose: (_name, close) => void closers.push(close) },
      },
    );
    return { url: `http://127.0.0.1:${port}`, lines };
  };

  /** Publishes an event as the API does, and relays it to the queue. */
  const publishOne = async () => {
    const queue = await openTestQueue(kind, {
      databaseUrl: db.url,
      queueUrl: queueUrl(),
      redisPrefix: 'mailsweep',
    });
    const event = domainEvents.generated();
    const id = await db.database.$transaction((tx) => publish(tx, event.type, event));
    const relay = createOutboxRelay({ database: db.database, queue, logger: createRecordingLogger().logger });
    await eventually(async () =>
      expect(await db.database.outboxEvent.count({ where: { publishedAt: null } })).toBe(0),
    );
    await relay.close();
    await queue.close();
    return id;
  };

  const waitForTimeline = () =>
    eventually(async () => expect(await db.database.notificationEvent.count()).toBe(1));
});

/** pino's number for the level. */
const WARN = 40;
const MAIN_PATH = fileURLToPath(new URL('./main.ts', import.meta.url));

const get = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, body: await response.text() };
};
