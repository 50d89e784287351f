import type { ActionHistoryRecord } from '@mailsweep/contracts';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  findActionHistory,
  findBatchOfRecords,
  insertActionHistory,
  listActionHistory,
  listConfirmedSuggestions,
  markUndone,
} from './action-history.repository.ts';

const BULK = { action: 'archive', classification: 'bulk', confidence_score: 0.9 } as const;
const OLD = { action: 'delete', classification: 'promotions_old', confidence_score: 0.8 } as const;
const FIRST_PAGE = { page: 1, perPage: 20 };
const NOON = new Date('2026-03-01T12:00:00.000Z');

describe('records', () => {
  test('are listed as they were inserted, and once', async () => {
    const records = [toRecord({ emailId: 'one', timestamp: minute(2) }), toRecord({ emailId: 'two' })];
    expect(await insert(records)).toEqual(['one', 'two']);
    expect(await insert([...records, toRecord({ emailId: 'three', timestamp: minute(1) })])).toEqual([
      'three',
    ]);

    const page = await listActionHistory(db.database, ADA, FIRST_PAGE);
    expect(page).toMatchObject({ total: 3, page: 1, perPage: 20 });
    expect(page.data.map(({ emailId }) => emailId)).toEqual(['one', 'three', 'two']);
    expect(page.data[0]).toEqual(records[0]);
  });

  test.each([
    ['without filters', {}, ['five', 'four', 'three', 'two', 'one']],
    ['by source', { source: 'suggestions' }, ['four', 'three', 'one']],
    ['by action', { action: 'accept' }, ['four', 'one']],
    ['by both', { source: 'inbox', action: 'archive' }, ['five', 'two']],
  ] as const)(
    'are paged, newest first, %s, with the total of all pages',
    async (_name, filters, expected) => {
      await insert([
        toRecord({ emailId: 'one', action: 'accept', timestamp: minute(1) }, 'suggestions'),
        toRecord({ emailId: 'two', timestamp: minute(2) }),
        toRecord({ emailId: 'three', action: 'reject', timestamp: minute(3) }, 'suggestions'),
        toRecord({ emailId: 'four', action: 'accept', timestamp: minute(3_000) }, 'suggestions'),
        toRecord({ emailId: 'five', timestamp: minute(3_001) }),
      ]);
      const pages = await Promise.all(
        [1, 2, 3].map((page) => listActionHistory(db.database, ADA, { page, perPage: 2, ...filters })),
      );

      expect(pages.flatMap(({ data }) => data.map(({ emailId }) => emailId))).toEqual(expected);
      expect(pages.map(({ total }) => total)).toEqual(pages.map(() => expected.length));
      expect(pages.map(({ page, perPage }) => [page, perPage])).toEqual([
        [1, 2],
        [2, 2],
        [3, 2],
      ]);
    },
  );

  test('are found by their ids, newest first, for one user only', async () => {
    const [early, late, other] = [
      toRecord({}),
      toRecord({ timestamp: minute(1) }),
      toRecord({ userId: GRACE }),
    ];
    const sameMoment = [late, toRecord({ timestamp: minute(1) })].toSorted((a, b) => (a.id < b.id ? 1 : -1));
    await insert([early, other, toRecord({}), ...sameMoment]);
    const found = await findActionHistory(
      db.database,
      ADA,
      [early, ...sameMoment, other].map(({ id }) => id),
    );

    expect(found).toEqual([...sameMoment, early]);
    expect(await listActionHistory(db.database, GRACE, FIRST_PAGE)).toMatchObject({
      total: 1,
      data: [other],
    });
  });

  test('are marked as undone once, for one user only', async () => {
    const [mine, left, other] = [toRecord({}), toRecord({}), toRecord({ userId: GRACE })];
    await insert([mine, left, other]);
    for (const undoneAt of [NOON, minute(5)]) {
      await db.database.$transaction((tx) => markUndone(tx, ADA, [mine.id, other.id], new Date(undoneAt)));
    }

    expect(await findActionHistory(db.database, ADA, [mine.id])).toEqual([
      { ...mine, undoneAt: NOON.toISOString() },
    ]);
    expect(await findActionHistory(db.database, ADA, [left.id])).toEqual([left]);
    expect(await findActionHistory(db.database, GRACE, [other.id])).toEqual([other]);
  });
});

describe('a batch', () => {
  test('counts its records, however they come, and begins with the first', async () => {
    const [one, two, three] = [2, 1, 5].map((minutes) =>
      toRecord({ batchId: BATCH, timestamp: minute(minutes) }),
    ) as [ActionHistoryRecord, ActionHistoryRecord, ActionHistoryRecord];
    await insert([one, two, toUnchanged({ batchId: OTHER_BATCH })]);
    await insert([two, three]);

    expect(await listBatches()).toMatchObject([
      {
        id: BATCH,
        userId: ADA,
        source: 'inbox',
        action: 'archive',
        total: 3,
        changed: 3,
        undone: 0,
        undoState: null,
      },
      { id: OTHER_BATCH, total: 1, changed: 0 },
    ]);
    expect((await listBatches())[0]?.startedAt).toEqual(new Date(minute(1)));
  });

  test('counts what was undone, once', async () => {
    const records = [
      ...[BATCH, BATCH, OTHER_BATCH].map((batchId) => toRecord({ batchId })),
      toUnchanged({ batchId: BATCH }),
    ];
    const ids = records.map(({ id }) => id);
    await insert(records);
    for (const part of [ids.slice(0, 1), ids, ids]) {
      await db.database.$transaction((tx) => markUndone(tx, ADA, part, NOON));
    }
    await db.database.$transaction((tx) => markUndone(tx, GRACE, ids, NOON));

    expect(await listBatches()).toMatchObject([
      { unchanged: 1, undone: 2, changed: 2, changedUndone: 2 },
      { unchanged: 0, undone: 1, changed: 1, changedUndone: 1 },
    ]);
  });

  test('loses no count, and has nothing wait forever, when parts of two are recorded and undone at once', async () => {
    const parts = Array.from({ length: 12 }, (_, index) =>
      (index % 2 === 0 ? [BATCH, OTHER_BATCH] : [OTHER_BATCH, BATCH]).flatMap((batchId) =>
        Array.from({ length: 20 }, () => toRecord({ batchId })),
      ),
    );
    await Promise.all(
      parts.map(async (records, index) => {
        await insert(records);
        const ids = records.map(({ id }) => id);
        // Two of the parts are undone twice at once.
        await Promise.all(
          Array.from({ length: index < 2 ? 2 : 1 }, () =>
            db.database.$transaction((tx) => markUndone(tx, ADA, ids, NOON)),
          ),
        );
      }),
    );

    expect(await listBatches()).toMatchObject([
      { total: 240, undone: 240 },
      { total: 240, undone: 240 },
    ]);
  });

  test('is known by any of its records, to its user', async () => {
    const mine = toRecord({ batchId: BATCH });
    await insert([mine]);
    const goneId = uuidv7();

    expect(await findBatchOfRecords(db.database, ADA, [goneId, mine.id])).toBe(BATCH);
    expect(await findBatchOfRecords(db.database, ADA, [goneId])).toBeUndefined();
    expect(await findBatchOfRecords(db.database, GRACE, [mine.id])).toBeUndefined();
  });
});

describe('confirmed suggestions', () => {
  test('are those accepted or rejected, by email, of all confirmations', async () => {
    await insert([
      toRecord({ emailId: 'one', action: 'accept' }, 'suggestions', [BULK]),
      toRecord({ emailId: 'one', action: 'reject' }, 'suggestions', [OLD]),
      toRecord({ emailId: 'two', action: 'reject' }, 'suggestions', [OLD]),
      toRecord({ emailId: 'three', action: 'archive' }, 'inbox', [BULK]),
      toRecord({ emailId: 'four', action: 'reject' }, 'suggestions'),
      toRecord({ emailId: 'five', action: 'reject' }, 'suggestions', [BULK]),
      toRecord({ emailId: 'one', action: 'reject', userId: GRACE }, 'suggestions', [BULK]),
    ]);
    const confirmed = await listConfirmedSuggestions(db.database, ADA, [
      'one',
      'two',
      'three',
      'four',
      'six',
    ]);

    expect(Object.fromEntries(confirmed)).toEqual({
      one: expect.arrayContaining([BULK, OLD]),
      two: [OLD],
      four: [],
    });
    expect(confirmed.get('one')).toHaveLength(2);
  });

  test('are open again once the confirmation is undone', async () => {
    const record = toRecord({ emailId: 'one', action: 'accept' }, 'suggestions', [BULK]);
    await insert([record]);
    await db.database.$transaction((tx) => markUndone(tx, ADA, [record.id], NOON));

    expect([...(await listConfirmedSuggestions(db.database, ADA, ['one']))]).toEqual([]);
  });
});

/** So many minutes after noon. */
const minute = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000).toISOString();

const toRecord = (
  fields: Partial<ActionHistoryRecord>,
  source: ActionHistoryRecord['details']['source'] = 'inbox',
  suggestions?: ActionHistoryRecord['details']['suggestions'],
): ActionHistoryRecord => ({
  id: uuidv7(),
  userId: ADA,
  emailId: 'email',
  action: 'archive',
  timestamp: NOON.toISOString(),
  details: {
    source,
    gmailResponse: { status: 'ok' },
    note: '',
    labelChange: { added: [], removed: ['INBOX'] },
    ...(suggestions ? { suggestions } : {}),
  },
  undoneAt: null,
  batchId: uuidv7(),
  ...fields,
});

const toUnchanged = (fields: Partial<ActionHistoryRecord>): ActionHistoryRecord => {
  const record = toRecord(fields);
  return { ...record, details: { ...record.details, gmailResponse: { status: 'unchanged' } } };
};

const insert = (records: ActionHistoryRecord[]) =>
  db.database.$transaction((tx) => insertActionHistory(tx, records));

const listBatches = () => db.database.actionBatch.findMany({ orderBy: { id: 'asc' } });

const [ADA, GRACE] = [uuidv7(), uuidv7()];
const [BATCH, OTHER_BATCH] = [uuidv7(), uuidv7()];
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(() => db.query('TRUNCATE "ActionHistory", "ActionBatch"'));
afterAll(() => db.drop());
