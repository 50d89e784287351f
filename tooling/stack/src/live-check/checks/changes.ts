import type { Behaviour } from '@mailsweep/google-sandbox';
import {
  type HistoryPage,
  toBatchModifyRequest,
  toCreateLabelRequest,
  toHistoryRequest,
  toModifyRequest,
  toProfileRequest,
} from '@mailsweep/mail/gmail/api';
import { parseJson } from '@mailsweep/service-kit/http-client';
import { z } from 'zod';
import { type Check, type CheckContext, compare, compareWith, type Finding } from '../check.ts';
import { describeResponse, toDeleteRequest } from '../gmail-client.ts';
import { createLabel, MAIN_LABEL, readLabels } from '../workspace.ts';

const ARCHIVED = 3;

interface LabelChange {
  added: string[];
  removed: string[];
}

/** Whether the product's own mailbox knows what it did, and takes exactly that back. */
export const undoCheck: Check = {
  title: 'Archive, delete and undo with the product’s own code',
  async run({ gmail, mailbox, workspace }) {
    const ids = workspace.messageIds.slice(0, ARCHIVED);
    const [firstId = ''] = ids;
    const labelsOf = async (id: string): Promise<string[]> =>
      // Gmail itself may turn IMPORTANT; that is a finding of another check.
      (await readLabels(gmail, id)).filter((label) => label !== 'IMPORTANT').toSorted();
    const readAll = async () => (await Promise.all(ids.map(labelsOf))).join(';');

    const change = async (changed: readonly string[], what: LabelChange, historyId: string | undefined) => {
      const changes = changed.map((id) => ({ id, ...what }));
      const outcomes = await mailbox.changeLabels(changes, historyId);
      // What the history does not show yet is looked up later, as the product does.
      const open = changes
        .filter((_, index) => outcomes[index]?.status === 'ok' && !('change' in outcomes[index]))
        .map((one) => ({ ...one, isDone: true }));
      const later = open.length === 0 ? [] : await mailbox.findChanges(open, historyId);
      return outcomes
        .map((outcome) => later.find(({ id }) => id === outcome.id) ?? outcome)
        .map((outcome) => (outcome.status === 'ok' ? outcome.change : undefined));
    };
    const archive = { added: [], removed: ['INBOX'] };
    const describe = (real: LabelChange | undefined): string =>
      real === undefined
        ? 'unknown'
        : `added ${real.added.join() || 'nothing'}, removed ${real.removed.join() || 'nothing'}`;

    const before = await readAll();
    const archived = await change(ids, archive, (await mailbox.readBaseline(ids)).historyId);
    const known = archived.filter((real) => describe(real) === describe(archive));
    const { historyId } = await mailbox.readBaseline([firstId]);
    const [deleted] = await change([firstId], { added: ['TRASH'], removed: ['INBOX'] }, historyId);
    if (deleted) await change([firstId], { added: deleted.removed, removed: deleted.added }, undefined);
    const afterUndo = await labelsOf(firstId);
    await change(ids, { added: ['INBOX'], removed: [] }, undefined);
    const after = await readAll();
    const findings: Finding[] = [
      compareWith({
        id: 'archive-outcomes',
        title: `Archiving ${ARCHIVED} messages singly: changes known exactly`,
        expected: `${ARCHIVED} of ${ARCHIVED}`,
        observed: `${known.length} of ${ARCHIVED}`,
      }),
      compare('delete-outcome', describe(deleted)),
      compare('undo-delete', afterUndo.includes('INBOX') || afterUndo.includes('TRASH') ? 'no' : 'yes'),
      compare('undo-archive', after === before ? 'yes' : 'no'),
    ];
    return { findings };
  },
};

/** A history that never ends is no history. */
const MAX_PAGES = 50;
/** How long the product waits for records that are missing (packages/mail/src/gmail, untraced-changes.ts). */
const PRODUCT_WAITS_MS = 3_500;
const SHORT_RESPONSE = 'id, labelIds, threadId';

/** A change of labels of one message, as one record of the history has it. */
interface LabelRecord {
  messageId: string;
  added: string[];
  removed: string[];
}

const toRecords = ({
  labelsAdded,
  labelsRemoved,
}: NonNullable<HistoryPage['history']>[number]): LabelRecord[] => {
  const added = Map.groupBy(labelsAdded ?? [], ({ message }) => message.id);
  const removed = Map.groupBy(labelsRemoved ?? [], ({ message }) => message.id);
  return [...new Set([...added.keys(), ...removed.keys()])].map((messageId) => ({
    messageId,
    added: (added.get(messageId) ?? []).flatMap(({ labelIds }) => labelIds ?? []),
    removed: (removed.get(messageId) ?? []).flatMap(({ labelIds }) => labelIds ?? []),
  }));
};

/** Reads the history after a point, as far as it shows now, oldest first. */
const readHistory = async (gmail: CheckContext['gmail'], start: bigint) => {
  const records: LabelRecord[] = [];
  let historyId = start;
  /** Pages without records that came before the first with some. */
  let emptyPages = 0;
  let pageToken: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await gmail.send(toHistoryRequest(start, pageToken));
    historyId = page.historyId ?? historyId;
    pageToken = page.nextPageToken ?? undefined;
    if (records.length === 0 && !page.history?.length && pageToken) emptyPages += 1;
    records.push(...(page.history ?? []).flatMap(toRecords));
    if (!pageToken) break;
  }
  return { records, historyId, emptyPages };
};

/**
 * Makes a change, and reads the history at set times after it, until the records of all messages show.
 *
 * @param isTold - whether a message's record shows the change
 */
const watchChange = async <T>(
  { gmail, historyReadsMs, pause }: CheckContext,
  messageIds: readonly string[],
  change: () => Promise<T>,
  isTold: (record: LabelRecord) => boolean,
) => {
  // Records of earlier changes have to be behind the point from which the history is read.
  await pause(historyReadsMs.at(-1) ?? 0);
  const { historyId: start } = await gmail.send(toProfileRequest());
  const result = await change();
  const changedAtMs = performance.now();
  let records: LabelRecord[] = [];
  let emptyPages = 0;
  /** How many messages had a record at each read. */
  const seen: { afterMs: number; messages: number }[] = [];
  /** When the records of all messages showed, in milliseconds; undefined when they never did. */
  let completeAfterMs: number | undefined;
  /** Whether the history id counted records that did not show yet; undefined when none was missing. */
  let idLeads: boolean | undefined;
  for (const afterMs of historyReadsMs) {
    await pause(Math.max(0, changedAtMs + afterMs - performance.now()));
    const history = await readHistory(gmail, start);
    ({ records, emptyPages } = history);
    const told = new Set(records.filter(isTold).map(({ messageId }) => messageId));
    const messages = messageIds.filter((id) => told.has(id)).length;
    seen.push({ afterMs, messages });
    if (messages === 0) idLeads = history.historyId > start;
    if (messages < messageIds.length) continue;
    completeAfterMs = afterMs;
    break;
  }
  return { result, records, emptyPages, seen, completeAfterMs, idLeads };
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

/** What Gmail responds to changes, how long many take, and when and how its history shows them. */
export const changesCheck: Check = {
  title: 'Changing messages',
  async run(context) {
    const { gmail, workspace } = context;
    const { messageIds } = workspace;
    const count = messageIds.length;
    const [firstId = ''] = messageIds;
    const batchModify = (added: string[], removed: string[]) =>
      gmail.call(toBatchModifyRequest(messageIds, { added, removed }));

    // Without the product's mask: all fields.
    const { method, path, body, response } = toModifyRequest({
      id: firstId,
      added: ['STARRED'],
      removed: [],
    });
    const modified = parseJson((await gmail.call({ method, path, body, response })).text);
    const fields = Object.keys(z.record(z.string(), z.unknown()).safeParse(modified).data ?? {})
      .toSorted()
      .join(', ');
    const archived = await watchChange(
      context,
      messageIds,
      () => batchModify([], ['INBOX']),
      ({ removed }) => removed.includes('INBOX'),
    );
    const { completeAfterMs, emptyPages, idLeads } = archived;
    const { status, tookMs } = archived.result;
    const batchMs = Math.round(tookMs);
    const reads = archived.seen.map(({ afterMs, messages }) => `${messages} of ${count} after ${afterMs} ms`);
    const order = orderOf(archived.records, messageIds);

    await batchModify(['INBOX'], []);
    const trashed = await watchChange(
      context,
      messageIds,
      () => batchModify(['TRASH'], ['INBOX']),
      ({ added }) => added.includes('TRASH'),
    );
    const form = formOf(trashed.records.filter(({ messageId }) => messageId === firstId));
    const changed = [...archived.records, ...trashed.records].flatMap(({ added, removed }) => [
      ...added,
      ...removed,
    ]);
    const others = [...new Set(changed)].filter((label) => !['TRASH', 'INBOX'].includes(label)).toSorted();
    await batchModify([], ['TRASH']);
    const untrashed = await readLabels(gmail, firstId);
    await batchModify(['INBOX'], ['TRASH']);

    const findings: Finding[] = [
      compare('modify-response', fields),
      {
        id: 'batch-duration',
        title: `batchModify of ${count} messages`,
        expected: '204 within 60000 ms',
        observed: `${status} after ${batchMs} ms`,
        verdict: status === 204 && batchMs < 60_000 ? 'same' : 'different',
      },
      {
        id: 'history-delay',
        title: 'Messages in the history after batchModify',
        expected: `${count} of ${count} within ${PRODUCT_WAITS_MS} ms`,
        observed: `${completeAfterMs === undefined ? 'not complete: ' : ''}${reads.join(', ')}`,
        verdict: completeAfterMs !== undefined && completeAfterMs <= PRODUCT_WAITS_MS ? 'same' : 'different',
      },
      compare('history-order', order),
      compare('history-empty-pages', String(emptyPages), 'same'),
      idLeads === undefined
        ? compare('history-id', 'no record was missing', 'unknown')
        : compare('history-id', idLeads ? 'yes' : 'no', 'same'),
      compare('trash-records', form),
      compare(
        'side-labels',
        // Ids of user labels are private.
        others.map((label) => (label.startsWith('Label_') ? 'a label of the user' : label)).join(', ') ||
          'none',
        others.every((label) => label === 'IMPORTANT') ? 'same' : 'different',
      ),
      compare('untrash', untrashed.includes('INBOX') ? 'yes' : 'no'),
    ];
    const historyRecords = RECORD_FORMS[form];
    const historyBatchOrder = ORDERS[order];
    return {
      findings,
      behaviour: {
        shortChangeResponses: fields === SHORT_RESPONSE,
        // The sandbox has its own pace: only what is slow by Google’s doing is worth imitating.
        ...(batchMs > 1_000 && { batchModifyMs: Math.min(batchMs, 120_000) }),
        ...(completeAfterMs !== undefined && { historyDelayMs: completeAfterMs }),
        ...(idLeads !== undefined && { historyIdLeadsRecords: idLeads }),
        ...(historyRecords && { historyRecords }),
        ...(historyBatchOrder && { historyBatchOrder }),
        historyEmptyPages: Math.min(emptyPages, 20),
        importanceFollowsChanges: others.includes('IMPORTANT'),
      },
    };
  },
};

const LABELLED = 2;

/** What is left of a label that is deleted, and which names conflict. */
export const labelsCheck: Check = {
  title: 'Labels',
  async run(context) {
    const { gmail, mailbox, workspace } = context;
    const ids = workspace.messageIds.slice(0, LABELLED);
    const [firstId = ''] = ids;
    const labelId = await createLabel(gmail, `${MAIN_LABEL}/to be deleted`);
    await gmail.send(toBatchModifyRequest(ids, { added: [labelId], removed: [] }));
    const { seen } = await watchChange(
      context,
      ids,
      () => gmail.send(toDeleteRequest(`labels/${labelId}`)),
      ({ removed }) => removed.includes(labelId),
    );
    const isInHistory = seen.some(({ messages }) => messages > 0);
    const removal = { id: firstId, added: [], removed: [labelId] };
    const refused = await gmail.call(toModifyRequest(removal));
    const [undone] = await mailbox.changeLabels([removal], undefined);
    await createLabel(gmail, `${MAIN_LABEL}/two words`);
    const conflict = await gmail.call(toCreateLabelRequest(`${MAIN_LABEL.toUpperCase()}/Two-Words`));
    const findings: Finding[] = [
      compare('label-deletion-history', isInHistory ? 'yes' : 'no'),
      compare('deleted-label', describeResponse(refused)),
      compare(
        'deleted-label-undo',
        undone?.status === 'error' ? undone.error.code : (undone?.status ?? 'nothing'),
      ),
      compare('label-conflict', describeResponse(conflict)),
    ];
    return { findings, behaviour: { labelDeletionInHistory: isInHistory } };
  },
};
