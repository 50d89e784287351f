import { z } from 'zod';
import { type Check, compare, type Finding } from '../check.ts';
import { reasonOf, toBatchModify } from '../gmail-client.ts';
import { readHistoryId, watchHistory } from '../history.ts';
import { createLabel, MAIN_LABEL } from '../workspace.ts';

const LABELLED = 2;

/** What is left of a label that is deleted, and which names conflict. */
export const labelsCheck: Check = {
  title: 'Labels',
  units: () => 150,
  async run({ gmail, mailbox, workspace, historyReadsMs, pause }) {
    const ids = workspace.messageIds.slice(0, LABELLED);
    const labelId = await createLabel(gmail, `${MAIN_LABEL}/to be deleted`);
    await gmail.must(toBatchModify(ids, [labelId], []), z.unknown());
    // The records of the labelling itself have to be behind the point from which the history is read.
    await pause(historyReadsMs.at(-1) ?? 0);
    const start = await readHistoryId(gmail);
    await gmail.must({ method: 'DELETE', path: `labels/${labelId}` }, z.unknown());
    const watch = await watchHistory(gmail, {
      start,
      messageIds: ids,
      readsMs: historyReadsMs,
      pause,
      isTold: ({ removed }) => removed.includes(labelId),
    });
    const isInHistory = watch.seen.some(({ messages }) => messages > 0);
    const [firstId = ''] = ids;
    const removal = await gmail.call({
      method: 'POST',
      path: `messages/${firstId}/modify`,
      body: { addLabelIds: [], removeLabelIds: [labelId] },
    });
    const [undone] = await mailbox.changeLabels([{ id: firstId, added: [], removed: [labelId] }], undefined);

    await createLabel(gmail, `${MAIN_LABEL}/two words`);
    const conflict = await gmail.call({
      method: 'POST',
      path: 'labels',
      body: { name: `${MAIN_LABEL.toUpperCase()}/Two-Words` },
    });
    const findings: Finding[] = [
      compare({
        id: 'label-deletion-history',
        title: 'Whether deleting a label leaves records in the history',
        expected: 'no',
        observed: isInHistory ? 'yes' : 'no',
      }),
      compare({
        id: 'deleted-label',
        title: 'Taking a deleted label off a message',
        expected: '400 invalidArgument',
        observed: `${removal.status} ${reasonOf(removal)}`.trim(),
      }),
      compare({
        id: 'deleted-label-undo',
        title: 'The same with the product’s own code, as undo does',
        expected: 'ok',
        observed: undone?.status === 'error' ? undone.error.code : (undone?.status ?? 'nothing'),
      }),
      compare({
        id: 'label-conflict',
        title: 'Creating a label whose name differs in case and separators alone',
        expected: '409 aborted',
        observed: `${conflict.status} ${reasonOf(conflict)}`.trim(),
      }),
    ];
    return { findings, behaviour: { labelDeletionInHistory: isInHistory } };
  },
};
