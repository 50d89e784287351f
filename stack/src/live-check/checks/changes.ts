import type { Behaviour } from '@mailsweep/google-sandbox';
import { z } from 'zod';
import { type Check, compare, type Finding } from '../check.ts';
import { toBatchModify } from '../gmail-client.ts';
import type { LabelRecord } from '../history.ts';
import { type HistoryWatch, readHistoryId, watchHistory } from '../history.ts';

/** A modify, four batches and a dozen reads of the history, which has 500 records to a page. */
const toUnits = (messages: number): number => 300 + 12 * 2 * (1 + Math.ceil((2 * messages) / 500));
/** How long the product waits for records that are missing (packages/gmail-mailbox, untraced-changes.ts). */
const PRODUCT_WAITS_MS = 3_500;
const SHORT_RESPONSE = 'id, labelIds, threadId';

const LabelsSchema = z.object({ labelIds: z.array(z.string()).default([]) });

const describeWatch = ({ seen, completeAfterMs }: HistoryWatch, messages: number): string => {
  const reads = seen
    .map(({ afterMs, messages: count }) => `${count} of ${messages} after ${afterMs} ms`)
    .join(', ');
  return completeAfterMs === undefined ? `not complete: ${reads}` : reads;
};

const orderOf = (records: readonly LabelRecord[], ids: readonly string[]): string => {
  const seen = [...new Set(records.map(({ messageId }) => messageId))].filter((id) => ids.includes(id));
  if (seen.length < 3) return 'too few records';
  if (seen.join() === ids.join()) return 'as requested';
  return seen.join() === ids.toReversed().join() ? 'reversed' : 'neither as requested nor reversed';
};

/** How one change that adds and removes labels was written down, of a message. */
const formOf = (records: readonly LabelRecord[]): string => {
  const own = records.filter(({ added, removed }) => added.includes('TRASH') || removed.includes('INBOX'));
  const [first] = own;
  if (first === undefined) return 'no record';
  if (first.added.includes('TRASH') && first.removed.includes('INBOX')) return 'one record';
  if (own.length < 2) return first.added.includes('TRASH') ? 'TRASH alone' : 'INBOX alone';
  return first.added.includes('TRASH') ? 'TRASH, then INBOX' : 'INBOX, then TRASH';
};

const RECORD_FORMS: Record<string, Behaviour['historyRecords']> = {
  'one record': 'joined',
  'TRASH, then INBOX': 'added_first',
  'INBOX, then TRASH': 'removed_first',
};
const ORDERS: Record<string, Behaviour['historyBatchOrder']> = {
  'as requested': 'as_requested',
  reversed: 'reversed',
};

const othersThan = (labels: readonly string[], records: readonly LabelRecord[]): string[] =>
  [...new Set(records.flatMap(({ added, removed }) => [...added, ...removed]))]
    .filter((label) => !labels.includes(label))
    .toSorted();

/** What Gmail responds to changes, how long many take, and when and how its history shows them. */
export const changesCheck: Check = {
  title: 'Changing messages',
  units: toUnits,
  async run({ gmail, workspace, historyReadsMs, pause }) {
    const { messageIds } = workspace;
    const count = messageIds.length;
    const [firstId = ''] = messageIds;
    const findings: Finding[] = [];

    const modified = await gmail.call({
      method: 'POST',
      path: `messages/${firstId}/modify`,
      body: { addLabelIds: ['STARRED'], removeLabelIds: [] },
    });
    const keys = Object.keys(
      z.record(z.string(), z.unknown()).safeParse(modified.body).data ?? {},
    ).toSorted();
    findings.push(
      compare({
        id: 'modify-response',
        title: 'Fields of the response to messages.modify',
        expected: SHORT_RESPONSE,
        observed: keys.join(', '),
      }),
    );

    const watchChange = async (
      added: string[],
      removed: string[],
      isTold: (record: LabelRecord) => boolean,
    ) => {
      // Records of earlier changes have to be behind the point from which the history is read.
      await pause(historyReadsMs.at(-1) ?? 0);
      const start = await readHistoryId(gmail);
      const response = await gmail.call(toBatchModify(messageIds, added, removed));
      const watch = await watchHistory(gmail, { start, messageIds, readsMs: historyReadsMs, pause, isTold });
      return { response, watch };
    };

    const archived = await watchChange([], ['INBOX'], ({ removed }) => removed.includes('INBOX'));
    const batchMs = Math.round(archived.response.tookMs);
    findings.push({
      id: 'batch-duration',
      title: `batchModify of ${count} messages`,
      expected: '204 within 60000 ms',
      observed: `${archived.response.status} after ${batchMs} ms`,
      verdict: archived.response.status === 204 && batchMs < 60_000 ? 'same' : 'different',
    });
    const { completeAfterMs, view, idLeads } = archived.watch;
    findings.push({
      id: 'history-delay',
      title: 'Messages in the history after batchModify',
      expected: `${count} of ${count} within ${PRODUCT_WAITS_MS} ms`,
      observed: describeWatch(archived.watch, count),
      verdict: completeAfterMs !== undefined && completeAfterMs <= PRODUCT_WAITS_MS ? 'same' : 'different',
    });
    findings.push(
      compare({
        id: 'history-order',
        title: 'Order of the messages of one batchModify in the history',
        expected: 'reversed',
        observed: orderOf(view.records, messageIds),
      }),
    );
    findings.push({
      id: 'history-empty-pages',
      title: 'Empty pages before the first records',
      expected: 'any number',
      observed: String(view.emptyPages),
      verdict: 'same',
    });
    findings.push({
      id: 'history-id',
      title: 'Whether the history id counts records that do not show yet',
      expected: 'either',
      observed: idLeads === undefined ? 'no record was missing' : idLeads ? 'yes' : 'no',
      verdict: idLeads === undefined ? 'unknown' : 'same',
    });

    await gmail.call(toBatchModify(messageIds, ['INBOX'], []));
    const trashed = await watchChange(['TRASH'], ['INBOX'], ({ added }) => added.includes('TRASH'));
    const ofFirst = trashed.watch.view.records.filter(({ messageId }) => messageId === firstId);
    const form = formOf(ofFirst);
    findings.push(
      compare({
        id: 'trash-records',
        title: 'Records of adding TRASH and removing INBOX',
        expected: 'TRASH, then INBOX',
        observed: form,
      }),
    );
    const others = othersThan(['TRASH', 'INBOX'], [...view.records, ...trashed.watch.view.records]);
    findings.push({
      id: 'side-labels',
      title: 'Other labels that changed with them',
      expected: 'none, or IMPORTANT',
      // Ids of user labels are private.
      observed:
        others.map((label) => (label.startsWith('Label_') ? 'a label of the user' : label)).join(', ') ||
        'none',
      verdict: others.every((label) => label === 'IMPORTANT') ? 'same' : 'different',
    });
    await gmail.call(toBatchModify(messageIds, [], ['TRASH']));
    const { labelIds } = await gmail.must(
      { method: 'GET', path: `messages/${firstId}?format=minimal` },
      LabelsSchema,
    );
    findings.push(
      compare({
        id: 'untrash',
        title: 'Whether INBOX comes back when TRASH is removed',
        expected: 'no',
        observed: labelIds.includes('INBOX') ? 'yes' : 'no',
      }),
    );
    await gmail.call(toBatchModify(messageIds, ['INBOX'], ['TRASH']));

    const records = RECORD_FORMS[form];
    const order = ORDERS[orderOf(view.records, messageIds)];
    return {
      findings,
      behaviour: {
        shortChangeResponses: keys.join(', ') === SHORT_RESPONSE,
        // The sandbox has its own pace: only what is slow by Google’s doing is worth imitating.
        ...(batchMs > 1_000 && { batchModifyMs: Math.min(batchMs, 120_000) }),
        ...(completeAfterMs !== undefined && { historyDelayMs: completeAfterMs }),
        ...(idLeads !== undefined && { historyIdLeadsRecords: idLeads }),
        ...(records && { historyRecords: records }),
        ...(order && { historyBatchOrder: order }),
        historyEmptyPages: Math.min(view.emptyPages, 20),
        importanceFollowsChanges: others.includes('IMPORTANT'),
      },
    };
  },
};
