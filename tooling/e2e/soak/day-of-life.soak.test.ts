import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrateDatabase } from '@mailsweep/database/migrate';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type Question, type Reply } from '../faults/harness/ask.ts';
import { askRedis } from '../faults/harness/ask-redis.ts';
import { startBalancer } from '../faults/harness/balancer.ts';
import { eventually } from '../faults/harness/campaign.ts';
import { readSoak } from '../faults/harness/config.ts';
import { checkOutEarlier, hasCommit, PREVIOUS_RELEASE } from '../faults/harness/earlier-checkout.ts';
import * as faultStack from '../faults/harness/fault-stack.ts';
import { startOwnPostgres, startOwnRedis } from '../faults/harness/own-servers.ts';
import { ONE_CLIENT_FOR_MANY, STANDSTILL_MS, startSteadyLoad } from '../faults/harness/steady-load.ts';
import { openReport, RETRIED } from './report.ts';

const { minutes: MINUTES, queue: QUEUE } = readSoak();
const LENGTH_MS = MINUTES * 60_000;
/** From one event to the next: as many as fit in a short soak; each kind twice in an hour. */
const PERIOD_MS = Math.min(150_000, Math.max(30_000, LENGTH_MS / 13));
/** How long something is away. */
const AWAY_MS = Math.min(30_000, PERIOD_MS / 4);
/** Once everybody is ready again, what failed is still retried for a while. */
const AFTERMATH_MS = Math.min(10_000, PERIOD_MS / 6);
const REQUESTS_PER_SECOND = 6;
/** How long a client waits before it tries again, and for how long it does. */
const RETRY_MS = 1_500;
const GIVES_UP_MS = 120_000;
const SETTLED_WITHIN_MS = 180_000;
const EMAILS = Array.from({ length: 8 }, (_, index) => `user-${index}@example.com`);
const ENV = {
  LOG_LEVEL: 'info',
  NOTIFICATION_WEBHOOK: 'true',
  // Users do here in a minute what takes them weeks.
  GMAIL_QUOTA_UNITS_PER_MINUTE: '200000',
};

/** What becomes of an email. Its sender says so, and the classification service goes by it. */
const FATES = ['confirm', 'archive', 'cleanup', 'rule', 'alert', 'stay'] as const;
type Fate = (typeof FATES)[number];
interface Mail {
  id: string;
  to: string;
  fate: Fate;
  /** Where it is by what its user was told; `either` while nobody was told. */
  place: 'inbox' | 'elsewhere' | 'either';
  /** The history record of its archiving, which may be undone. */
  recordId?: string | undefined;
}
const classify = respondWithSuggestions(({ from }) => [
  {
    action: from.includes('alert@') ? 'notify' : 'archive',
    classification: from.includes('rule@') ? 'newsletter' : 'bulk',
    confidence_score: 0.9,
  },
]);
/** A user, and the emails of which they were told that their decision is recorded. */
type Person = faultStack.User & { decided: string[] };

/**
 * A day of life: users work on an installation of two APIs and two workers, email arrives, rules act, and every few minutes
 * something happens. At the end nothing is lost, nothing is doubled, and nothing has grown.
 */
const describeSoak = QUEUE === 'redis' ? faultStack.describeOnRedis : describe;
describeSoak(`An installation with its queue on ${QUEUE}`, () => {
  it('lives through a day', { timeout: LENGTH_MS + 1_800_000 }, async () => {
    faultStack.explainFailure(stack);
    report = openReport({ minutes: MINUTES, title: `Soak, queue on ${QUEUE}` });
    const evening = new AbortController();
    const every = async (intervalMs: number, task: () => Promise<unknown> | undefined) => {
      while (!evening.signal.aborted) {
        // While something is away, a task may fail.
        await task()?.catch(() => undefined);
        await sleep(intervalMs, undefined, evening).catch(() => undefined);
      }
    };
    const running = [
      every(1_000, deliver),
      // Users may choose five minutes at the least; for the watch, time goes by faster here.
      every(15_000, () => stack.hurry('MailboxWatch')),
      every(5_000, () => (isCalm() ? sample() : undefined)),
      every(60_000, async () => report.write()),
      every(100, async () => {
        if (report.nowMs() - beatAtMs > 100 + STANDSTILL_MS) stoodStillAtMs = report.nowMs();
        beatAtMs = report.nowMs();
      }),
    ];
    const load = startSteadyLoad({ requestsPerSecond: REQUESTS_PER_SECOND, send: visit });
    try {
      await sleep(PERIOD_MS / 4);
      const [begin, ...others] = Object.keys(events);
      for (let index = 0; report.nowMs() < LENGTH_MS - PERIOD_MS; index += 1) {
        const dueMs = report.nowMs() + PERIOD_MS;
        await happen(index === 0 ? begin : others[(index - 1) % others.length]);
        await sleep(Math.max(PERIOD_MS / 2, dueMs - report.nowMs()));
      }
      await sleep(LENGTH_MS - report.nowMs());
      await load.stop();
      evening.abort();
      await Promise.all(running);
      await settle();
      await judge();
    } catch (error) {
      report.check('the day comes to its end', String(error));
    } finally {
      evening.abort();
      await load.stop();
    }
    expect(report.finish()).toEqual([]);
  });

  // What happens to the installation
  // --------------------------------

  /** The first of a kind is killed. The second lives on from the upgrade to the end, and keeps what it gathers. */
  const kill = async ([first]: readonly faultStack.Member[]) => {
    await first?.kill();
    await sleep(AWAY_MS);
    await first?.start();
  };
  const breakLinks = async (name: faultStack.LinkName, fault: 'cut' | 'freeze') => {
    for (const link of stack.links(name)) link[fault]();
    await sleep(AWAY_MS);
    for (const link of stack.links(name)) link.heal();
  };
  const restart = async (server: typeof postgres | typeof redis, change?: () => void) => {
    await server?.stop();
    change?.();
    await sleep(AWAY_MS / 2);
    await server?.start();
  };
  const events: Record<string, () => Promise<unknown>> = {
    'the installation is upgraded': async () => {
      await migrateDatabase({ databaseUrl: stack.database.ownerUrl });
      for (const member of stack.members) {
        await member.stop();
        await member.start();
        await eventually(() => expectReady([member]));
      }
    },
    'an API is killed': () => kill(stack.apis),
    'Gmail is silent': () => breakLinks('gmail', 'freeze'),
    'a worker is killed': () => kill(stack.workers),
    ...(QUEUE === 'redis' && {
      'Redis restarts': () => restart(redis),
      'Redis restarts without its memory': () => restart(redis, redis?.forget),
    }),
    'Postgres restarts': () => restart(postgres),
    'every access token ends': async () => {
      for (const user of EMAILS) await stack.google.fail({ kind: 'unauthorized', user, times: 1 });
      await stack.query(`UPDATE "ProviderConnection" SET "accessTokenExpiresAt" = now()`);
    },
    'the workflow service is down': () => breakLinks('webhook', 'cut'),
    'Postgres takes no writes': async () => {
      await postgres.changeSetting('SET default_transaction_read_only = on');
      await sleep(AWAY_MS);
      await postgres.changeSetting('RESET default_transaction_read_only');
    },
    'Gmail refuses': async () => {
      await stack.google.fail({ kind: 'unavailable', times: 1_000_000 });
      await sleep(AWAY_MS);
      await stack.google.heal();
    },
  };

  const expectReady = async (members: readonly faultStack.Member[]) => {
    for (const member of members) {
      expect((await ask(`${member.operationsUrl}/ready`)).status).toBe(200);
      expect(balancer.isReady(member) || stack.workers.includes(member)).toBe(true);
    }
  };
  let calmFromMs = 0;
  let beatAtMs = 0;
  let stoodStillAtMs = Number.NEGATIVE_INFINITY;
  const isCalm = (fromMs = report.nowMs()): boolean => fromMs > calmFromMs;
  const happen = async (name = '') => {
    report.happened(name);
    calmFromMs = Number.POSITIVE_INFINITY;
    await events[name]?.();
    await eventually(() => expectReady(stack.members));
    calmFromMs = report.nowMs() + AFTERMATH_MS;
  };

  // What users do
  // -------------

  /** Signs somebody in who has a watch, a rule that archives newsletters, and alerts sent to the workflow service. */
  const moveIn = async (email: string): Promise<Person> => {
    const user = await stack.signIn(email);
    const change = { watch: { enabled: true, everyMinutes: 5 }, notifications: { alert: { webhook: true } } };
    const changed = await user.ask('/api/v1/me/preferences', { method: 'PATCH', json: change });
    const condition = { type: 'classification', classification: 'newsletter' };
    const rule = { condition, olderThan: 0, action: 'archive', enabled: true };
    const made = await user.ask('/api/v1/rules', { json: rule });
    expect([changed.status, made.status]).toEqual([200, 200]);
    // The first check only notes where the mailbox stands.
    await eventually(async () => expect((await user.ask('/api/v1/watch')).body.lastRun).not.toBeNull());
    return { ...user, decided: [] };
  };

  let arrived = 0;
  const deliver = async () => {
    const fate = FATES[arrived % FATES.length] ?? 'stay';
    const to = EMAILS[Math.floor(arrived / FATES.length) % EMAILS.length] ?? '';
    const labelIds = ['INBOX', 'UNREAD', ...(fate === 'cleanup' ? ['CATEGORY_PROMOTIONS'] : [])];
    const from = `${fate}@shop.example`;
    const id = await stack.google.deliver(to, { from, subject: 'An offer', labelIds });
    if (id === undefined) return;
    arrived += 1;
    const place = fate === 'rule' ? 'elsewhere' : fate === 'cleanup' ? 'either' : 'inbox';
    mails.push({ id, to, fate, place });
  };
  const request = async ({ cookie }: Person, path: string, question: Question = {}, isRetry = false) => {
    const atMs = report.nowMs();
    const reply = await balancer.ask(path, { cookie, ...question });
    // What is tried again may have begun while something was at fault, and so is a machine that stands still.
    const isUntroubled = !isRetry && isCalm(atMs) && stoodStillAtMs < atMs - RETRY_MS;
    report.responded({ status: reply.status, tookMs: reply.tookMs, atMs, isCalm: isUntroubled });
    return reply;
  };
  const read = (path: string) => (person: Person) => request(person, `/api/v1/${path}`);
  /** Sends what changes something under one key until there is a response, as clients do. */
  const act = async (person: Person, path: string, json?: object): Promise<Reply> => {
    const question = { method: 'POST', headers: { 'idempotency-key': randomUUID() }, json };
    const untilMs = report.nowMs() + GIVES_UP_MS;
    let reply = await request(person, `/api/v1/${path}`, question);
    while (RETRIED.has(reply.status) && report.nowMs() < untilMs) {
      await sleep(RETRY_MS);
      reply = await request(person, `/api/v1/${path}`, question, true);
    }
    return reply;
  };
  const isDone = ({ body }: Reply): boolean => body?.results?.[0]?.status === 'ok';
  /** Takes the newest email of a fate out of the inbox; where it is stays open until there is a response. */
  const tidy = async (person: Person, fate: Fate, path: string, action: string): Promise<Reply> => {
    const isHere = ({ to, place }: Mail) => to === person.email && place === 'inbox';
    const mail = mails.findLast((one) => one.fate === fate && isHere(one));
    if (mail === undefined) return read('me')(person);
    mail.place = 'either';
    const reply = await act(person, path, { emailIds: [mail.id], action });
    if (!isDone(reply)) return reply;
    Object.assign(mail, { place: 'elsewhere', recordId: reply.body.results[0].recordId });
    if (fate === 'confirm') person.decided.push(mail.id);
    return reply;
  };

  const visits: ((person: Person) => Promise<Reply>)[] = [
    read('emails'),
    (person) => tidy(person, 'confirm', 'notifications/confirm', 'accept'),
    read('suggestions'),
    async function reject(person) {
      const emailId = `mail-${randomUUID()}`;
      const reply = await act(person, 'notifications/confirm', { emailIds: [emailId], action: 'reject' });
      if (isDone(reply)) person.decided.push(emailId);
      return reply;
    },
    read('notifications/summary'),
    (person) => tidy(person, 'archive', 'inbox/actions', 'archive'),
    read('notifications/history'),
    async function undo(person) {
      const isArchived = ({ to, fate, recordId }: Mail) =>
        to === person.email && fate === 'archive' && recordId;
      const mail = mails.find(isArchived);
      if (mail === undefined) return read('senders')(person);
      const ids = [mail.recordId];
      Object.assign(mail, { place: 'either', recordId: undefined });
      const reply = await act(person, 'notifications/history/undo', { ids });
      if (isDone(reply)) mail.place = 'inbox';
      return reply;
    },
    read('notifications/events'),
    async function cleanUp(person) {
      const selection = { type: 'filter', scope: 'inbox', category: 'promotions' };
      const plan = await act(person, 'cleanups', { action: 'archive', selection });
      return plan.body?.total > 0 ? act(person, `cleanups/${plan.body.id}/run`, {}) : plan;
    },
    (person) => (Math.random() < 0.2 ? act(person, 'scans', {}) : read('activity')(person)),
  ];
  const visit = async (number: number): Promise<Reply> => {
    const person = people[number % people.length] as Person;
    const go = visits[Math.floor(number / people.length) % visits.length] ?? read('me');
    // Thousands of replies are kept.
    return { ...(await go(person)), text: '', body: undefined, headers: {} };
  };

  const sample = async () => {
    const [stored] = await stack.query<{ changes: number; databaseBytes: number }>(
      `SELECT (SELECT count(*) FROM "ActionHistory")::int + $1 AS "changes",
        pg_database_size(current_database())::float8 AS "databaseBytes"`,
      [mails.length],
    );
    const memory = redis ? await askRedis(redis.url, 'INFO memory') : '';
    const redisBytes = Number(/used_memory:(\d+)/.exec(memory)?.[1] ?? 0);
    if (stored) report.sample(stack.members, { ...stored, redisBytes });
  };

  // What is true at the end
  // -----------------------

  /** Has the watches run once more after all, and waits for what comes of it. */
  const settle = async () => {
    await stack.query('UPDATE "Rule" SET "dueAt" = now()');
    // The first of two runs may have begun before the last email arrived.
    for (let run = 1; run <= 2; run += 1) {
      const now = new Date();
      await eventually(async () => {
        await stack.hurry('MailboxWatch');
        expect(await stack.query('SELECT FROM "MailboxWatch" WHERE "lastRunAt" < $1', [now])).toEqual([]);
      }, SETTLED_WITHIN_MS);
    }
    await stack.hurryUntilFinished(SETTLED_WITHIN_MS);
  };

  const say = (wrong: readonly unknown[]): string =>
    wrong.length === 0 ? '' : `${wrong.length} are wrong: ${JSON.stringify(wrong.slice(0, 3))}`;
  const judge = async () => {
    await judgeMailboxes();
    const judged: [string, number][] = [];
    for (const { userId, decided } of people)
      judged.push(...Object.entries(await stack.judgeConfirmed(userId, decided)));
    const decisions = people.flatMap(({ decided }) => decided).length;
    const wrong = judged.filter(([, count]) => count > 0);
    report.check(`each of ${decisions} decisions is in history and timeline once`, say(wrong));
    const twice = 'SELECT "batchId", "emailId" FROM "ActionHistory" GROUP BY 1, 2 HAVING count(*) > 1';
    report.check('no batch has an email twice', say(await stack.query(twice)));
    const ended = `SELECT "state", "error" FROM "Cleanup" WHERE "state" NOT IN ('planned', 'expired', 'completed')
      UNION ALL SELECT "state", "error" FROM "MailboxScan" WHERE "state" <> 'completed'`;
    report.check('every cleanup and scan that began is completed', say(await stack.query(ended)));
    await judgeWebhook();
    await stack.query(`UPDATE "OutboxEvent" SET "publishedAt" = "publishedAt" - interval '1 day'`);
    await eventually(async () => expect(await stack.query('SELECT FROM "OutboxEvent"')).toEqual([]));
    report.check('events are deleted an hour after they were delivered', '');
  };

  /** Holds the mailboxes against what users were told, and against what the history says was changed and not undone. */
  const judgeMailboxes = async () => {
    const rows = await stack.query<{ emailId: string; count: number }>(
      `SELECT "emailId", count(*)::int FROM "ActionHistory"
       WHERE "undoneAt" IS NULL AND "details"->'labelChange'->'removed' ? 'INBOX' GROUP BY 1`,
    );
    const recorded = new Map(rows.map(({ emailId, count }) => [emailId, count]));
    const found: (Mail & { isInInbox: boolean; records: number })[] = [];
    for (const mail of mails) {
      const isInInbox = (await stack.google.labelsOf(mail.to, mail.id)).includes('INBOX');
      found.push({ ...mail, isInInbox, records: recorded.get(mail.id) ?? 0 });
    }
    const misplaced = found.filter(({ place, isInInbox }) => place === (isInInbox ? 'elsewhere' : 'inbox'));
    const misrecorded = found.filter(({ isInInbox, records }) => records !== (isInInbox ? 0 : 1));
    report.check(`${mails.length} emails are where users were told`, say(misplaced));
    report.check('each email out of the inbox is recorded once', say(misrecorded));
  };

  /** What comes again has the same id, so that it counts once. */
  const judgeWebhook = async () => {
    const { calls } = stack.webhook;
    const bodies = new Map(calls.map(({ id, body }) => [id, JSON.parse(body)]));
    const idsOf = (type: string) => [...bodies].flatMap(([id, body]) => (body.type === type ? [id] : []));
    const told = idsOf('domain.suggestions.generated');
    const rows = await stack.query<{ id: string }>(
      `SELECT "id" FROM "NotificationEvent" WHERE "type" = 'domain.suggestions.generated'`,
    );
    const wrong = new Set(told).symmetricDifference(new Set(rows.map(({ id }) => id)));
    const again = `${calls.length - bodies.size} calls came again`;
    report.check(`the workflow service has each of ${rows.length} events (${again})`, say([...wrong]));
    const alerts = mails.filter(({ fate }) => fate === 'alert').length;
    const counts = idsOf('notification.alert').map((id): number => bodies.get(id).data.detail.content.count);
    const alerted = counts.reduce((sum, count) => sum + count, 0);
    report.check(`each of ${alerts} alerts is told once`, alerted === alerts ? '' : `${alerted} were told`);
  };

  // The installation
  // ----------------

  const people: Person[] = [];
  const mails: Mail[] = [];
  let report: ReturnType<typeof openReport>;
  let balancer: Awaited<ReturnType<typeof startBalancer>>;
  let stack: faultStack.FaultStack;
  let postgres: Awaited<ReturnType<typeof startOwnPostgres>>;
  let redis: Awaited<ReturnType<typeof startOwnRedis>> | undefined;
  const opened = new AsyncDisposableStack();
  beforeAll(async () => {
    postgres = await startOwnPostgres();
    opened.defer(postgres.close);
    if (QUEUE === 'redis') redis = await startOwnRedis();
    if (redis) opened.defer(redis.close);
    stack = await faultStack.startFaultStack({
      queue: QUEUE,
      database: postgres.database,
      ...(redis && { redis }),
      apis: 2,
      workers: 2,
      mail: Object.fromEntries(EMAILS.map((email) => [email, []])),
      apiEnv: { ...ONE_CLIENT_FOR_MANY, ...ENV },
      workerEnv: ENV,
      isStarted: false,
    });
    for (const member of stack.members) opened.defer(member.kill);
    stack.ml.behave(classify);
    // It begins with the release before this one, where git has it.
    const previous = hasCommit(PREVIOUS_RELEASE) ? await checkOutEarlier(PREVIOUS_RELEASE) : undefined;
    opened.defer(() => previous?.remove());
    await previous?.rollBack(stack.database.ownerUrl);
    await Promise.all(stack.members.map((member) => member.start({}, previous?.root)));
    for (const email of EMAILS) people.push(await moveIn(email));
    balancer = await startBalancer(stack.apis);
    opened.defer(balancer.close);
  }, 900_000);
  afterAll(() => opened.disposeAsync());
});
