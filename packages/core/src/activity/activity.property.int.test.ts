import type { ActionHistoryRecord, Activity, Counts, Suggestion } from '@mailsweep/contracts';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertActionHistory, markUndone } from '../history/action-history.repository.ts';
import { propertyRuns } from '../testing/config.ts';
import { getActivity } from './activity.repository.ts';

const { numRuns, path, endOnFailure } = propertyRuns({ numRuns: 60 });
const MS_PER_RUN = 2_000;
const [ADA, GRACE] = [uuidv7(), uuidv7()];
const HOUR_MS = 3_600_000;
const MAIL_COUNT = 8;
const emailIds = Array.from({ length: MAIL_COUNT }, (_, index) => `m${index}`);

/** What is cached of each email; the rest is not cached. */
interface Cached {
  emailId: string;
  sender: number;
  sizeBytes: number;
  labels: string[];
  /** From before the cache was rebuilt; it counts until it is read again. */
  isOutdated: boolean;
}

const cached: fc.Arbitrary<Cached[]> = fc.uniqueArray(
  fc.record({
    emailId: fc.constantFrom(...emailIds, 'never touched'),
    sender: fc.nat({ max: 3 }),
    sizeBytes: fc.nat({ max: 9_999 }),
    labels: fc.constantFrom(['INBOX'], [], ['TRASH'], ['INBOX', 'SENT']),
    isOutdated: fc.boolean(),
  }),
  { selector: ({ emailId }) => emailId },
);
const suggestions: fc.Arbitrary<Suggestion[]> = fc.array(
  fc.record({
    action: fc.constantFrom('archive' as const, 'delete' as const, 'label' as const, 'notify' as const),
    classification: fc.constantFrom('bulk', 'receipt', 'promotions_old'),
    confidence_score: fc.constant(0.5),
  }),
  { maxLength: 2 },
);
const record = fc.record({
  emailId: fc.constantFrom(...emailIds),
  action: fc.constantFrom(
    ...(['accept', 'reject', 'archive', 'delete', 'label', 'mark_unread', 'mark_read'] as const),
  ),
  source: fc.constantFrom('suggestions' as const, 'inbox' as const, 'cleanup' as const),
  status: fc.constantFrom('ok' as const, 'ok' as const, 'skipped' as const, 'unchanged' as const),
  suggestions: fc.option(suggestions, { nil: undefined }),
  isUndone: fc.boolean(),
  /** Removed afterwards, as a retention rule or an operator does. */
  isDeleted: fc.boolean(),
  /** At least an hour away from the bounds of the periods. */
  agoHours: fc.constantFrom<number>(1, 2, 22, 26, 100, 166, 170, 1_000),
});
type GivenRecord = typeof record extends fc.Arbitrary<infer T> ? T : never;

test(
  'activity is what the rows add up to',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 20 }),
        cached,
        fc.constantFrom(undefined, 'daily' as const, 'weekly' as const),
        async (given, messages, period) => {
          await db.query('TRUNCATE "ActionHistory", "CachedMessage"');
          await insertRecords(ADA, given);
          await insertRecords(GRACE, [...given, ...given]);
          await cacheMessages(messages);

          const hours = { daily: 24, weekly: 168 };
          const counted = given.filter(({ agoHours }) => period === undefined || agoHours < hours[period]);
          expect(await getActivity(db.database, ADA, period)).toEqual({
            period: period ?? null,
            inboxSizes: [],
            ...addUp(counted, messages),
          });
        },
      ),
      { numRuns, path, endOnFailure },
    );
  },
  (numRuns ?? 100) * MS_PER_RUN,
);

test('the sizes of the inbox are those of the period, oldest first, a year of them at most', async () => {
  await db.query(
    `INSERT INTO "InboxSize" SELECT $1, (now() AT TIME ZONE 'UTC')::date - age, 1000 + age, age FROM generate_series(0, 399) AS age`,
    [ADA],
  );
  const dayOf = (age: number) => new Date(Date.now() - age * 24 * HOUR_MS).toISOString().slice(0, 10);
  const all = (await getActivity(db.database, ADA, undefined)).inboxSizes;
  expect(all).toHaveLength(366);
  expect(all.at(-1)).toEqual({ day: dayOf(0), total: 1_000, unread: 0 });
  expect(all[0]).toEqual({ day: dayOf(365), total: 1_365, unread: 365 });
  expect((await getActivity(db.database, ADA, 'weekly')).inboxSizes.map(({ day }) => day)).toEqual(
    [7, 6, 5, 4, 3, 2, 1, 0].map(dayOf),
  );
  expect((await getActivity(db.database, ADA, 'daily')).inboxSizes.map(({ day }) => day)).toEqual(
    [1, 0].map(dayOf),
  );
  expect((await getActivity(db.database, GRACE, undefined)).inboxSizes).toEqual([]);
});

test('decisions name the fifty classifications of most emails', async () => {
  const decided = Array.from({ length: 120 }, (_, index) => ({
    emailId: `m${index}`,
    action: index % 3 === 0 ? ('reject' as const) : ('accept' as const),
    source: 'suggestions' as const,
    status: 'skipped' as const,
    suggestions: [
      {
        action: 'notify' as const,
        classification: `c${String(Math.floor(index / 2)).padStart(2, '0')}`,
        confidence_score: 1,
      },
    ],
    isUndone: index >= 118,
    isDeleted: false,
    agoHours: 1,
  }));
  await insertRecords(ADA, decided);
  const { decisions, cleaned } = await getActivity(db.database, ADA, undefined);

  expect(decisions).toHaveLength(50);
  expect(decisions[0]).toEqual({ classification: 'c00', accepted: 1, rejected: 1 });
  expect(decisions.at(-1)).toEqual({ classification: 'c49', accepted: 1, rejected: 1 });
  expect(cleaned.emails).toBe(0);
});

/** The same from the records, newest last. */
const addUp = (given: GivenRecord[], messages: Cached[]): Omit<Activity, 'period' | 'inboxSizes'> => {
  const inOrder = given
    .map((one, index) => ({ ...one, index }))
    .toSorted((one, other) => other.agoHours - one.agoHours || one.index - other.index)
    .filter(({ isUndone, isDeleted }) => !isUndone && !isDeleted);
  const doneOf = ({ action, suggestions: shown }: GivenRecord): string =>
    action === 'accept' ? (shown?.[0]?.action ?? 'archive') : action;
  const cleaned = new Map(
    inOrder
      .filter((one) => one.status === 'ok' && ['archive', 'delete', 'label'].includes(doneOf(one)))
      .map((one) => [one.emailId, one]),
  );
  const known = messages.flatMap((message) => {
    const last = cleaned.get(message.emailId);
    return last === undefined ? [] : [{ ...message, done: doneOf(last) }];
  });
  const senders = new Set(known.map(({ sender }) => sender));
  const present = new Set(
    messages
      .filter(({ labels }) => labels.includes('INBOX') && !labels.includes('SENT'))
      .map(({ sender }) => sender),
  );
  const decided = new Map(
    inOrder.filter(({ action }) => ['accept', 'reject'].includes(action)).map((one) => [one.emailId, one]),
  );
  const decisions = new Map<string, { accepted: number; rejected: number }>();
  for (const { action, suggestions: shown } of decided.values()) {
    const classification = shown?.[0]?.classification;
    if (classification === undefined) continue;
    const { accepted, rejected } = decisions.get(classification) ?? { accepted: 0, rejected: 0 };
    const isAccepted = action === 'accept';
    decisions.set(classification, {
      accepted: accepted + (isAccepted ? 1 : 0),
      rejected: rejected + (isAccepted ? 0 : 1),
    });
  }
  return {
    cleaned: {
      emails: cleaned.size,
      bytes: known.reduce((sum, { done, sizeBytes }) => sum + (done === 'delete' ? sizeBytes : 0), 0),
      senders: senders.size,
    },
    byAction: countNames([...cleaned.values()].map(doneOf)),
    bySource: countNames([...cleaned.values()].map(({ source }) => source)),
    decisions: [...decisions]
      .map(([classification, counts]) => ({ classification, ...counts }))
      .toSorted(
        (one, other) =>
          other.accepted + other.rejected - one.accepted - one.rejected ||
          (one.classification < other.classification ? -1 : 1),
      ),
    silencedSenders: senders.difference(present).size,
  };
};

const countNames = (names: string[]): Counts =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, list]) => [name, list.length]));

/** Records in the order given, those of the same age one after another. */
const insertRecords = async (userId: string, given: GivenRecord[]) => {
  const nowMs = Date.now();
  const records = given.map(
    ({ emailId, action, source, status, suggestions: shown, agoHours }, index): ActionHistoryRecord => ({
      id: uuidv7(),
      userId,
      emailId,
      action,
      timestamp: new Date(nowMs - agoHours * HOUR_MS + index).toISOString(),
      details: {
        source,
        gmailResponse: { status },
        note: '',
        labelChange: { added: [], removed: [] },
        ...(shown && { suggestions: shown }),
      },
      undoneAt: null,
      batchId: uuidv7(),
    }),
  );
  await db.database.$transaction((tx) => insertActionHistory(tx, records));
  const undone = records.filter((_, index) => given[index]?.isUndone).map(({ id }) => id);
  await db.database.$transaction((tx) => markUndone(tx, userId, undone, new Date()));
  const deleted = records.filter((_, index) => given[index]?.isDeleted).map(({ id }) => id);
  await db.query('DELETE FROM "ActionHistory" WHERE "id" = ANY($1)', [deleted]);
};

const cacheMessages = (messages: Cached[]) =>
  db.query(
    `INSERT INTO "CachedMessage" ("userId", "emailId", "generation", "historyId", "labels", "receivedAt", "sizeBytes",
       "attachmentCount", "attachmentBytes", "senderKey", "encryptedText")
     SELECT $1, "emailId", CASE WHEN "isOutdated" THEN 1 ELSE 2 END, 1,
       ARRAY(SELECT jsonb_array_elements_text("labels")), now(), "sizeBytes", 0, 0, sha256("sender"::bytea), ''
     FROM jsonb_to_recordset($2) AS message(
       "emailId" text, "sender" text, "sizeBytes" int, "labels" jsonb, "isOutdated" boolean)`,
    [ADA, JSON.stringify(messages)],
  );

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  await db.empty();
  for (const id of [ADA, GRACE]) {
    await db.query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1::uuid, $1::text, '')`, [
      id,
    ]);
  }
  await db.query('INSERT INTO "MailboxSync" ("userId", "historyId", "generation") VALUES ($1, 1, 2)', [ADA]);
});
afterAll(() => db.drop());
