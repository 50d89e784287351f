import { DOMAIN_EVENTS } from '@mailsweep/contracts';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { summarizeEvents } from './event-summary.repository.ts';
import { listStoredEvents } from './stored-event.repository.ts';

const { SUGGESTIONS_GENERATED, SUGGESTION_CONFIRMED } = DOMAIN_EVENTS;
const NOON = new Date('2026-03-01T12:00:00.000Z');
const CONFIRMED = { totalConfirmed: 2, action: 'accept' };
const GENERATED = {
  totalSuggestions: 5,
  actionCounts: { archive: 3, delete: 2 },
  classificationCounts: { bulk: 4, stale_unread: 1 },
};

test('an event is listed as it was stored', async () => {
  const id = await insert(SUGGESTION_CONFIRMED, CONFIRMED, 0);

  expect(await list({})).toEqual({
    total: 1,
    page: 1,
    perPage: 2,
    data: [
      {
        id,
        type: SUGGESTION_CONFIRMED,
        userId: ADA,
        summary: CONFIRMED,
        createdAt: NOON.toISOString(),
        updatedAt: NOON.toISOString(),
      },
    ],
  });
});

test.each([
  [undefined, [4, 3, 2, 1, 0]],
  [SUGGESTIONS_GENERATED, [4, 2, 0]],
  [SUGGESTION_CONFIRMED, [3, 1]],
])('events of type %s are paged, newest first, with the total of all pages', async (type, expected) => {
  const ids: string[] = [];
  for (const days of [0, 1, 1.001, 1.002, 30]) {
    const isGenerated = ids.length % 2 === 0;
    ids.push(
      await insert(
        isGenerated ? SUGGESTIONS_GENERATED : SUGGESTION_CONFIRMED,
        isGenerated ? {} : CONFIRMED,
        days,
      ),
    );
  }
  const pages = await Promise.all([1, 2, 3].map((page) => list({ page, type })));

  expect(pages.flatMap(({ data }) => data.map(({ id }) => ids.indexOf(id)))).toEqual(expected);
  expect(pages.map(({ total }) => total)).toEqual(pages.map(() => expected.length));
});

test('events belong to one user', async () => {
  await insert(SUGGESTION_CONFIRMED, CONFIRMED, 0);

  expect(await list({}, GRACE)).toMatchObject({ total: 0, data: [] });
  expect(await summarizeEvents(db.database, GRACE, undefined)).toMatchObject({ totalEvents: 0 });
});

test('a summary of all time adds up all events, and has no window', async () => {
  for (const days of [0, 700]) {
    await insert(SUGGESTIONS_GENERATED, GENERATED, days);
    await insert(SUGGESTION_CONFIRMED, CONFIRMED, days);
  }

  expect(await summarizeEvents(db.database, ADA, undefined)).toEqual({
    period: null,
    windowStart: null,
    windowEnd: null,
    totalEvents: 4,
    totalSuggestions: 10,
    totalConfirmed: 4,
    suggestedActions: { archive: 6, delete: 4 },
    confirmedActions: { accept: 4 },
    classifications: { bulk: 8, stale_unread: 2 },
  });
});

test.each([
  ['daily', 24],
  ['weekly', 7 * 24],
] as const)('a %s summary names its window, though there is nothing in it', async (period, hours) => {
  const { windowStart, windowEnd, ...counts } = await summarizeEvents(db.database, ADA, period);

  expect(Date.parse(windowEnd ?? '') - Date.parse(windowStart ?? '')).toBe(hours * 3_600_000);
  expect(counts).toEqual({
    period,
    totalEvents: 0,
    totalSuggestions: 0,
    totalConfirmed: 0,
    suggestedActions: {},
    confirmedActions: {},
    classifications: {},
  });
});

/** @param days - after noon */
const insert = async (type: string, summary: object, days: number): Promise<string> => {
  const id = uuidv7();
  const at = new Date(NOON.getTime() + days * 86_400_000);
  await db.query(
    `INSERT INTO "NotificationEvent" ("id", "userId", "type", "summary", "createdAt", "updatedAt")
     VALUES ($1, $2, $3, $4, $5, $5)`,
    [id, ADA, type, summary, at],
  );
  return id;
};

const list = (query: Partial<Parameters<typeof listStoredEvents>[2]>, userId = ADA) =>
  listStoredEvents(db.database, userId, { page: 1, perPage: 2, ...query });

const [ADA, GRACE] = [uuidv7(), uuidv7()];
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => db.query('TRUNCATE "NotificationEvent"'));
afterAll(() => db.drop());
