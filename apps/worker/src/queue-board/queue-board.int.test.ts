import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { DOMAIN_EVENTS_QUEUE, type QueueBackend } from '@mailsweep/event-bus';
import {
  describeOnEachQueue,
  domainEvents,
  eventually,
  openTestQueue,
  queueUrlOf,
} from '@mailsweep/event-bus/testing';
import { listen } from '@mailsweep/service-kit';
import { createRecordingLogger, openFaultProxy } from '@mailsweep/service-kit/testing';
import express from 'express';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { createQueueBoard } from './queue-board.ts';

const PASSWORD = 'an operators’ password: long';
const JOBS = `/queues/api/queues?activeQueue=${DOMAIN_EVENTS_QUEUE}&status=waiting&page=1`;

describeOnEachQueue('the queues that operators see', (kind) => {
  it('are shown to those who have the password alone', async () => {
    const refused = await call('/queues/', { password: undefined });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic /);
    for (const path of ['/queues', JOBS, '/queues/static/images/logo.svg'])
      expect((await call(path, { password: 'another password' })).status).toBe(401);

    const page = await call('/queues/');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const html = await page.text();
    expect(html).toContain('Mailsweep');
    for (const [, script = ''] of html.matchAll(/ (?:src|href)="(static\/[^"]+)"/g))
      expect((await call(`/queues/${script}`)).status).toBe(200);
  });

  it('show no subject of an email', async () => {
    const event = domainEvents.generated();
    const subject = event.suggestions[0]?.subject ?? '';
    expect(subject.length).toBeGreaterThan(3);
    await queue.addJobs(DOMAIN_EVENTS_QUEUE, [{ id: 'job-1', name: event.type, data: event }]);

    const list = await (await call(JOBS)).text();
    expect(list).toContain(event.userId);
    const job = await (await call(`/queues/api/queues/${DOMAIN_EVENTS_QUEUE}/job-1`)).text();
    expect(job).toContain('job-1');
    for (const text of [list, job]) expect(text).not.toContain(subject);
  });

  it('cannot be changed', async () => {
    await queue.addJobs(DOMAIN_EVENTS_QUEUE, [{ id: 'job-1', name: 'test', data: {} }]);
    const path = `/queues/api/queues/${DOMAIN_EVENTS_QUEUE}`;
    for (const [method, route] of [
      ['PUT', '/pause'],
      ['PUT', '/empty'],
      ['PUT', '/obliterate'],
      ['PUT', '/job-1/retry'],
      ['PUT', '/job-1/clean'],
      ['POST', '/add'],
      ['PATCH', '/job-1/update-data'],
      ['DELETE', '/job-1'],
    ] as const) {
      const response = await call(path + route, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET, HEAD');
      expect((await call(path + route)).status).not.toBe(204);
    }
    const opened = await queue.openQueue(DOMAIN_EVENTS_QUEUE);
    expect(await opened.isPaused()).toBe(false);
    expect(await opened.getJobCounts('waiting')).toEqual({ waiting: 1 });
  });

  it('refuse an address after ten wrong passwords, whatever it sends then', async () => {
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect((await call('/queues/', { password: `guess ${attempt}` })).status).toBe(401);
    const refused = await call('/queues/');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('are shown once the queue is available', async () => {
    const proxy = await openFaultProxy(queueUrlOf(kind, db.url));
    onTestFinished(() => proxy.close());
    proxy.cut();
    const url = await serve(await openQueue(proxy.url));
    expect((await call(JOBS, { url })).status).toBe(503);
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'the queues could not be shown' }));
    proxy.heal();
    await eventually(async () => expect((await call(JOBS, { url })).status).toBe(200));
  });

  const call = (
    path: string,
    {
      url = boardUrl,
      method = 'GET',
      ...given
    }: { url?: string; method?: string; password?: string | undefined } = {},
  ) => {
    const password = 'password' in given ? given.password : PASSWORD;
    const authorization = `Basic ${Buffer.from(`operator:${password}`).toString('base64')}`;
    return fetch(url + path, { method, headers: password === undefined ? {} : { authorization } });
  };

  const openQueue = async (queueUrl?: string) => {
    const opened = await openTestQueue(kind, { databaseUrl: db.url, ...(queueUrl && { queueUrl }) });
    onTestFinished(() => opened.close());
    return opened;
  };

  const serve = async (shown: QueueBackend) => {
    const app = express().use(createQueueBoard({ queue: shown, password: PASSWORD, logger }));
    const server = await listen({ app, port: 0, host: '127.0.0.1' });
    onTestFinished(() => server.close());
    return `http://127.0.0.1:${server.port}`;
  };

  const { logger, lines } = createRecordingLogger();
  let db: TestDatabase;
  let queue: QueueBackend;
  let boardUrl: string;
  beforeEach(async () => {
    db = await createTestDatabase();
    queue = await openTestQueue(kind, { databaseUrl: db.url });
    boardUrl = await serve(queue);
  });
  afterEach(async () => {
    await queue.close();
    await db.drop();
  });
});
