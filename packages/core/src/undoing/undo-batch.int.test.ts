import { MailboxError } from '@mailsweep/mailbox-sync';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MailboxBusyError } from '../concurrency/mailbox-lock.ts';
import { beginBatchUndo, listStalledBatchUndos } from '../history/batch-undo.repository.ts';
import type { StepOutcome } from '../step-outcome.ts';
import { archivePlan, type Bench, openBench, USER_ID } from '../testing/executor-bench.ts';
import { type BatchUndoJobData, toBatchUndoStep } from './batch-undo-job.ts';
import { createUndoActions } from './undo-actions.ts';
import { createTakeUndoStep } from './undo-batch.ts';

const COUNT = 2_300;
const IDS = Array.from({ length: COUNT }, (_, index) => `email-${index}`);

describe('the steps of an undo', () => {
  test('take back the whole batch, the newest records first, and end', async () => {
    const first = await begin();
    const second = await takeStep(first);
    expect(await listUndone()).toEqual(IDS.slice(-1_000));
    expect(second).toEqual({ kind: 'next', step: { ...first, cursor: expect.any(String) } });

    expect(await takeSteps(toStep(second))).toEqual({ kind: 'over' });
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
    const first = await begin();
    const outcomes = await Promise.all([takeStep(first), openProcess()(first), openProcess()(first)]);
    expect(outcomes.map(toStep)).toEqual(outcomes.map(() => toStep(outcomes[0] ?? { kind: 'over' })));
    expect(await takeStep(first)).toEqual(outcomes[0]);
    await takeSteps(first);

    expect(await readBatch()).toMatchObject({ undone: COUNT - 1, undoState: 'done', undoFailed: 1 });
    expect(listUndoneTwice()).toEqual([]);
  });

  test('after a process that died before it moved the cursor, go on where it was', async () => {
    const first = await begin();
    const records = await bench.listHistory();
    const newest = records.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, 1_000);
    await createUndoActions(dependencies())(
      USER_ID,
      newest.map(({ id }) => id),
    );
    await takeSteps(first);

    expect(await readBatch()).toMatchObject({ undone: COUNT, undoState: 'done', undoFailed: 0 });
    expect(listUndoneTwice()).toEqual([]);
  });

  test('count what could not be undone, which the next undo tries again', async () => {
    failFor('email-7', 'forbidden');
    await takeSteps(await begin());
    expect(await readBatch()).toMatchObject({ undone: COUNT - 1, undoState: 'done', undoFailed: 1 });
    expect(await takeStep({ batchId, userId: USER_ID, cursor: null })).toEqual({ kind: 'over' });

    bench.fake.decideWith(() => 'done');
    await takeSteps(await begin());
    expect(await readBatch()).toMatchObject({ undone: COUNT, undoState: 'done', undoFailed: 0 });
    expect(await beginBatchUndo(bench.database, USER_ID, batchId)).toBeNull();
  });

  test.each(['rate_limited', 'daily_limit_exceeded'] as const)(
    'wait while a mailbox answers %s, for a day',
    async (reason) => {
      const first = await begin();
      bench.fake.failReading(new MailboxError(reason, 'not now'));
      expect(await takeStep(first)).toEqual({ kind: 'wait', waitMs: 15_000, reason });
      expect(await readBatch()).toMatchObject({ undone: 0, undoState: 'running', undoFailed: 0 });

      bench.time.now = new Date(bench.time.now.getTime() + 25 * 3_600_000);
      await takeStep(first);
      expect(await readBatch()).toMatchObject({ undone: 0, undoFailed: 1_000 });
    },
  );

  test('wait for other changes of the mailbox', async () => {
    const take = createTakeUndoStep({
      ...dependencies(),
      undoActions: () => Promise.reject(new MailboxBusyError('busy')),
      nowMs: () => bench.time.now.getTime(),
      stepSize: 1_000,
    });
    expect(await take(await begin())).toMatchObject({ kind: 'wait', reason: 'in_progress' });
    expect(await readBatch()).toMatchObject({ undone: 0, undoState: 'running', undoFailed: 0 });
  });
});

test('an undo is begun once at a time, and by its user alone', async () => {
  expect(await beginBatchUndo(bench.database, uuidv7(), batchId)).toBeNull();
  expect(await beginBatchUndo(bench.database, USER_ID, batchId)).toMatchObject({ left: COUNT });
  expect(await beginBatchUndo(bench.database, USER_ID, batchId)).toBeNull();
});

test('an undo without progress for half a minute is found again, with its step', async () => {
  const first = await begin();
  await bench.query('UPDATE "ActionBatch" SET "updatedAt" = now()');
  expect(await listStalledBatchUndos(bench.database, 10)).toEqual([]);
  const next = toStep(await takeStep(first));
  await bench.query(`UPDATE "ActionBatch" SET "updatedAt" = now() - interval '31 s'`);

  expect((await listStalledBatchUndos(bench.database, 10)).map(toBatchUndoStep)).toEqual([next]);
});

/** Begins the undo of the batch; returns its first step. */
const begin = async (): Promise<BatchUndoJobData> => {
  const begun = await beginBatchUndo(bench.database, USER_ID, batchId);
  if (begun === null) throw new Error('the undo did not begin');
  await bench.query(`UPDATE "ActionBatch" SET "updatedAt" = $1`, [bench.time.now]);
  return toBatchUndoStep(begun);
};

const toStep = (outcome: StepOutcome<BatchUndoJobData>): BatchUndoJobData => {
  if (outcome.kind !== 'next') throw new Error(`no step follows: ${outcome.kind}`);
  return outcome.step;
};

/** Takes steps until none follows. */
const takeSteps = async (first: BatchUndoJobData): Promise<StepOutcome<BatchUndoJobData>> => {
  for (let step = first; ; ) {
    const outcome = await takeStep(step);
    if (outcome.kind !== 'next') return outcome;
    step = outcome.step;
  }
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
  planExecutor: bench.openExecutor(),
});

const openProcess = () => {
  const undoActions = createUndoActions(dependencies());
  return createTakeUndoStep({
    database: bench.database,
    undoActions,
    nowMs: () => bench.time.now.getTime(),
    stepSize: 1_000,
  });
};

let bench: Bench;
let batchId: string;
let takeStep: ReturnType<typeof openProcess>;
beforeEach(async () => {
  bench = await openBench(Object.fromEntries(IDS.map((id) => [id, ['INBOX']])));
  const plan = archivePlan('inbox', ...IDS);
  batchId = plan.batchId;
  await bench.openExecutor().carryOut(USER_ID, plan);
  bench.fake.changes.length = 0;
  takeStep = openProcess();
});
afterEach(() => bench.close());
