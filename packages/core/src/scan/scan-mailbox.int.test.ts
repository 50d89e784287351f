import { createSecretKey, randomBytes } from 'node:crypto';
import {
  DOMAIN_EVENTS,
  type MlRequestItem,
  type ScanScope,
  type Suggestion,
  type SuggestionsGeneratedEvent,
} from '@mailsweep/contracts';
import { isOwnerMissing } from '@mailsweep/database';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import {
  refusal,
  startTestGmail,
  type TestGmail,
  type TestMessage,
} from '@mailsweep/google-sandbox/testing/gmail';
import { createGmailMailbox } from '@mailsweep/mail/gmail';
import { MailboxError } from '@mailsweep/mail/mailbox';
import { createMessageStores } from '@mailsweep/mail/message-cache';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import { createMemoryQuotaStore, createQuotaGovernor, meterQuota, SYSTEM_CLOCK } from '@mailsweep/mail/quota';
import { MlUnavailableError } from '@mailsweep/ml-client';
import { createLogger } from '@mailsweep/service-kit';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { StepOutcome } from '../due-work/run-step.ts';
import { inboxMail } from '../testing/mailbox-bench.ts';
import { cancelScan, findScan } from './mailbox-scan.repository.ts';
import { createScanMailbox, type ScanEvent } from './scan-mailbox.ts';
import { createScans } from './scans.ts';

const BULK: Suggestion = { action: 'archive', classification: 'bulk', confidence_score: 0.9 };
/** Emails of the first page. */
const FIRST_PAGE = 25;
/** The first page, a full one and a short one of 30. */
const MAIL_COUNT = FIRST_PAGE + 100 + 30;
/** Fewest suggestions that are worth an event. */
const THRESHOLD = 10;
const FLOOR = 3 * 5 + MAIL_COUNT * 20;

describe('a scan', () => {
  test('looks at every email once, at what it must cost, and stores what it saw and what is suggested', async () => {
    const id = await start();
    expect(await walk(id)).toEqual([{ kind: 'next' }, { kind: 'next' }, { kind: 'over' }]);

    expect(await read(id)).toMatchObject({
      state: 'completed',
      scanned: MAIL_COUNT,
      total: MAIL_COUNT,
      suggested: MAIL_COUNT,
      unclassified: 0,
      error: null,
      etaSeconds: null,
    });
    const { unitsUsed } = await read(id);
    expect(unitsUsed).toBe(gmail.units());
    // Where the history stood is asked for once, what came after the first page at most once a page; counting takes 5, and so
    // do the list of what is snoozed, and with each page that of what was sent.
    expect(unitsUsed - FLOOR).toBeLessThanOrEqual(1 + 2 * 2 + 5 + 5 + 3 * 5);
    expect(await count('CachedMessage')).toBe(MAIL_COUNT);
    expect(await count('EmailSuggestion')).toBe(MAIL_COUNT);
  });

  test('publishes all it found in one event at its end, naming the newest 100', async () => {
    await walk(await start());

    const events = await db.query<{ payload: SuggestionsGeneratedEvent }>(
      'SELECT "payload" FROM "OutboxEvent"',
    );
    expect(events).toHaveLength(1);
    const payload = events[0]?.payload;
    expect(payload).toMatchObject({
      type: DOMAIN_EVENTS.SUGGESTIONS_GENERATED,
      userId,
      summary: {
        totalSuggestions: MAIL_COUNT,
        actionCounts: { archive: MAIL_COUNT },
        classificationCounts: { bulk: MAIL_COUNT },
      },
    });
    expect(payload?.suggestions).toHaveLength(100);
    expect(payload?.summary.sampledEmails).toEqual(payload?.suggestions.slice(0, 5));
    expect(Date.parse(payload?.generatedAt ?? '')).toBeLessThanOrEqual(Date.now());
    expect(payload?.suggestions[0]).toEqual({
      emailId: 'm0',
      subject: 'Subject of m0',
      suggestions: [BULK],
    });
  });

  test('publishes nothing when too little was found', async () => {
    suggest = ({ id }) => (id === 'm7' || id === 'm140' ? [BULK] : []);
    const id = await start();
    await walk(id);

    expect(await read(id)).toMatchObject({ suggested: 2 });
    expect(await count('OutboxEvent')).toBe(0);
  });

  test('publishes what is just enough, and never an empty event', async () => {
    const suggested = new Set(Array.from({ length: THRESHOLD }, (_, index) => `m${index * 15}`));
    suggest = ({ id }) => (suggested.has(id) ? [BULK] : []);
    await walk(await start());
    expect(await count('OutboxEvent')).toBe(1);

    await db.query('TRUNCATE "OutboxEvent"');
    suggest = () => [];
    takeStep = openScanner({ publishThreshold: 0 });
    await walk(await start());
    expect(await count('OutboxEvent')).toBe(0);
  });

  test('looks at no more than it was asked for', async () => {
    await gmail.change(idsOf(inboxMail(30)), { removed: ['INBOX'] });
    const { scan } = await startScan(userId, { scope: 'inbox' });
    await walk(scan.id);

    expect(await read(scan.id)).toMatchObject({ scope: 'inbox', scanned: MAIL_COUNT - 30 });
  });

  test('is observed as it goes on: each page, and its end', async () => {
    await walk(await start());

    expect(observed).toEqual([
      { type: 'page_read', emails: FIRST_PAGE },
      { type: 'page_read', emails: 100 },
      { type: 'page_read', emails: 30 },
      { type: 'ended', outcome: 'completed' },
    ]);
  });

  test('shows how far it is, and when it will be done', async () => {
    const id = await start();
    expect(await read(id)).toMatchObject({ state: 'queued', startedAt: null, etaSeconds: null });
    await takeStep({ id });

    const scan = await read(id);
    expect(scan).toMatchObject({ state: 'running', scanned: FIRST_PAGE, total: MAIL_COUNT });
    expect(scan.etaSeconds).toBeGreaterThanOrEqual(0);
    await db.query(`UPDATE "MailboxScan" SET "startedAt" = "progressedAt" - interval '100 seconds'`);
    expect(await read(id)).toMatchObject({ etaSeconds: 520 });
  });

  test.each([
    ['all', MAIL_COUNT - 4],
    ['inbox', MAIL_COUNT - 10],
  ] as const)('takes its total from what Gmail counts exactly (%s)', async (scope, total) => {
    const last = ['SPAM', 'TRASH', 'DRAFT', 'CHAT'];
    await fillMailbox(
      inboxMail(MAIL_COUNT).map((message, index) =>
        index < MAIL_COUNT - 10
          ? message
          : { ...message, labels: [last[index - (MAIL_COUNT - 10)] ?? 'STARRED'] },
      ),
    );
    const id = await start(scope);
    await takeStep({ id });
    expect(await read(id)).toMatchObject({ scanned: FIRST_PAGE, total });
  });

  test('knows no total and no time left where Gmail does not count', async () => {
    gmail.intercept(({ path }) => (path.endsWith('/labels/SPAM') ? refusal(403, 'forbidden') : undefined));
    const id = await start();
    expect(await takeStep({ id })).toEqual({ kind: 'next' });
    expect(await read(id)).toMatchObject({
      state: 'running',
      scanned: FIRST_PAGE,
      total: 0,
      etaSeconds: null,
    });
  });

  test('does not ask what to do with mail that the user wrote', async () => {
    const [sent, received] = [inboxMail(5, { labels: ['SENT', 'STARRED'] }), inboxMail(MAIL_COUNT).slice(5)];
    await fillMailbox([...sent, ...received]);
    const id = await start();
    await walk(id);

    expect(await read(id)).toMatchObject({ scanned: MAIL_COUNT, suggested: MAIL_COUNT - 5 });
  });

  test('does not count the suggestion to archive what has left the inbox', async () => {
    await gmail.change(idsOf(inboxMail(5)), { removed: ['INBOX'] });
    suggest = ({ id }) => [id === 'm0' ? { ...BULK, action: 'delete' } : BULK];
    const id = await start();
    await walk(id);

    expect(await read(id)).toMatchObject({ scanned: MAIL_COUNT, suggested: MAIL_COUNT - 4 });
  });

  test('does not call the service for a page of nothing else either', async () => {
    await fillMailbox(inboxMail(3, { labels: ['SENT'] }));
    takeStep = openScanner({
      mlClient: { suggest: () => Promise.reject(new Error('asked about nothing')) },
    });
    const id = await start();
    expect(await walk(id)).toEqual([{ kind: 'over' }]);
    expect(await read(id)).toMatchObject({ state: 'completed', scanned: 3, unclassified: 0 });
  });

  test('leaves out what the user has confirmed', async () => {
    await db.query(
      `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId")
       VALUES ($1, $2, 'm3', 'reject', now(), $3, gen_random_uuid())`,
      [
        uuidv7(),
        userId,
        JSON.stringify({
          source: 'suggestions',
          gmailResponse: { status: 'skipped' },
          note: '',
          labelChange: { added: [], removed: [] },
          suggestions: [BULK],
        }),
      ],
    );
    const id = await start();
    await walk(id);
    expect(await read(id)).toMatchObject({ suggested: MAIL_COUNT - 1 });
  });

  test('costs little once the messages are cached', async () => {
    await walk(await start());
    const id = await start();
    await walk(id);
    expect(await read(id)).toMatchObject({ scanned: MAIL_COUNT, unitsUsed: 3 * (5 + 5 + 2) + 5 + 5 });
  });

  test('caches what it reads while other clients change the mailbox and the user reads it', async () => {
    const other = openMailbox();
    let changed = 0;
    gmail.intercept(async ({ path, query }) => {
      if (!path.endsWith('/messages/m100') || query.get('format') !== 'full' || changed > 0) return undefined;
      changed += 1;
      await gmail.change('m0', { removed: ['UNREAD'] });
      await other.mailbox.listEmails({ scope: 'all', pageSize: 5 });
      return undefined;
    });
    await walk(await start());

    expect(changed).toBe(1);
    expect(await count('CachedMessage')).toBe(MAIL_COUNT);
  });
});

describe('a step', () => {
  test('that two processes take counts once', async () => {
    const id = await start();
    const bothAsk = Promise.withResolvers<void>();
    let asked = 0;
    takeStep = openScanner({
      mlClient: {
        async suggest(items) {
          asked += 1;
          if (asked === 2) bothAsk.resolve();
          await bothAsk.promise;
          return new Map(items.map((item) => [item.id, [BULK]]));
        },
      },
    });
    await Promise.all([takeStep({ id }), takeStep({ id })]);
    expect(await read(id)).toMatchObject({ scanned: FIRST_PAGE, suggested: FIRST_PAGE });
    expect(observed).toEqual([{ type: 'page_read', emails: FIRST_PAGE }]);
  });

  test('whose process dies before it is written down is taken again, and its messages are not paid for twice', async () => {
    const id = await start();
    await takeStep({ id });
    suggest = () => {
      throw new Error('killed');
    };
    await expect(takeStep({ id })).rejects.toThrow('killed');
    const before = gmail.units();
    suggest = () => [BULK];
    await walk(id);

    expect(await read(id)).toMatchObject({ state: 'completed', scanned: MAIL_COUNT, suggested: MAIL_COUNT });
    expect(gmail.units() - before).toBeLessThanOrEqual(7 + 5 + 30 * 20 + 2 + 2 * 5);
  });

  test('of a scan that was cancelled changes nothing', async () => {
    const id = await start();
    await takeStep({ id });
    suggest = () => [{ ...BULK, action: 'delete' }];
    gmail.intercept(async ({ path }) => {
      if (path.endsWith('/messages/m100')) await cancelScan(db.database, userId, id);
      return undefined;
    });
    await takeStep({ id });

    expect(await takeStep({ id })).toEqual({ kind: 'over' });
    expect(await read(id)).toMatchObject({ state: 'cancelled', scanned: FIRST_PAGE, suggested: FIRST_PAGE });
    expect(await count('EmailSuggestion')).toBe(FIRST_PAGE);
  });
});

describe('while something is away, a scan', () => {
  test('waits for the classification service once, not on every page', async () => {
    suggest = () => null;
    const id = await start();
    expect(await takeStep({ id })).toEqual({
      kind: 'wait',
      waitMs: 15_000,
      reason: 'classification_unavailable',
    });
    await db.query(`UPDATE "MailboxScan" SET "progressedAt" = now() - interval '5 minutes'`);
    await walk(id);

    expect(await read(id)).toMatchObject({
      state: 'completed',
      scanned: MAIL_COUNT,
      suggested: 0,
      unclassified: MAIL_COUNT,
    });
    expect(observed[0]).toEqual({ type: 'waits', reason: 'classification_unavailable' });
  });

  test('waits for the classification service, and goes on without it after a while', async () => {
    suggest = () => null;
    const id = await start();
    expect(await takeStep({ id })).toMatchObject({ kind: 'wait', reason: 'classification_unavailable' });
    expect(await read(id)).toMatchObject({
      state: 'waiting',
      error: 'classification_unavailable',
      scanned: 0,
    });

    await db.query(`UPDATE "MailboxScan" SET "progressedAt" = now() - interval '5 minutes'`);
    await takeStep({ id });
    expect(await read(id)).toMatchObject({
      state: 'running',
      error: null,
      scanned: FIRST_PAGE,
      unclassified: FIRST_PAGE,
    });
    suggest = () => [BULK];
    await walk(id);
    expect(await read(id)).toMatchObject({
      state: 'completed',
      scanned: MAIL_COUNT,
      unclassified: FIRST_PAGE,
      suggested: MAIL_COUNT - FIRST_PAGE,
    });
    expect(await count('CachedMessage')).toBe(MAIL_COUNT);
  });

  test('waits as long as the provider asks, and goes on', async () => {
    const id = await start();
    isAway = new MailboxError('rate_limited', 'too much', { retryAfterMs: 7_000 });
    expect(await takeStep({ id })).toEqual({ kind: 'wait', waitMs: 7_000, reason: 'rate_limited' });
    expect(await read(id)).toMatchObject({ state: 'waiting', error: 'rate_limited', finishedAt: null });
    isAway = undefined;
    await walk(id);
    expect(await read(id)).toMatchObject({ state: 'completed', scanned: MAIL_COUNT, error: null });
  });

  test('waits half a minute where the provider does not say how long', async () => {
    isAway = new MailboxError('mailbox_unavailable', 'away');
    expect(await takeStep({ id: await start() })).toEqual({
      kind: 'wait',
      waitMs: 30_000,
      reason: 'mailbox_unavailable',
    });
  });

  test('fails soon when a mailbox fails for an unknown reason', async () => {
    const id = await start();
    await takeStep({ id });
    isAway = new MailboxError('failed', 'who knows');
    await db.query(`UPDATE "MailboxScan" SET "progressedAt" = now() - interval '9 minutes'`);
    expect(await takeStep({ id })).toMatchObject({ kind: 'wait', reason: 'failed' });
    await db.query(`UPDATE "MailboxScan" SET "progressedAt" = now() - interval '11 minutes'`);
    for (const reason of ['rate_limited', 'mailbox_unavailable'] as const) {
      isAway = new MailboxError(reason, 'that passes');
      expect(await takeStep({ id })).toMatchObject({ kind: 'wait', reason });
    }
    isAway = new MailboxError('failed', 'who knows');
    expect(await takeStep({ id })).toEqual({ kind: 'over' });
    expect(await read(id)).toMatchObject({ state: 'failed', error: 'failed', scanned: FIRST_PAGE });
  });

  test('lets a bug be seen for what it is', async () => {
    const bug = new TypeError('a bug');
    takeStep = openScanner({
      openMeteredMailbox: () => {
        const { mailbox, unitsUsed } = openMailbox();
        return { mailbox: { ...mailbox, listEmails: () => Promise.reject(bug) }, unitsUsed };
      },
    });
    await expect(takeStep({ id: await start() })).rejects.toThrow(bug);
  });

  test('fails after hours of that', async () => {
    const id = await start();
    await takeStep({ id });
    isAway = new MailboxError('mailbox_unavailable', 'away');
    await db.query(`UPDATE "MailboxScan" SET "progressedAt" = now() - interval '7 hours'`);
    expect(await takeStep({ id })).toEqual({ kind: 'over' });
    expect(await read(id)).toMatchObject({
      state: 'failed',
      error: 'mailbox_unavailable',
      scanned: FIRST_PAGE,
    });
  });

  test('waits out a daily quota, however long ago the last progress was', async () => {
    const id = await start();
    await takeStep({ id });
    isAway = new MailboxError('daily_limit_exceeded', 'over', { retryAfterMs: 36_000_000 });
    await db.query(`UPDATE "MailboxScan" SET "progressedAt" = now() - interval '20 hours'`);
    expect(await takeStep({ id })).toEqual({
      kind: 'wait',
      waitMs: 36_000_000,
      reason: 'daily_limit_exceeded',
    });
  });

  test.each(['reauth_required', 'missing_scope', 'mail_service_disabled', 'forbidden'] as const)(
    'fails at once where the user has to do something (%s), and another one can be started',
    async (code) => {
      const id = await start();
      isAway = new MailboxError(code, 'over');
      expect(await takeStep({ id })).toEqual({ kind: 'over' });
      expect(await read(id)).toMatchObject({ state: 'failed', error: code, finishedAt: expect.any(String) });
      expect(observed).toEqual([{ type: 'ended', outcome: code }]);
      isAway = undefined;
      const next = await start();
      await walk(next);
      expect(await read(next)).toMatchObject({ state: 'completed' });
    },
  );

  test('begins again once when the provider has forgotten where it was', async () => {
    const id = await start();
    await takeStep({ id });
    let refused = 0;
    gmail.intercept(({ query }) => {
      if (!query.has('pageToken') || refused > 0) return undefined;
      refused += 1;
      return refusal(400, 'invalidArgument');
    });
    expect(await takeStep({ id })).toEqual({ kind: 'next' });
    await walk(id);
    expect(await read(id)).toMatchObject({ state: 'completed', scanned: MAIL_COUNT, suggested: MAIL_COUNT });
    expect(await count('EmailSuggestion')).toBe(MAIL_COUNT);

    const next = await start();
    await takeStep({ id: next });
    gmail.intercept(({ query }) => (query.has('pageToken') ? refusal(400, 'invalidArgument') : undefined));
    await takeStep({ id: next });
    await takeStep({ id: next });
    expect(await takeStep({ id: next })).toEqual({ kind: 'over' });
    expect(await read(next)).toMatchObject({ state: 'failed', error: 'failed' });
  });
});

describe('starting', () => {
  test('fails for a user who was erased', async () => {
    await expect(startScan(uuidv7(), { scope: 'all' })).rejects.toSatisfy(isOwnerMissing);
    expect(await count('MailboxScan')).toBe(0);
  });

  test('returns the scan in flight, however many requests come at once', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => startScan(userId, { scope: 'all' })));
    expect(new Set(responses.map(({ scan }) => scan.id)).size).toBe(1);
    expect(responses.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await count('MailboxScan')).toBe(1);
  });
});

const start = async (scope: ScanScope = 'all'): Promise<string> =>
  (await startScan(userId, { scope })).scan.id;

const read = async (id: string) => {
  const scan = await findScan(db.database, userId, id);
  if (scan === null) throw new Error('there is no such scan');
  return scan;
};

/** Takes one step after the other, until one has to wait or was the last. */
const walk = async (id: string): Promise<StepOutcome[]> => {
  const outcomes: StepOutcome[] = [];
  for (;;) {
    const outcome = await takeStep({ id });
    outcomes.push(outcome);
    if (outcome.kind !== 'next') return outcomes;
  }
};

const count = async (table: string): Promise<number> =>
  (await db.query<{ count: number }>(`SELECT count(*)::int AS count FROM "${table}"`))[0]?.count ?? -1;

const idsOf = (messages: TestMessage[]) => messages.map(({ id }) => id);

/** Replaces the mailbox by one of these messages. */
const fillMailbox = async (messages: TestMessage[]) => {
  await gmail.close();
  gmail = await startTestGmail({ messages });
};

const logger = createLogger({ service: 'test', level: 'silent' });
const userId = '019a0000-0000-7000-8000-000000000001';
let db: TestDatabase;
let gmail: TestGmail;
/** null: the service does not respond. */
let suggest: (item: MlRequestItem) => Suggestion[] | null;
let isAway: MailboxError | undefined;
let observed: ScanEvent[];
let startScan: ReturnType<typeof createScans>['start'];
type TakeScanStep = (scan: { id: string }) => ReturnType<ReturnType<typeof createScanMailbox>>;
let takeStep: TakeScanStep;
let openScanner: (changes?: Partial<Parameters<typeof createScanMailbox>[0]>) => TakeScanStep;
let openMailbox: () => { mailbox: ReturnType<typeof createGmailMailbox>; unitsUsed: () => number };

beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  await db.empty();
  gmail = await startTestGmail({ messages: inboxMail(MAIL_COUNT) });
  observed = [];
  suggest = () => [BULK];
  isAway = undefined;
  await db.query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, 'ada', '')`, [userId]);
  const { database } = db;
  const openMessageStore = createMessageStores({
    database,
    cipher: createTokenCipher({ current: randomBytes(32) }),
    senderKey: createSecretKey(randomBytes(32)),
  });
  openMailbox = () => {
    const governor = createQuotaGovernor({
      store: createMemoryQuotaStore({
        unitsPerMinute: 1e9,
        interactiveReserve: 0,
        nowMs: SYSTEM_CLOCK.nowMs,
      }),
      clock: SYSTEM_CLOCK,
    });
    let units = 0;
    const mailbox = createGmailMailbox({
      baseUrl: gmail.url,
      accessTokens: {
        current: () => (isAway ? Promise.reject(isAway) : Promise.resolve('token')),
        renew: async () => 'token',
      },
      userId,
      store: openMessageStore(userId),
      governor: meterQuota(governor, (taken) => {
        units += taken;
      }),
      priority: 'background',
      batchReads: false,
    });
    return { mailbox, unitsUsed: () => units };
  };
  startScan = createScans({ database }).start;
  openScanner = (changes) => {
    const takeScanStep = createScanMailbox({
      database,
      openMeteredMailbox: openMailbox,
      openMessageStore,
      mlClient: {
        async suggest(items) {
          const responses = items.map((item) => [item.id, suggest(item)] as const);
          if (responses.some(([, suggestions]) => suggestions === null)) {
            throw new MlUnavailableError('ml_network', 'away');
          }
          return new Map(responses.map(([id, suggestions]) => [id, suggestions ?? []]));
        },
      },
      logger,
      publishThreshold: THRESHOLD,
      observe: (event) => void observed.push(event),
      ...changes,
    });
    return (scan) => takeScanStep(scan, new AbortController().signal);
  };
  takeStep = openScanner();
});
afterEach(() => gmail.close());
afterAll(() => db.drop());
