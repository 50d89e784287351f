import { afterEach, expect, test } from 'vitest';
import { beginBatchUndo } from '../history/action-batch.repository.ts';
import { inboxMail, type MailboxBench, openMailboxBench } from '../testing/mailbox-bench.ts';
import { createTakeUndoStep } from './undo-batch.ts';

const COUNT = 10_000;
/** The sandbox takes seconds for a thousand changes in a mailbox of this size. */
const TIMEOUT_MS = 300_000;
/** Emails that the user has put back meanwhile. */
const TOUCHED = ['m7', 'm9000'];

test('the undo of 10,000 emails that are not cached takes at most 700 units, and is exact', {
  timeout: TIMEOUT_MS,
}, async () => {
  bench = await openMailboxBench(inboxMail(COUNT));
  const before = bench.gmail.messages.map(({ id, labels }) => [id, labels.toSorted()]);
  const one = bench.openProcess();
  await one.list({ pageSize: 1 });
  await one.act(
    before.map(([id]) => String(id)),
    'archive',
  );
  for (const id of TOUCHED) await bench.gmail.change(id, { added: ['INBOX'] });

  const [batch] = await bench.query<{ id: string; userId: string }>('SELECT * FROM "ActionBatch"');
  const begun = batch && (await beginBatchUndo(bench.database, batch.userId, batch.id, 0));
  if (!begun) throw new Error('the undo did not begin');
  const takeStep = createTakeUndoStep({
    database: bench.database,
    undoActions: (_userId, ids) => one.undo(ids),
  });
  const { units } = await bench.measure(async () => {
    while ((await takeStep(begun)).kind === 'next');
  });

  expect(bench.gmail.messages.map(({ id, labels }) => [id, labels.toSorted()])).toEqual(before);
  expect(await bench.query('SELECT "undone", "undoFailed", "undoState" FROM "ActionBatch"')).toEqual([
    { undone: COUNT - TOUCHED.length, undoFailed: TOUCHED.length, undoState: 'done' },
  ]);
  // Ten calls that change labels cost 500 units, each page of the history 2.
  expect(units).toBeGreaterThanOrEqual(10 * 50);
  expect(units).toBeLessThanOrEqual(700);
});

let bench: MailboxBench;
afterEach(() => bench.close());
