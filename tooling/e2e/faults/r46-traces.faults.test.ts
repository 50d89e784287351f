import { randomBytes } from 'node:crypto';
import { replayDeadLetters } from '@mailsweep/event-bus';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '@mailsweep/service-kit/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eventually } from './harness/campaign.ts';
import {
  ADA,
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  startFaultStack,
} from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';
import { runWorkerCommand } from './harness/run-worker-command.ts';

const MAIL_PREFIX = 'traced-mail';
const WEBHOOK_QUEUE = 'deliver-webhook';
/** What must be in no span, besides tokens: addresses, senders, subjects, ids of emails. */
const CONTENT = [ADA, 'example.com', 'shop.example', 'Subject of', MAIL_PREFIX];

describeOnEachQueue('R46 one trace', 'postgres', (queue) => {
  it('leads from generated suggestions to the webhook, which is called three times', async () => {
    explainFailure(stack);
    stack.webhook.behave((response, callNumber) =>
      callNumber <= 2
        ? void response.writeHead(503, { 'retry-after': '1' }).end()
        : void response.writeHead(204).end(),
    );
    const ada = await stack.signIn();
    const trace = beginTrace();
    expect((await ada.ask('/api/v1/suggestions', trace)).status).toBe(200);
    const spans = await collect(trace, `process ${WEBHOOK_QUEUE}`, 3);
    expect(callsIn(trace)).toHaveLength(3);
    expect(stack.ml.calls.at(-1)?.headers.traceparent).toContain(trace.id);
    const attempts = spans.filter(({ name }) => name === `process ${WEBHOOK_QUEUE}`);
    expect(attempts.map(({ isFailed }) => isFailed)).toEqual([true, true, false]);
    expect(namesOf(spans)).toEqual(
      expect.arrayContaining([
        'mailsweep-api GET /api/v1/suggestions',
        'mailsweep-api POST /v1/suggest',
        'mailsweep-api create domain-events',
        'mailsweep-api send domain-events',
        'mailsweep-worker process domain-events',
        'mailsweep-worker POST',
      ]),
    );
  });

  it('leads from a confirmation to the timeline', async () => {
    explainFailure(stack);
    const ada = await stack.signIn();
    const trace = beginTrace();
    const json = { emailIds: [`${MAIL_PREFIX}-1`], action: 'accept' };
    expect((await ada.ask('/api/v1/notifications/confirm', { ...trace, json })).status).toBe(200);
    expect(namesOf(await collect(trace, 'process domain-events', 1))).toEqual(
      expect.arrayContaining([
        'mailsweep-api POST /api/v1/notifications/confirm',
        'mailsweep-api POST /gmail/v1/users/me/messages/{id}/modify',
      ]),
    );
  });

  it('goes on when a dead letter is replayed', async () => {
    explainFailure(stack);
    stack.webhook.behave((response) => void response.writeHead(410).end());
    const ada = await stack.signIn();
    const trace = beginTrace();
    await ada.ask('/api/v1/suggestions', trace);
    await eventually(async () => expect((await stack.queue.countJobs(WEBHOOK_QUEUE)).failed).toBe(1));
    stack.webhook.behave();
    expect(await replayDeadLetters(stack.queue)).toHaveLength(1);
    await collect(trace, `process ${WEBHOOK_QUEUE}`, 2);
    expect(callsIn(trace)).toHaveLength(2);
  });

  it('goes on when an operator has a webhook sent again', async () => {
    explainFailure(stack);
    const ada = await stack.signIn();
    const trace = beginTrace();
    await ada.ask('/api/v1/suggestions', trace);
    await collect(trace, `process ${WEBHOOK_QUEUE}`, 1);
    const [sent] = callsIn(trace);
    expect(await runWorkerCommand(stack, 'webhooks', 'resend', sent?.id ?? '')).toContain('will be sent');
    await collect(trace, `process ${WEBHOOK_QUEUE}`, 2);
    expect(callsIn(trace).map(({ id }) => id)).toEqual([sent?.id, sent?.id]);
  });

  it('goes on when an operator resumes work that was parked', async () => {
    explainFailure(stack);
    const ada = await stack.signIn();
    await stack.worker.kill();
    const trace = beginTrace();
    const { body } = await ada.ask('/api/v1/scans', { ...trace, json: { scope: 'inbox' } });
    await stack.query(`UPDATE "MailboxScan" SET "crashes" = 5 WHERE id = '${body.id}'`);
    await stack.worker.start();
    expect(await runWorkerCommand(stack, 'dead-letters', 'list')).toContain(body.id);
    expect(await runWorkerCommand(stack, 'dead-letters', 'replay', body.id)).toContain('1 replayed');
    await collect(trace, 'process scan', 1);
  });

  it('leads from switching the watch on to its first run, and to none after it', async () => {
    explainFailure(stack);
    const ada = await stack.signIn();
    const trace = beginTrace();
    const json = { watch: { enabled: true, everyMinutes: 15 } };
    expect((await ada.ask('/api/v1/me/preferences', { ...trace, method: 'PATCH', json })).status).toBe(200);
    await collect(trace, 'process watch', 1);
    await eventually(async () =>
      expect(await stack.query('SELECT "traceParent" FROM "MailboxWatch" WHERE "leaseId" IS NULL')).toEqual([
        { traceParent: null },
      ]),
    );
    await stack.query('UPDATE "MailboxWatch" SET "dueAt" = now()');
    await eventually(() =>
      expect(collector.spans().filter(({ name }) => name === 'process watch')).toHaveLength(2),
    );
    expect(spansIn(trace).filter(({ name }) => name === 'process watch')).toHaveLength(1);
    await ada.ask('/api/v1/me/preferences', { method: 'PATCH', json: { watch: { enabled: false } } });
  });

  it('leads from a request to the work that it makes due', async () => {
    explainFailure(stack);
    const ada = await stack.signIn();
    const trace = beginTrace();
    const started = await ada.ask('/api/v1/scans', { ...trace, json: { scope: 'inbox' } });
    expect(started.status).toBe(202);
    const spans = await collect(trace, 'process scan', 1);
    expect(namesOf(spans)).toContain('mailsweep-worker GET /gmail/v1/users/me/messages');
  });

  it('is named in log lines and problem documents', async () => {
    const ada = await stack.signIn();
    const trace = beginTrace();
    const { body } = await ada.ask('/api/v1/emails?perPage=none', trace);
    expect(body).toMatchObject({ status: 400, traceId: trace.id });
    await eventually(() => {
      const line = stack.readLogs().find((each) => each.includes(body.requestId));
      expect(JSON.parse(line ?? '{}')).toMatchObject({ msg: 'request completed', trace_id: trace.id });
    });
  });

  it('shows nothing of emails, users and tokens', async () => {
    explainFailure(stack);
    const program = await stack.signInProgram();
    const id = `${MAIL_PREFIX}-2`;
    await program.ask(`/api/v1/inbox/actions`, { json: { emailIds: [id, CONTENT[3]], action: 'delete' } });
    await program.ask(`/api/v1/emails/${id}?subject=Subject+of`);
    await program.ask(`/api/v1/emails/${MAIL_PREFIX}/Subject+of`);
    await program.ask('/api/v1/me', { headers: { authorization: `Bearer msw_${MAIL_PREFIX}` } });
    const trace = beginTrace();
    await program.ask('/api/v1/me', trace);
    await collect(trace, 'GET /api/v1/me', 1);
    const { token, userId } = program;
    const secrets = [token, userId, ...stack.google.secrets, ...Object.values(stack.secrets)];
    expect(secrets.length).toBeGreaterThan(5);
    const received = collector.received();
    expect(received.includes('POST /api/v1/inbox/actions')).toBe(true);
    expect([...CONTENT, ...secrets].filter((text) => received.includes(text))).toEqual([]);
  });

  interface Trace {
    id: string;
    /** The span of the caller. */
    parentId: string;
    headers: Record<string, string>;
  }
  /** Begins a trace as a caller of the API does. */
  const beginTrace = (): Trace => {
    const [id, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    return { id, parentId, headers: { traceparent: `00-${id}-${parentId}-01` } };
  };
  const namesOf = (spans: CollectedSpan[]) => spans.map(({ service, name }) => `${service} ${name}`);
  const spansIn = ({ id }: Trace) => collector.spans().filter(({ traceId }) => traceId === id);
  const callsIn = ({ id }: Trace) =>
    stack.webhook.calls.filter(({ headers }) => String(headers.traceparent).startsWith(`00-${id}-`));
  /** Waits for so many spans of a name, and for the parents of all. */
  const collect = (trace: Trace, name: string, count: number): Promise<CollectedSpan[]> =>
    eventually(() => {
      const spans = spansIn(trace);
      expect(spans.filter((span) => span.name === name)).toHaveLength(count);
      const known = new Set([trace.parentId, ...spans.map(({ spanId }) => spanId)]);
      expect(spans.filter(({ parentId }) => !known.has(parentId))).toEqual([]);
      return spans;
    });

  let stack: FaultStack;
  let collector: TraceCollector;
  beforeAll(async () => {
    collector = await startTraceCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
    const mail = { [ADA]: mails(5, MAIL_PREFIX) };
    stack = await startFaultStack({ queue, mail, apiEnv: env, workerEnv: env });
  });
  afterAll(() => collector.close());
  beforeEach(() => stack.webhook.behave());
});
