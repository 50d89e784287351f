import {
  DOMAIN_EVENTS,
  type ListActionHistoryQuery,
  type RecordedAction,
  SUMMARY_WINDOW_HOURS,
  type SummaryPeriod,
} from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { summarizeEvents } from '../domain-events/event-summary.repository.ts';
import { listStoredEvents } from '../domain-events/stored-event.repository.ts';
import { propertyRuns } from '../testing/config.ts';
import { inFrozenTime } from '../testing/frozen-time.ts';
import { listActionHistory } from './action-history.repository.ts';

const { SUGGESTIONS_GENERATED, SUGGESTION_CONFIRMED } = DOMAIN_EVENTS;
const USER_IDS = ['019a0000-0000-7000-8000-00000000000a', '019a0000-0000-7000-8000-00000000000b'] as const;
const [USER_ID] = USER_IDS;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Where a span of ten minutes begins, as the hours and days before it do. */
const NOW = new Date('2026-03-01T12:00:00Z');
const SUMMARY_RUNS = propertyRuns({ numRuns: 100 });
const PAGE_RUNS = propertyRuns({ numRuns: 40 });
/** Each run of a property is a transaction of dozens of statements. */
const MS_PER_RUN = 3_000;
const PERIODS: (SummaryPeriod | undefined)[] = ['daily', 'weekly', undefined];
const HISTORY_FILTERS: Pick<ListActionHistoryQuery, 'action' | 'source'>[] = [
  {},
  { action: 'archive' },
  { source: 'inbox' },
  { action: 'reject', source: 'suggestions' },
];

describe('whatever was stored, changed and deleted,', () => {
  test(
    'a summary is what the events themselves add up to',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          nowArbitrary,
          fc.array(writeArbitrary, { minLength: 1, maxLength: 8 }),
          async (now, writes) => {
            await atMoment(now, async (tx) => {
              for (const write of writes) await apply(tx, now, write);
              const events = await readEvents(tx);
              for (const period of PERIODS) {
                const {
                  windowStart: _start,
                  windowEnd: _end,
                  ...summary
                } = await summarizeEvents(tx as Database, USER_ID, period);
                expect(summary).toEqual(addUp(events, period, now));
              }
            });
          },
        ),
        SUMMARY_RUNS,
      );
    },
    SUMMARY_RUNS.numRuns * MS_PER_RUN,
  );

  test(
    'every page of every list holds the rows of its place, and the total of all',
    async () => {
      const placeArbitrary = fc.record({
        page: fc.integer({ min: 1, max: 12 }),
        perPage: fc.constantFrom(1, 3, 7, 100),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(writeArbitrary, { minLength: 1, maxLength: 8 }),
          fc.array(placeArbitrary, { minLength: 1, maxLength: 4 }),
          async (writes, places) => {
            await atMoment(NOW, async (tx) => {
              for (const write of writes) await apply(tx, NOW, write);
              const events = await readEvents(tx);
              const records = await tx.actionHistory.findMany({
                where: { userId: USER_ID },
                orderBy: [{ timestamp: 'desc' }, { id: 'desc' }],
              });
              for (const place of places) {
                for (const filter of HISTORY_FILTERS) {
                  const history = await listActionHistory(tx as Database, USER_ID, { ...place, ...filter });
                  expect(toIds(history)).toEqual(pageOf(records.filter(isLetThrough(filter)), place));
                }
                for (const type of [undefined, SUGGESTIONS_GENERATED, SUGGESTION_CONFIRMED]) {
                  const ofType = events.filter((event) => type === undefined || event.type === type);
                  const page = await listStoredEvents(tx as Database, USER_ID, { ...place, type });
                  expect(toIds(page)).toEqual(pageOf(ofType, place));
                }
              }
            });
          },
        ),
        PAGE_RUNS,
      );
    },
    PAGE_RUNS.numRuns * MS_PER_RUN,
  );
});

describe('the counts', () => {
  test('go with the last event that they count', async () => {
    await atMoment(NOW, async (tx) => {
      await apply(tx, NOW, {
        kind: 'insert',
        events: [
          {
            ageMs: 0,
            type: SUGGESTION_CONFIRMED,
            summary: { totalConfirmed: 1 },
            owner: 0,
            action: 'accept',
            details: { source: 'suggestions' },
          },
        ],
      });
      await tx.$executeRaw`DELETE FROM "NotificationEvent"`;
      expect(await countStoredCounts(tx)).toBe(0);
    });
  });

  test('wait in a log, and not in more than 500 entries of it', async () => {
    await atMoment(NOW, async (tx) => {
      await apply(tx, NOW, { kind: 'truncate' });
      for (let batch = 0; batch < 60; batch += 1) {
        await apply(tx, NOW, {
          kind: 'insert',
          events: Array.from({ length: 20 }, () => ({
            ageMs: 0,
            type: SUGGESTIONS_GENERATED,
            summary: { totalSuggestions: 1 },
            owner: 0,
            action: 'archive',
            details: {},
          })),
        });
        const [log] = await tx.$queryRaw<{ length: number }[]>`
          SELECT count(*)::int AS length FROM "NotificationDelta"`;
        expect(log?.length).toBeLessThan(500);
      }
      expect(await summarizeEvents(tx as Database, USER_ID, 'daily')).toMatchObject({
        totalEvents: 1_200,
        totalSuggestions: 1_200,
      });
    });
  });

  test('stay right when many processes write for the same people at once', async () => {
    const { database } = testDatabase;
    const userIds = Array.from({ length: 6 }, () => uuidv7());
    const writeBatch = async () => {
      const rows = Array.from({ length: 40 }, (_, index) => ({
        id: uuidv7(),
        userId: userIds[(index * 7 + Math.floor(Math.random() * 6)) % 6],
        summary: {
          totalSuggestions: 2,
          actionCounts: { archive: 2 },
          classificationCounts: { bulk: 1, news: 1 },
        },
      }));
      await database.$executeRaw`
        INSERT INTO "NotificationEvent" ("id", "userId", "type", "summary")
        SELECT "id", "userId", ${SUGGESTIONS_GENERATED}, "summary"
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("id" uuid, "userId" uuid, "summary" jsonb)`;
      await database.$executeRaw`
        INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId")
        SELECT "id", "userId", 'email', CASE WHEN random() < 0.5 THEN 'accept' ELSE 'archive' END, now(), '{}', "id"
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("id" uuid, "userId" uuid)`;
    };
    await Promise.all(Array.from({ length: 40 }, writeBatch));

    let total = 0;
    for (const userId of userIds) {
      const summary = await summarizeEvents(database, userId, 'daily');
      total += summary.totalEvents;
      expect(summary).toMatchObject({
        totalSuggestions: 2 * summary.totalEvents,
        suggestedActions: { archive: 2 * summary.totalEvents },
        classifications: { bulk: summary.totalEvents, news: summary.totalEvents },
      });
      expect(await summarizeEvents(database, userId, undefined)).toMatchObject({
        totalEvents: summary.totalEvents,
      });
      const { total: records } = await listActionHistory(database, userId, { page: 1, perPage: 1 });
      expect(records).toBe(summary.totalEvents);
    }
    expect(total).toBe(40 * 40);
  });
});

interface EventInput {
  ageMs: number;
  type: string;
  summary: object;
  owner: number;
  /** Of the history record that is written beside the event. */
  action: RecordedAction;
  details: object;
}
type Write =
  | { kind: 'insert'; events: EventInput[] }
  | { kind: 'move'; ageMs: number }
  | { kind: 'delete'; youngerThanMs: number }
  | { kind: 'addUp' }
  | { kind: 'truncate' };

const nameArbitrary = fc.constantFrom(
  'archive',
  'delete',
  '',
  'a:b',
  '__proto__',
  'constructor',
  'ünïcode ☃',
);
const countsArbitrary = fc.dictionary(nameArbitrary, fc.integer({ min: 0, max: 2 ** 40 }), {
  maxKeys: 4,
  noNullPrototype: true,
});
const generatedArbitrary = fc.record(
  {
    totalSuggestions: fc.oneof(fc.nat(), fc.constant('no number')),
    actionCounts: fc.oneof(countsArbitrary, fc.constant([1])),
    classificationCounts: countsArbitrary,
    sampledEmails: fc.constant([]),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const confirmedArbitrary = fc.record(
  { totalConfirmed: fc.nat(), action: fc.constantFrom('accept', 'reject') },
  { requiredKeys: [], noNullPrototype: true },
);
/** Moments anywhere in a span of the rollups, which decides how its windows cut others; more about its edges and middle. */
const nowArbitrary = fc
  .oneof(
    fc
      .tuple(fc.constantFrom(0, 5 * MINUTE_MS, 10 * MINUTE_MS), fc.integer({ min: -2, max: 2 }))
      .map(([placeMs, shiftMs]) => placeMs + shiftMs),
    fc.integer({ min: 0, max: 10 * MINUTE_MS }),
  )
  .map((laterMs) => new Date(NOW.getTime() + laterMs));
/** Ages about all the edges: of the windows, of the spans of the rollups, of days; of the future too. */
const ageArbitrary = fc
  .tuple(
    fc.constantFrom(
      0,
      10 * MINUTE_MS,
      HOUR_MS,
      24 * HOUR_MS,
      7 * 24 * HOUR_MS,
      900 * 24 * HOUR_MS,
      -2 * HOUR_MS,
    ),
    fc.oneof(
      fc.constantFrom(0, 5 * MINUTE_MS, -5 * MINUTE_MS),
      fc.integer({ min: -15 * MINUTE_MS, max: 15 * MINUTE_MS }),
    ),
    fc.integer({ min: -2, max: 2 }),
  )
  .map(([ageMs, placeMs, shiftMs]) => ageMs + placeMs + shiftMs);
const rowArbitraries = {
  ageMs: ageArbitrary,
  owner: fc.constantFrom(0, 0, 0, 1),
  action: fc.constantFrom<RecordedAction>('archive', 'reject'),
  details: fc.constantFrom({ source: 'inbox' }, { source: 'suggestions' }, { source: null }, {}),
};
const eventArbitrary: fc.Arbitrary<EventInput> = fc.oneof(
  fc.record({ ...rowArbitraries, type: fc.constant(SUGGESTIONS_GENERATED), summary: generatedArbitrary }),
  fc.record({ ...rowArbitraries, type: fc.constant(SUGGESTION_CONFIRMED), summary: confirmedArbitrary }),
);
const insertArbitrary = fc.record({
  kind: fc.constant('insert' as const),
  events: fc.array(eventArbitrary, { maxLength: 15 }),
});
const writeArbitrary: fc.Arbitrary<Write> = fc.oneof(
  { weight: 6, arbitrary: insertArbitrary },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), ageMs: ageArbitrary }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), youngerThanMs: ageArbitrary }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'addUp' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'truncate' as const }) },
);

const apply = async (tx: Transaction, now: Date, write: Write): Promise<void> => {
  const before = (ageMs: number) => new Date(now.getTime() - ageMs);
  if (write.kind === 'move') {
    await tx.$executeRaw`UPDATE "NotificationEvent" SET "createdAt" = ${before(write.ageMs)} WHERE "id"::text < '8'`;
    await tx.$executeRaw`
      UPDATE "ActionHistory" SET "timestamp" = ${before(write.ageMs)}, "action" = 'reject' WHERE "id"::text < '8'`;
  } else if (write.kind === 'delete') {
    await tx.$executeRaw`DELETE FROM "NotificationEvent" WHERE "createdAt" > ${before(write.youngerThanMs)}`;
    await tx.$executeRaw`DELETE FROM "ActionHistory" WHERE "timestamp" > ${before(write.youngerThanMs)}`;
  } else if (write.kind === 'addUp') {
    await tx.$executeRaw`SELECT "addUpNotificationDeltas"()`;
  } else if (write.kind === 'truncate') {
    await tx.$executeRaw`TRUNCATE "NotificationEvent", "ActionHistory"`;
  } else {
    const rows = write.events.map(({ owner, ageMs, ...columns }) => ({
      id: crypto.randomUUID(),
      userId: USER_IDS[owner],
      at: before(ageMs),
      ...columns,
    }));
    // Twice: what is there already counts once.
    for (let round = 0; round < 2; round += 1) {
      await tx.$executeRaw`
        INSERT INTO "NotificationEvent" ("id", "userId", "type", "summary", "createdAt")
        SELECT "id", "userId", "type", "summary", "at"
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS row("id" uuid, "userId" uuid, "type" text, "summary" jsonb, "at" timestamptz)
        ON CONFLICT ("id") DO NOTHING`;
      await tx.$executeRaw`
        INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId")
        SELECT "id", "userId", 'email', "action", "at", "details", "id"
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS row("id" uuid, "userId" uuid, "action" text, "at" timestamptz, "details" jsonb)
        ON CONFLICT ("id") DO NOTHING`;
    }
  }
};

const isLetThrough =
  ({ action, source }: (typeof HISTORY_FILTERS)[number]) =>
  (record: { action: string; details: unknown }): boolean =>
    (action === undefined || record.action === action) &&
    (source === undefined || (record.details as { source?: unknown }).source === source);

interface StoredEvent {
  id: string;
  type: string;
  summary: Record<string, unknown>;
  createdAt: Date;
}

/** The events of the user, newest first, read without any shortcut. */
const readEvents = async (tx: Transaction): Promise<StoredEvent[]> => {
  const rows = await tx.$queryRaw<(Omit<StoredEvent, 'summary'> & { summary: string })[]>`
    SELECT "id", "type", "summary"::text, "createdAt" FROM "NotificationEvent" WHERE "userId" = ${USER_ID}::uuid
    ORDER BY "createdAt" DESC, "id" DESC`;
  return rows.map((row) => ({ ...row, summary: JSON.parse(row.summary) }));
};

const addUp = (events: StoredEvent[], period: SummaryPeriod | undefined, now: Date) => {
  const startMs = period === undefined ? -Infinity : now.getTime() - SUMMARY_WINDOW_HOURS[period] * HOUR_MS;
  const endMs = period === undefined ? Infinity : now.getTime();
  const counted = events.filter(
    ({ createdAt }) => createdAt.getTime() >= startMs && createdAt.getTime() <= endMs,
  );
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : 0);
  const total = (field: string) => counted.reduce((sum, { summary }) => sum + numberOf(summary[field]), 0);
  const byName = (entriesOf: (event: StoredEvent) => [string, unknown][]) => {
    const sums = new Map<string, number>();
    for (const [name, value] of counted.flatMap(entriesOf)) {
      sums.set(name, (sums.get(name) ?? 0) + numberOf(value));
    }
    return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0));
  };
  const entriesIn =
    (field: string) =>
    ({ type, summary }: StoredEvent): [string, unknown][] => {
      const counts = summary[field];
      const isCounted =
        type === SUGGESTIONS_GENERATED && typeof counts === 'object' && !Array.isArray(counts);
      return isCounted && counts !== null ? Object.entries(counts) : [];
    };
  return {
    period: period ?? null,
    totalEvents: counted.length,
    totalSuggestions: total('totalSuggestions'),
    totalConfirmed: total('totalConfirmed'),
    suggestedActions: byName(entriesIn('actionCounts')),
    confirmedActions: byName(({ type, summary }) =>
      type === SUGGESTION_CONFIRMED && typeof summary.action === 'string'
        ? [[summary.action, summary.totalConfirmed]]
        : [],
    ),
    classifications: byName(entriesIn('classificationCounts')),
  };
};

const toIds = ({ total, data }: { total: number; data: { id: string }[] }) => ({
  total,
  ids: data.map(({ id }) => id),
});

const pageOf = (rows: { id: string }[], { page, perPage }: { page: number; perPage: number }) => ({
  total: rows.length,
  ids: rows.slice((page - 1) * perPage, page * perPage).map(({ id }) => id),
});

const countStoredCounts = async (tx: Transaction): Promise<number> => {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    SELECT ((SELECT count(*) FROM "NotificationRollup") + (SELECT count(*) FROM "NotificationDelta"))::int AS count`;
  return row?.count ?? -1;
};

const atMoment = (moment: Date, work: (tx: Transaction) => Promise<void>): Promise<void> =>
  inFrozenTime(testDatabase.database, work, moment);

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  // What operators may do.
  await testDatabase.query('GRANT TRUNCATE ON ALL TABLES IN SCHEMA public TO mailsweep_service');
});
afterAll(() => testDatabase.drop());
