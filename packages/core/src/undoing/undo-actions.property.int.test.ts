import type { InboxAction } from '@mailsweep/contracts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createExecuteInboxAction } from '../acting/execute-inbox-action.ts';
import { propertyRuns } from '../testing/config.ts';
import { type Bench, openBench, USER_ID } from '../testing/executor-bench.ts';
import { createUndoActions } from './undo-actions.ts';

const UNDO_RUNS = propertyRuns({ numRuns: 20 });
const FOREIGN_RUNS = propertyRuns({ numRuns: 30 });
const MS_PER_RUN = 2_000;

const LABELS = ['INBOX', 'UNREAD', 'STARRED', 'TRASH', 'CATEGORY_SOCIAL'];
const IDS = ['a', 'b', 'c'];
// What is in the trash is not in the inbox: adding the one label takes the other off.
const labelSet = fc
  .uniqueArray(fc.constantFrom(...LABELS))
  .filter((labels) => !(labels.includes('INBOX') && labels.includes('TRASH')));
const mailbox = fc.record(Object.fromEntries(IDS.map((id) => [id, labelSet])));
const step = fc.record({
  action: fc.constantFrom<InboxAction>('archive', 'delete', 'mark_unread', 'mark_read'),
  emailIds: fc.uniqueArray(fc.constantFrom(...IDS, 'unknown'), { minLength: 1 }),
});

/** What a user does at the provider, past us: a label more, or one less. */
const foreignChange = fc.record({ id: fc.constantFrom(...IDS), label: fc.constantFrom(...LABELS) });

test(
  'undoing everything that was done leaves a mailbox as it was, whatever was done to whatever mail',
  async () => {
    await fc.assert(
      fc.asyncProperty(mailbox, fc.array(step, { minLength: 1, maxLength: 4 }), async (messages, steps) => {
        const opened = await open(messages);
        for (const one of steps) await opened.act(one);
        await opened.undoAll();
        expect(opened.read()).toEqual(sorted(messages));
      }),
      UNDO_RUNS,
    );
  },
  UNDO_RUNS.numRuns * MS_PER_RUN,
);

test(
  'a change by another client in between stays, and its email is not undone',
  async () => {
    await fc.assert(
      fc.asyncProperty(mailbox, step, foreignChange, async (messages, one, foreign) => {
        const opened = await open(messages);
        await opened.act(one);
        const acted = opened.read();
        await opened.toggle(foreign);
        const changed = opened.read();
        const results = await opened.undoAll();

        const touched = LABELS.filter(
          (label) => messages[foreign.id]?.includes(label) !== acted[foreign.id]?.includes(label),
        );
        const hasLeftInbox = touched.includes('INBOX') && !acted[foreign.id]?.includes('INBOX');
        const isDiscarded = foreign.label === 'TRASH' && changed[foreign.id]?.includes('TRASH') === true;
        const isInTheWay = touched.includes(foreign.label) || (hasLeftInbox && isDiscarded);
        for (const id of IDS) {
          const undone = toggled(messages[id] ?? [], id === foreign.id ? [foreign.label] : []);
          expect(opened.read()[id]).toEqual(
            id === foreign.id && isInTheWay ? changed[id] : undone.toSorted(),
          );
        }
        if (isInTheWay) {
          expect(
            results.find((result) => 'emailId' in result && result.emailId === opened.toId(foreign.id)),
          ).toMatchObject({
            status: 'error',
            reason: 'changed_since',
          });
        }
      }),
      FOREIGN_RUNS,
    );
  },
  FOREIGN_RUNS.numRuns * MS_PER_RUN,
);

const toggled = (labels: string[], changed: string[]): string[] => [
  ...labels.filter((label) => !changed.includes(label)),
  ...changed.filter((label) => !labels.includes(label)),
];

const sorted = (messages: Record<string, string[]>): Record<string, string[]> =>
  Object.fromEntries(Object.entries(messages).map(([id, labels]) => [id, labels.toSorted()]));

let run = 0;

/** Gives three emails of the mailbox that no run before had the labels they begin with. */
const open = async (messages: Record<string, string[]>) => {
  run += 1;
  const toId = (name: string) => `${name}-${run}`;
  const { database, fake, query } = bench;
  const openMailbox = () => fake.mailbox;
  const executeInboxAction = createExecuteInboxAction({ database, openMailbox, intentExecutor });
  const undoActions = createUndoActions({ database, openMailbox, intentExecutor });
  await fake.mailbox.changeLabels(
    IDS.map((id) => ({ id: toId(id), added: messages[id] ?? [], removed: [] })),
    undefined,
  );
  return {
    toId,
    act({ action, emailIds }: { action: InboxAction; emailIds: string[] }) {
      // A moment later each time: the history shows the order.
      bench.time.now = new Date(bench.time.now.getTime() + 1);
      return executeInboxAction(USER_ID, { action, emailIds: emailIds.map(toId) });
    },
    async undoAll() {
      const rows = await query<{ id: string }>(
        `SELECT "id" FROM "ActionHistory" WHERE "emailId" LIKE '%-' || $1`,
        [String(run)],
      );
      const ids = rows.map(({ id }) => id);
      return ids.length === 0 ? [] : (await undoActions(USER_ID, ids)).results;
    },
    async toggle({ id, label }: { id: string; label: string }) {
      const has = fake.labelsOf(toId(id)).includes(label);
      await fake.mailbox.changeLabels(
        [{ id: toId(id), added: has ? [] : [label], removed: has ? [label] : [] }],
        undefined,
      );
    },
    read: () => Object.fromEntries(IDS.map((id) => [id, fake.labelsOf(toId(id))])),
  };
};

let bench: Bench;
let intentExecutor: ReturnType<Bench['openExecutor']>;
beforeAll(async () => {
  const names = IDS.flatMap((id) =>
    Array.from({ length: UNDO_RUNS.numRuns + FOREIGN_RUNS.numRuns }, (_, index) => `${id}-${index + 1}`),
  );
  bench = await openBench(Object.fromEntries(names.map((name) => [name, []])));
  intentExecutor = bench.openExecutor();
});
afterAll(() => bench.close());
