import { z } from 'zod';
import { type Check, type CheckContext, compare, type Finding } from '../check.ts';

const LabelsSchema = z.object({ labelIds: z.array(z.string()).default([]) });
const ARCHIVED = 3;
/** Baselines, single changes, reads of the history and of labels. */
const UNITS = 500;

const labelsOf = async (gmail: CheckContext['gmail'], id: string): Promise<string> => {
  const { labelIds } = await gmail.must(
    { method: 'GET', path: `messages/${id}?format=minimal` },
    LabelsSchema,
  );
  // Gmail itself may turn IMPORTANT; that is a finding of another check.
  return labelIds
    .filter((label) => label !== 'IMPORTANT')
    .toSorted()
    .join();
};

/** Whether the product's own mailbox knows what it did, and takes exactly that back. */
export const undoCheck: Check = {
  title: 'Archive, delete and undo with the product’s own code',
  units: () => UNITS,
  async run({ gmail, mailbox, workspace }) {
    const ids = workspace.messageIds.slice(0, ARCHIVED);
    const readAll = () => Promise.all(ids.map((id) => labelsOf(gmail, id)));
    const before = await readAll();
    const baseline = await mailbox.readBaseline(ids);

    const change = async (
      changes: { id: string; added: string[]; removed: string[] }[],
      historyId: string | undefined,
    ) => {
      const outcomes = await mailbox.changeLabels(changes, historyId);
      // What the history does not show yet is looked up later, as the product does.
      const open = changes.filter(
        (_, index) => outcomes[index]?.status === 'ok' && !('change' in outcomes[index]),
      );
      const later =
        open.length === 0
          ? []
          : await mailbox.findChanges(
              open.map((one) => ({ ...one, isDone: true })),
              historyId,
            );
      return outcomes.map((outcome) => later.find(({ id }) => id === outcome.id) ?? outcome);
    };
    const toArchive = ids.map((id) => ({ id, added: [], removed: ['INBOX'] }));
    const archived = await change(toArchive, baseline.historyId);
    const known = archived.filter(
      (outcome) =>
        outcome.status === 'ok' &&
        outcome.change?.removed.join() === 'INBOX' &&
        outcome.change.added.length === 0,
    );

    const [firstId = ''] = ids;
    const beforeDelete = await mailbox.readBaseline([firstId]);
    const deleted = await change(
      [{ id: firstId, added: ['TRASH'], removed: ['INBOX'] }],
      beforeDelete.historyId,
    );
    const [outcome] = deleted;
    const real = outcome?.status === 'ok' ? outcome.change : undefined;
    const describeReal =
      real === undefined
        ? 'unknown'
        : `added ${real.added.join() || 'nothing'}, removed ${real.removed.join() || 'nothing'}`;

    if (real !== undefined)
      await change([{ id: firstId, added: real.removed, removed: real.added }], undefined);
    const afterUndo = await labelsOf(gmail, firstId);
    await change(
      ids.map((id) => ({ id, added: ['INBOX'], removed: [] })),
      undefined,
    );
    const after = await readAll();
    const findings: Finding[] = [
      compare({
        id: 'archive-outcomes',
        title: `Archiving ${ARCHIVED} messages singly: changes known exactly`,
        expected: `${ARCHIVED} of ${ARCHIVED}`,
        observed: `${known.length} of ${ARCHIVED}`,
      }),
      compare({
        id: 'delete-outcome',
        title: 'Deleting an archived message: the change that is noted for undo',
        expected: 'added TRASH, removed nothing',
        observed: describeReal,
      }),
      compare({
        id: 'undo-delete',
        title: 'Undoing that: the message is where it was, outside the inbox',
        expected: 'yes',
        observed: afterUndo.split(',').some((label) => label === 'INBOX' || label === 'TRASH') ? 'no' : 'yes',
      }),
      compare({
        id: 'undo-archive',
        title: 'Undoing the rest: all labels are as before',
        expected: 'yes',
        observed: after.join(';') === before.join(';') ? 'yes' : 'no',
      }),
    ];
    return { findings };
  },
};
