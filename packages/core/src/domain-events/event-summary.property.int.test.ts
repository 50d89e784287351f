import { DOMAIN_EVENTS } from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { propertyRuns } from '../testing/config.ts';
import { inFrozenTime } from '../testing/frozen-time.ts';
import { summarizeEvents } from './event-summary.repository.ts';
import { listStoredEvents } from './stored-event.repository.ts';

const SUMMARY_RUNS = propertyRuns({ numRuns: 25 });
const PAGE_RUNS = propertyRuns({ numRuns: 15 });
const MS_PER_RUN = 2_000;

const HOUR_MS = 3_600_000;
const WINDOW_MS = { daily: 24 * HOUR_MS, weekly: 7 * 24 * HOUR_MS };

const counts = (...names: string[]) =>
  fc.dictionary(fc.constantFrom(...names), fc.integer({ min: 1, max: 1_000 }), { maxKeys: 3 });
const generated = fc
  .record({
    actionCounts: counts('archive', 'delete', 'label', 'notify'),
    classificationCounts: counts('bulk', 'stale_unread', '__proto__', 'constructor', '🌷'),
  })
  .map((summary) => ({
    type: DOMAIN_EVENTS.SUGGESTIONS_GENERATED,
    summary: { totalSuggestions: sum(summary.actionCounts), ...summary, sampledEmails: [] },
  }));
const confirmed = fc
  .record({ totalConfirmed: fc.integer({ min: 1, max: 1_000 }), action: fc.constantFrom('accept', 'reject') })
  .map((summary) => ({ type: DOMAIN_EVENTS.SUGGESTION_CONFIRMED, summary }));
/** How long ago an event was stored, in milliseconds; the edges of the windows more often than chance has them. */
const age = fc.oneof(
  fc.constantFrom(0, 1, ...Object.values(WINDOW_MS).flatMap((ms) => [ms - 1, ms, ms + 1])),
  fc.nat(30 * 24 * HOUR_MS),
);
const storedEvent = fc.tuple(fc.oneof(generated, confirmed), age, fc.boolean());

const sum = (numbers: Record<string, number>): number => Object.values(numbers).reduce((a, b) => a + b, 0);

const addAll = (summaries: Record<string, number>[]): Map<string, number> => {
  const totals = new Map<string, number>();
  for (const [name, count] of summaries.flatMap(Object.entries))
    totals.set(name, (totals.get(name) ?? 0) + count);
  return totals;
};

test(
  'a summary is the sum of the events in its window, both ends inclusive, of one user',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(storedEvent, { maxLength: 12 }), async (events) => {
        await inFrozenTime(testDatabase.database, async (tx) => {
          for (const [event, ageMs, isMine] of events)
            await insertEvent(tx, isMine ? ADA : GRACE, event, ageMs);
          for (const period of ['daily', 'weekly', undefined] as const) {
            const inWindow = events.filter(
              ([, ageMs, isMine]) => isMine && (period === undefined || ageMs <= WINDOW_MS[period]),
            );
            const told = await summarizeEvents(tx as Database, ADA, period);
            const suggested = inWindow.flatMap(([event]) =>
              'actionCounts' in event.summary ? [event.summary] : [],
            );
            const confirmed = inWindow.flatMap(([event]) =>
              'action' in event.summary ? [event.summary] : [],
            );
            expect({
              totalEvents: told.totalEvents,
              totalSuggestions: told.totalSuggestions,
              totalConfirmed: told.totalConfirmed,
              suggestedActions: new Map(Object.entries(told.suggestedActions)),
              classifications: new Map(Object.entries(told.classifications)),
              confirmedActions: new Map(Object.entries(told.confirmedActions)),
            }).toEqual({
              totalEvents: inWindow.length,
              totalSuggestions: suggested.reduce((total, one) => total + one.totalSuggestions, 0),
              totalConfirmed: confirmed.reduce((total, one) => total + one.totalConfirmed, 0),
              suggestedActions: addAll(suggested.map((one) => one.actionCounts)),
              classifications: addAll(suggested.map((one) => one.classificationCounts)),
              confirmedActions: addAll(confirmed.map((one) => ({ [one.action]: one.totalConfirmed }))),
            });
          }
        });
      }),
      SUMMARY_RUNS,
    );
  },
  SUMMARY_RUNS.numRuns * MS_PER_RUN,
);

test(
  'the pages of the events part the list: nothing left out, nothing twice, in one order',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        // Many of the same moment: their order must not depend on the page.
        fc.array(fc.tuple(fc.oneof(generated, confirmed), fc.nat(3), fc.constant(true)), { maxLength: 25 }),
        fc.integer({ min: 1, max: 7 }),
        async (events, perPage) => {
          await inFrozenTime(testDatabase.database, async (tx) => {
            for (const [event, ageMs] of events) await insertEvent(tx, ADA, event, ageMs);
            const listPage = (page: number, size: number) =>
              listStoredEvents(tx as Database, ADA, { page, perPage: size });
            const whole = (await listPage(1, 100)).data.map(({ id }) => id);
            const pages: string[] = [];
            for (let page = 1; page <= Math.ceil(events.length / perPage) + 1; page += 1) {
              const { data, total } = await listPage(page, perPage);
              expect(total).toBe(events.length);
              pages.push(...data.map(({ id }) => id));
            }
            expect(pages).toEqual(whole);
            expect(new Set(whole).size).toBe(events.length);
          });
        },
      ),
      PAGE_RUNS,
    );
  },
  PAGE_RUNS.numRuns * MS_PER_RUN,
);

const ADA = '019a0000-0000-7000-8000-000000000001';
const GRACE = '019a0000-0000-7000-8000-000000000002';

const insertEvent = (
  tx: Transaction,
  userId: string,
  { type, summary }: { type: string; summary: object },
  ageMs: number,
) =>
  tx.$executeRawUnsafe(
    `INSERT INTO "NotificationEvent" ("id", "userId", "type", "summary", "createdAt")
     VALUES ($1::uuid, $2::uuid, $3, $4::jsonb, now() - make_interval(secs => $5::float8 / 1000))`,
    uuidv7(),
    userId,
    type,
    JSON.stringify(summary),
    ageMs,
  );

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());
