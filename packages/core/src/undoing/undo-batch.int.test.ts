import { MailboxError } from '@mailsweep/mail/mailbox';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MailboxBusyError } from '../concurrency/mailbox-lock.repository.ts';
import { claimDueWork, type LeasedWork } from '../due-work/due-work.repository.ts';
import { createRunStep, type RunStep } from '../due-work/run-step.ts';
import { beginBatchUndo } from '../history/action-batch.repository.ts';
import { archivePlan, type Bench, openBench, USER_ID } from '../testing/executor-bench.ts';
import { createUndoActions } from './undo-actions.ts';
import { createTakeUndoStep } from './undo-batch.ts';

const COUNT = 2_300;
const IDS = Array.from({ length: COUNT }, (_, index) => `email-${index}`);

describe('the steps of an undo', () => {
  test('take back the whole batch, the newest records first, and end', async () => {
    await begin();
    await takeStep();
    expect(await listUndone()).toEqual(IDS.slice(-1_000));
    expect(await readBatch()).toMatchObject({ undoState: 'running', undoCursor: expect.any(String) });

    await takeSteps();
    expect(await listUndone()).toEqual(IDS);
    expect(await readBatch()).toMatchObject({
      total: COUNT,
      undone: COUNT,
      undoState: 'done',
      undoFailed: 0,
    });
    expect(listUndoneTwice()).toEqual([]);
  });

  test('that are taken twice, one after the other or by two processes at once, undo nothing twice', async () => {
    failFor('email-2299', 'forbidden');
    await begin();
    const first = await claim();
    await Promise.all([runBatchUndo(first), openProcess()(first), openProcess()(first)]);
    await runBatchUndo(first);
    await takeSteps();

    expect(await readBatch()).toMatchObject({ undone: COUNT - 1, undoState: 'done', undoFailed: 1 });
    expect(listUndoneTwice()).toEqual([]);
  });

  test('after a process that died before it moved the cursor, go on where it was', async () => {
    await begin();
    const records = await bench.listHistory();
    const newest = records.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, 1_000);
    await createUndoActions(dependencies())(
      USER_ID,
      newest.map(({ id }) => id),
    );
    await takeSteps();

    expect(await readBatch()).toMatchObject({ undone: COUNT, undoState: 'done', undoFailed: 0 });
    expect(listUndoneTwice()).toEqual([]);
  });

  test('count what could not be undone, which the next undo tries again', async () => {
    failFor('email-7', 'forbidden');
    await begin();
    await takeSteps();
    expect(await readBatch()).toMatchObject({ undone: COUNT - 1, undoState: 'done', undoFailed: 1 });
    expect(await claimDueWork(bench.database, 'undo')).toBeNull();

    bench.fake.decideWith(() => 'done');
    await begin();
    await takeSteps();
    expect(await readBatch()).toMatchObject({ undone: COUNT, undoState: 'done', undoFailed: 0 });
    expect(await beginBatchUndo(bench.database, USER_ID, batchId, 0)).toBeNull();
  });

  test.each(['rate_limited', 'daily_limit_exceeded'] as const)(
    'wait while a mailbox answers %s, for a day',
    async (reason) => {
      await begin();
      bench.fake.failReading(new MailboxError(reason, 'not now'));
      await takeStep();
      expect(await readBatch()).toMatchObject({ undone: 0, undoState: 'running', undoFailed: 0 });
      expect(await secondsUntilDue()).toBeCloseTo(15, 0);

      bench.time.now = new Date(bench.time.now.getTime() + 25 * 3_600_000);
      await makeDue();
      await takeStep();
      expect(await readBatch()).toMatchObject({ undone: 0, undoFailed: 1_000 });
    },
  );

  test.each([
    ['other changes of the mailbox', new MailboxBusyError('busy')],
    ['a failure to pass', new Error('the database is away')],
  ])('wait for %s', async (_what, error) => {
    await begin();
    await openProcess(() => Promise.reject(error))(await claim());
    expect(await readBatch()).toMatchObject({ undone: 0, undoState: 'running', undoFailed: 0 });
    expect(await secondsUntilDue()).toBeCloseTo(15, 0);
  });
});

test('an undo is begun once at a time, and by its user alone', async () => {
  expect(await beginBatchUndo(bench.database, uuidv7(), batchId, 0)).toBeNull();
  expect(await beginBatchUndo(bench.database, USER_ID, batchId, 0)).toMatchObject({ id: batchId });
  expect(await beginBatchUndo(bench.database, USER_ID, batchId, 0)).toBeNull();
});

test('an undo of few records is leased to the request that begins it', async () => {
  expect(await beginBatchUndo(bench.database, USER_ID, batchId, COUNT)).toMatchObject({
    leaseId: expect.any(String),
  });
  expect(await claimDueWork(bench.database, 'undo')).toBeNull();
});

/** Begins the undo of the batch, and leaves it to workers. */
const begin = async (): Promise<void> => {
  const begun = await beginBatchUndo(bench.database, USER_ID, batchId, 0);
  expect(begun).toMatchObject({ id: batchId, leaseId: null });
  await bench.query(`UPDATE "ActionBatch" SET "updatedAt" = $1`, [bench.time.now]);
};

const claim = async (): Promise<LeasedWork> => {
  const claimed = await claimDueWork(bench.database, 'undo');
  if (claimed === null) throw new Error('no undo is due');
  return claimed;
};

const takeStep = async (): Promise<void> => runBatchUndo(await claim());

/** Takes steps until none is due. */
const takeSteps = async (): Promise<void> => {
  for (;;) {
    const claimed = await claimDueWork(bench.database, 'undo');
    if (claimed === null) return;
    await runBatchUndo(claimed);
  }
};

const makeDue = () => bench.query('UPDATE "ActionBatch" SET "dueAt" = now()');

const secondsUntilDue = async (): Promise<number> => {
  const [row] = await bench.query<{ seconds: number }>(
    'SELECT extract(epoch FROM "dueAt" - now())::float8 AS "seconds" FROM "ActionBatch"',
  );
  return row?.seconds ?? Number.NaN;
};

const failFor = (emailId: string, code: 'forbidden'): void =>
  bench.fake.decideWith(({ id }) => (id === emailId ? new MailboxError(code, 'refused') : 'done'));

const listUndone = async (): Promise<string[]> => {
  const records = await bench.listHistory();
  const undone = new Set(records.filter(({ undoneAt }) => undoneAt !== null).map(({ emailId }) => emailId));
  return IDS.filter((id) => undone.has(id) && bench.fake.labelsOf(id).includes('INBOX'));
};

/** Emails that were put back into the inbox more than once; one that was refused is not back. */
const listUndoneTwice = (): string[] => {
  const added = bench.fake.changes.filter((change) => change.added.includes('INBOX')).map(({ id }) => id);
  const times = Map.groupBy(added, (id) => id);
  return [...times]
    .filter(([id, changes]) => changes.length > 1 && bench.fake.labelsOf(id).includes('INBOX'))
    .map(([id]) => id);
};

const readBatch = () => bench.database.actionBatch.findUniqueOrThrow({ where: { id: batchId } });

const dependencies = () => ({
  database: bench.database,
  openMailbox: () => bench.fake.mailbox,
  intentExecutor: bench.openExecutor(),
});

const openProcess = (undoActions = createUndoActions(dependencies())): RunStep => {
  const { database } = bench;
  const takeStep = createTakeUndoStep({
    database,
    undoActions,
    nowMs: () => bench.time.now.getTime(),
    stepSize: 1_000,
  });
  return createRunStep({ database, logger: createRecordingLogger().logger }, 'undo', takeStep);
};

let bench: Bench;
let batchId: string;
let runBatchUndo: RunStep;
beforeEach(async () => {
  bench = await openBench(Object.fromEntries(IDS.map((id) => [id, ['INBOX']])));
  const plan = archivePlan('inbox', ...IDS);
  batchId = plan.batchId;
  await bench.openExecutor().carryOut(USER_ID, plan);
  bench.fake.changes.length = 0;
  runBatchUndo = openProcess();
});
afterEach(() => bench.close());
