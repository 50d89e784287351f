import { beforeAll, expect, it } from 'vitest';
import { ask, type Reply } from './harness/ask.ts';
import { eventually, openRow } from './harness/campaign.ts';
import {
  ADA,
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  startFaultStack,
  suggestArchive,
  type User,
} from './harness/fault-stack.ts';

const CANARY = 'canary-5e1f';
const QUEUES = ['domain-events', 'deliver-persist', 'deliver-webhook'] as const;
const MAIL_COUNT = 6;

const rows = { r09: openRow('R09'), r34: openRow('R34') };

describeOnEachQueue('what is in emails, tokens, codes and cookies', 'redis', (queue) => {
  it('R34 is in no log line, metric or problem document, whatever goes wrong, and in no job that is done', async () => {
    explainFailure(stack);
    const problems: string[] = [];
    const keep = (reply: Reply): Reply => {
      if (String(reply.headers['content-type']).includes('problem')) problems.push(reply.text);
      return reply;
    };
    const ada = await stack.signIn();
    const program = await stack.signInProgram();
    let undone = '';

    const goThroughEverything = async () => {
      for (const path of [
        'emails',
        'suggestions',
        'notifications/history',
        'notifications/events',
        'me',
        'me/sessions',
        'me/audit',
      ]) {
        keep(await ada.ask(`/api/v1/${path}`));
        keep(await program.ask(`/api/v1/${path}`));
      }
      const act = async (path: string, action: string, index: number) =>
        keep(await ada.ask(path, { json: { emailIds: [`mail-${index}`, `${CANARY}-id`], action } }));
      await act('/api/v1/notifications/confirm', 'accept', 1);
      await act('/api/v1/notifications/confirm', 'reject', 2);
      const archived = await act('/api/v1/inbox/actions', 'archive', 3);
      await act('/api/v1/inbox/actions', 'delete', 4);
      await act('/api/v1/inbox/actions', CANARY, 5);
      keep(await ada.ask(`/api/v1/emails?pageToken=${CANARY}&category=${CANARY}`));
      keep(
        await ada.ask('/api/v1/inbox/actions', {
          body: `{"${CANARY}`,
          headers: { 'content-type': 'application/json' },
        }),
      );
      keep(await ada.ask('/api/v1/me', { cookie: `session_token=${CANARY}.${CANARY}.${CANARY}` }));
      for (const token of [`msw_${CANARY}`, `${program.token.slice(0, -1)}-`])
        keep(await program.ask('/api/v1/me', { headers: { authorization: `Bearer ${token}` } }));
      keep(await ada.ask(`/auth/idp/callback?code=${CANARY}&state=${CANARY}`));
      const [record] = (await ada.ask('/api/v1/notifications/history')).body?.data ?? [];
      undone = record?.id ?? undone;
      keep(await ada.ask(`/api/v1/notifications/history/${undone}/undo`, { method: 'POST', json: {} }));
      return archived;
    };

    // All is well.
    expect((await goThroughEverything()).status).toBe(200);
    // The classification service and the workflow service echo what they were sent, as errors.
    stack.ml.behave((response, items) => void response.writeHead(500).end(JSON.stringify(items)));
    stack.webhook.behave(
      (response, callNumber) => void response.writeHead(callNumber > 2 ? 204 : 500).end(CANARY),
    );
    await goThroughEverything();
    stack.ml.behave((response, items) => void response.writeHead(200).end(`{"${JSON.stringify(items)}`));
    await goThroughEverything();
    stack.ml.behave(suggestArchive);
    // Gmail refuses, and then the database and the queue are gone in the middle of it all.
    for (const kind of ['forbidden', 'server_error', 'unauthorized', 'reset'] as const) {
      await stack.google.fail({ kind, times: 2 });
      await goThroughEverything();
    }
    await stack.google.heal();
    for (const link of [...stack.links('redis'), ...stack.links('postgres')]) link.cut();
    await goThroughEverything();
    for (const link of [...stack.links('redis'), ...stack.links('postgres')]) link.heal();
    await eventually(async () => expect((await ada.ask('/api/v1/suggestions')).status).toBe(200));
    rows.r34.ran();

    const secrets = [...listSecrets(ada), program.token.slice(0, -1)];
    const hides = (text: string) => [CANARY, ...secrets].filter((secret) => text.includes(secret));

    await stack.waitUntilFinished(120_000);
    const metrics = await Promise.all(stack.members.map((member) => ask(`${member.operationsUrl}/metrics`)));
    expect(problems.length).toBeGreaterThan(10);
    expect(stack.readLogs().length).toBeGreaterThan(100);
    const found = [
      ...stack.readLogs().filter((line) => hides(line).length > 0),
      ...problems.filter((problem) => hides(problem).length > 0),
      ...metrics.filter(({ text }) => hides(text).length > 0).map(({ text }) => text),
    ];
    expect(found).toEqual([]);
    expect(await readJobs()).toEqual([]);

    // A job that waits holds the event, subjects among it, and nothing else of all this.
    for (const worker of stack.workers) await worker.stop();
    expect((await ada.ask('/api/v1/suggestions')).status).toBe(200);
    const waiting = await eventually(async () => {
      const jobs = await readJobs();
      expect(jobs.length).toBeGreaterThan(0);
      return jobs.join();
    });
    for (const secret of [...secrets, `${CANARY}-from`, `${CANARY}-text`])
      expect(waiting).not.toContain(secret);
    await Promise.all(stack.workers.map((worker) => worker.start()));
    await stack.waitUntilFinished();
    expect(await readJobs()).toEqual([]);
  });

  it('R09 no token, code or session is in the database, or ever reaches Redis', async () => {
    explainFailure(stack);
    const ada = await stack.signIn();
    expect((await ada.ask('/api/v1/suggestions')).status).toBe(200);
    await stack.waitUntilFinished();
    const secrets = listSecrets(ada);
    const tables = await stack.query<{ name: string }>(
      `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(5);
    const dump = await Promise.all(tables.map(({ name }) => stack.query(`SELECT t::text FROM ${name} t`)));
    const places = { database: JSON.stringify(dump), redis: sentToRedis.join('') };
    expect(places.redis.includes('domain.suggestions.generated')).toBe(queue === 'redis');
    for (const [place, text] of Object.entries(places)) {
      rows.r09.ran();
      const found = secrets.filter((secret) => text.includes(secret));
      expect({ place, found }).toEqual({ place, found: [] });
    }
  });

  /** Everything secret that went around so far. */
  const listSecrets = (user: User): string[] => {
    const internalTokens = stack.ml.calls.map(({ headers }) =>
      String(headers.authorization).replace('Bearer ', ''),
    );
    const secrets = [...stack.google.secrets, user.token, ...Object.values(stack.secrets), ...internalTokens];
    expect(internalTokens.length).toBeGreaterThan(0);
    expect(stack.google.secrets.size).toBeGreaterThan(3);
    return secrets;
  };

  /** All jobs in all queues, as text. */
  const readJobs = async (): Promise<string[]> => {
    const texts: string[] = [];
    for (const name of QUEUES) {
      const jobs = await (await stack.queue.openQueue(name)).getJobs();
      texts.push(...jobs.map((job) => JSON.stringify(job.asJSON())));
    }
    return texts;
  };

  /** Every byte that the processes sent to Redis, in the order of each. */
  const sentToRedis: string[] = [];
  let stack: FaultStack;
  beforeAll(async () => {
    const mail = Array.from({ length: MAIL_COUNT }, (_, index) => ({
      id: `mail-${index + 1}`,
      from: `Sender ${CANARY}-from <${CANARY}-from@shop.example>`,
      subject: `Subject ${CANARY}-subject`,
      text: `Text ${CANARY}-text`,
    }));
    stack = await startFaultStack({ queue, mail: { [ADA]: mail }, isStarted: false });
    for (const link of stack.links('redis')) {
      link.onChunk(({ direction, bytes }) => {
        if (direction === 'up') sentToRedis.push(bytes.toString('latin1'));
      });
    }
    await Promise.all(stack.members.map((member) => member.start()));
  });
});
