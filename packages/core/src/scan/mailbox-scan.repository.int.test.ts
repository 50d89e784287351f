import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  cancelScan,
  countActiveScans,
  findActiveScan,
  findScan,
  listScans,
} from './mailbox-scan.repository.ts';

const STARTED = new Date('2026-03-01T12:00:00.000Z');
const LATER = new Date('2026-03-01T12:00:10.000Z');
const AFTER_MINUTES = new Date('2026-03-01T12:01:40.000Z');
const UNDER_WAY = { state: 'running', startedAt: STARTED, progressedAt: LATER, scanned: 20, total: 50 };

describe('a stored scan', () => {
  test('is shown with all that is known of it', async () => {
    const id = await insert({
      ...UNDER_WAY,
      state: 'failed',
      error: 'rate_limited',
      suggested: 3,
      unclassified: 4,
      unitsUsed: 500,
      createdAt: STARTED,
      updatedAt: LATER,
      finishedAt: LATER,
    });

    expect(await findScan(db.database, ADA, id)).toEqual({
      id,
      state: 'failed',
      scope: 'all',
      scanned: 20,
      total: 50,
      suggested: 3,
      unclassified: 4,
      unitsUsed: 500,
      etaSeconds: null,
      error: 'rate_limited',
      createdAt: STARTED.toISOString(),
      startedAt: STARTED.toISOString(),
      updatedAt: LATER.toISOString(),
      finishedAt: LATER.toISOString(),
    });
  });

  test.each([
    ['by what the quota allows, in the first minute', UNDER_WAY, 10],
    ['by the pace so far, after it', { ...UNDER_WAY, progressedAt: AFTER_MINUTES }, 150],
    ['rounded up', { ...UNDER_WAY, progressedAt: AFTER_MINUTES, scanned: 19 }, 164],
    ['by its pace, where it goes past cached emails', { ...UNDER_WAY, scanned: 500, total: 900 }, 8],
    ['by its pace, where no quota holds it', { ...UNDER_WAY, unitsUsed: 2_100 }, 15],
    ['with nothing left', { ...UNDER_WAY, scanned: 50 }, 0],
    ['not past a total that is not known', { ...UNDER_WAY, total: 0 }, null],
    ['not while it waits', { ...UNDER_WAY, state: 'waiting' }, null],
    ['not before it has begun', { ...UNDER_WAY, startedAt: null }, null],
    ['not before it has read anything', { ...UNDER_WAY, scanned: 0 }, null],
  ])('estimates when it will be done: %s', async (_name, row, expected) => {
    const id = await insert(row);

    expect(await findScan(db.database, ADA, id)).toMatchObject({ etaSeconds: expected });
  });

  test('cannot be seen, listed or cancelled by another user', async () => {
    const id = await insert({});

    expect(await findScan(db.database, GRACE, id)).toBeNull();
    expect(await cancelScan(db.database, GRACE, id)).toBeNull();
    expect(await listScans(db.database, GRACE, { page: 1, perPage: 5 })).toMatchObject({
      total: 0,
      data: [],
    });
    expect(await findScan(db.database, ADA, id)).toMatchObject({ state: 'queued' });
  });
});

test('the scan in flight is the user’s own, and none that has ended', async () => {
  await insert({ state: 'running' }, GRACE);
  await insert({ state: 'completed' });
  expect(await findActiveScan(db.database, ADA)).toBeNull();
  const id = await insert({ state: 'waiting' });

  expect(await findActiveScan(db.database, ADA)).toMatchObject({ id });
});

test('scans are listed newest first, page by page', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.unshift(await insert({ state: 'completed' }));
  const pages = await Promise.all(
    [1, 2, 3, 4].map((page) => listScans(db.database, ADA, { page, perPage: 2 })),
  );

  expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids);
  expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1, 0]);
  expect(pages[1]).toMatchObject({ total: 5, page: 2, perPage: 2 });
});

test('scans in flight are counted by state, and no others', async () => {
  expect(await countActiveScans(db.database)).toEqual({ queued: 0, running: 0, waiting: 0 });
  await insert({ state: 'waiting' });
  await insert({ state: 'running' }, GRACE);
  await insert({ state: 'running' }, EVE);
  await insert({ state: 'completed' });

  expect(await countActiveScans(db.database)).toEqual({ queued: 0, running: 2, waiting: 1 });
});

const [ADA, GRACE, EVE] = [uuidv7(), uuidv7(), uuidv7()];

const insert = async (columns: object, userId = ADA): Promise<string> => {
  const { id } = await db.database.mailboxScan.create({
    data: { id: uuidv7(), userId, scope: 'all', ...columns },
  });
  return id;
};

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  for (const id of [ADA, GRACE, EVE]) {
    await db.query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, $2, '')`, [id, id]);
  }
});
beforeEach(() => db.query('TRUNCATE "MailboxScan"'));
afterAll(() => db.drop());
