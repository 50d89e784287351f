import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  claimDueWork,
  countWork,
  giveUpParkedWork,
  giveUpStuckWork,
  type LeasedWork,
  listParkedWork,
  renewLease,
  resumeParkedWork,
} from './due-work.repository.ts';
import { createRunStep } from './run-step.ts';
import { WORK_KINDS, type WorkKind } from './work-kinds.repository.ts';

const TABLES: Record<WorkKind, string> = {
  scan: 'MailboxScan',
  cleanup: 'Cleanup',
  undo: 'ActionBatch',
  watch: 'MailboxWatch',
  unsubscribe: 'Unsubscribe',
  notification: 'Notification',
  digest: 'UserPreferences',
};
const CRASHES_TO_PARK = 5;
/** What is tried again a day after an operator gave it up, or is ended by a worker. */
const GOES_ON: WorkKind[] = ['watch', 'digest', 'unsubscribe'];

describe.each(WORK_KINDS)('a due %s', (kind) => {
  test('is claimed by one process at a time, what has been due the longest first', async () => {
    const [newer, older] = [await insert(kind, { dueAt: -60 }), await insert(kind, { dueAt: -3_600 })];
    await insert(kind, { dueAt: 3_600 });

    const first = await claim(kind);
    expect(first.id).toBe(older);
    expect((await claim(kind)).id).toBe(newer);
    expect(await claimDueWork(db.database, kind)).toBeNull();
  });

  test('is not taken twice by processes that ask at once', async () => {
    await insert(kind);
    const claims = await Promise.all([1, 2, 3].map(() => claimDueWork(db.database, kind)));
    expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1);
  });

  test('is due again after its step, at once, or when the step or the row said', async () => {
    await insert(kind);
    await run(kind, await claim(kind), async () => ({ kind: 'next' }));
    await run(kind, await claim(kind), async () => ({ kind: 'over' }));
    await run(kind, await claim(kind), async () => ({ kind: 'wait', waitMs: 7_000, reason: 'rate_limited' }));
    expect(await claimDueWork(db.database, kind)).toBeNull();
    expect(await secondsUntilDue(kind)).toBeCloseTo(7, 0);
  });

  test('whose step fails is repeated after a pause, or at once by another process where this one is stopping', async () => {
    await insert(kind);
    const fail = () => Promise.reject(new Error('the database is away'));
    await run(kind, await claim(kind), fail, AbortSignal.abort());
    await run(kind, await claim(kind), fail);
    expect(await secondsUntilDue(kind)).toBeCloseTo(15, 0);
  });

  test('is taken over after a crash, and left to an operator after five in a row', async () => {
    const id = await insert(kind);
    await claim(kind);
    for (let crash = 1; crash < CRASHES_TO_PARK; crash += 1) {
      await outliveLease(kind);
      await claim(kind);
    }
    expect(await listParkedWork(db.database, kind)).toEqual([]);
    await outliveLease(kind);
    await claim(kind);
    await outliveLease(kind);
    expect(await claimDueWork(db.database, kind)).toBeNull();
    expect(await listParkedWork(db.database, kind)).toMatchObject([{ id, crashes: CRASHES_TO_PARK }]);
    expect(await countWork(db.database, kind)).toEqual({ active: 0, parked: 1 });

    expect(await resumeParkedWork(db.database, kind, uuidv7())).toBe(false);
    expect(await resumeParkedWork(db.database, kind, id)).toBe(true);
    expect(await claim(kind)).toMatchObject({ id });
    expect(await countWork(db.database, kind)).toEqual({ active: 1, parked: 0 });
  });

  test('that waits for an operator can be given up', async () => {
    const id = await insert(kind);
    expect(await giveUpParkedWork(db.database, kind, id)).toBe(false);
    await db.query(`UPDATE "${TABLES[kind]}" SET "crashes" = ${CRASHES_TO_PARK}`);
    expect(await giveUpParkedWork(db.database, kind, uuidv7())).toBe(false);
    expect(await giveUpParkedWork(db.database, kind, id)).toBe(true);
    expect(await countWork(db.database, kind)).toEqual({ active: GOES_ON.includes(kind) ? 1 : 0, parked: 0 });
    expect(await giveUpParkedWork(db.database, kind, id)).toBe(false);
  });

  test('counts only crashes in a row', async () => {
    await insert(kind);
    for (let crash = 1; crash <= 2 * CRASHES_TO_PARK; crash += 1) {
      await claim(kind);
      await outliveLease(kind);
      if (crash % 3 === 0) await run(kind, await claim(kind), async () => ({ kind: 'next' }));
    }
    expect(await listParkedWork(db.database, kind)).toEqual([]);
  });

  test('that was taken over is not released by the process that was too slow', async () => {
    await insert(kind);
    const slow = await claim(kind);
    await outliveLease(kind);
    const { leaseId } = await claim(kind);
    await renewLease(db.database, kind, slow);
    await run(kind, slow, async () => ({ kind: 'next' }));
    expect(await db.query(`SELECT "leaseId" FROM "${TABLES[kind]}"`)).toEqual([{ leaseId }]);
    expect(await claimDueWork(db.database, kind)).toBeNull();
  });
});

test.each(['scan', 'cleanup'] as const)(
  'a %s without progress for a day is given up, not claimed',
  async (kind) => {
    const id = await insert(kind);
    expect(await giveUpStuckWork(db.database, kind)).toBe(0);
    await db.query(`UPDATE "${TABLES[kind]}" SET "progressedAt" = now() - interval '25 hours'`);
    expect(await claimDueWork(db.database, kind)).toBeNull();
    expect(await giveUpStuckWork(db.database, kind)).toBe(1);
    expect(await db.query(`SELECT "id", "state", "error" FROM "${TABLES[kind]}"`)).toEqual([
      { id, state: 'failed', error: 'timed_out' },
    ]);
  },
);

test('all notifications of a user are claimed by one process, however many ask at once', async () => {
  const userId = await insert('notification');
  for (let round = 0; round < 5; round += 1) {
    await db.query(
      `INSERT INTO "Notification" ("id", "userId", "kind", "key", "dueAt", "createdAt")
       SELECT id, $1::uuid, 'alert', id::text, now(), now()
       FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 500)) AS new`,
      [userId],
    );
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => claimDueWork(db.database, 'notification')),
    );
    expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1);
    await db.query('DELETE FROM "Notification"');
  }
});

/**
 * @param options.dueAt - seconds from now
 * @returns by what it is claimed
 */
const insert = async (kind: WorkKind, { dueAt: seconds = 0 } = {}): Promise<string> => {
  const [id, userId] = [uuidv7(), uuidv7()];
  const dueAt = new Date(Date.now() + seconds * 1_000);
  await db.database.user.create({ data: { id: userId, providerSubject: userId, email: 'ada@example.com' } });
  await INSERT[kind]({ id, userId, dueAt });
  return ['watch', 'notification', 'digest'].includes(kind) ? userId : id;
};

interface Row {
  id: string;
  userId: string;
  dueAt: Date;
}

const INSERT: Record<WorkKind, (row: Row) => Promise<unknown>> = {
  scan: (row) => db.database.mailboxScan.create({ data: { ...row, scope: 'all' } }),
  cleanup(row) {
    const counts = { total: 1, isComplete: true, sizeBytes: 0, sizeKnown: 0 };
    const history = { historyId: '1', overlapHistoryId: '1', expiresAt: row.dueAt };
    const plan = { action: 'archive', selection: {}, state: 'queued', batchId: uuidv7() };
    return db.database.cleanup.create({ data: { ...row, ...plan, ...counts, ...history } });
  },
  undo(row) {
    const batch = {
      source: 'inbox',
      action: 'archive',
      total: 1,
      undoState: 'running',
      startedAt: row.dueAt,
    };
    return db.database.actionBatch.create({ data: { ...row, ...batch } });
  },
  watch: ({ userId, dueAt }) => db.database.mailboxWatch.create({ data: { userId, dueAt } }),
  unsubscribe: (row) =>
    db.database.unsubscribe.create({
      data: { ...row, senderKey: Buffer.alloc(32), encryptedRequest: '', state: 'requested' },
    }),
  notification: (row) =>
    db.database.notification.create({ data: { ...row, kind: 'alert', key: row.id, createdAt: row.dueAt } }),
  digest: ({ userId, dueAt }) => db.database.userPreferences.create({ data: { userId, digestDueAt: dueAt } }),
};

const claim = async (kind: WorkKind): Promise<LeasedWork> => {
  const claimed = await claimDueWork(db.database, kind);
  if (claimed === null) throw new Error('nothing is due');
  return claimed;
};

const run = (
  kind: WorkKind,
  work: LeasedWork,
  takeStep: Parameters<typeof createRunStep>[2],
  stopping?: AbortSignal,
) =>
  createRunStep(
    { database: db.database, logger: createRecordingLogger().logger },
    kind,
    takeStep,
  )(work, stopping);

/** The process that holds the lease has died, and its time is over. */
const outliveLease = (kind: WorkKind) =>
  db.query(`UPDATE "${TABLES[kind]}" SET "leasedUntil" = now() - interval '1 hour'`);

const secondsUntilDue = async (kind: WorkKind): Promise<number> => {
  const [row] = await db.query<{ seconds: number }>(
    `SELECT extract(epoch FROM "${kind === 'digest' ? 'digestDueAt' : 'dueAt'}" - now())::float8 AS "seconds"
     FROM "${TABLES[kind]}"`,
  );
  return row?.seconds ?? Number.NaN;
};

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.empty());
afterAll(() => db.drop());
