import { describe, expect, it } from 'vitest';
import type { BehaviourChange } from '../behaviour.ts';
import { mailboxOf, message, openMailbox, orderFault, startSandbox } from '../testing/test-sandbox.ts';

const TO_TRASH = { addLabelIds: ['TRASH'], removeLabelIds: ['INBOX'] };
const MESSAGES = [1, 2, 3].map((age) => message(`m${age}`, { ageDays: age }));

interface Entry {
  id: string;
  messages: { id: string }[];
  labelsAdded?: { labelIds: string[] }[];
  labelsRemoved?: { labelIds: string[] }[];
}
/** A record in short: the message, and its labels that came (+) or went (-). */
const toShort = ({ messages, labelsAdded = [], labelsRemoved = [] }: Entry): string =>
  [
    messages[0]?.id,
    ...labelsAdded.flatMap(({ labelIds }) => labelIds.map((labelId) => `+${labelId}`)),
    ...labelsRemoved.flatMap(({ labelIds }) => labelIds.map((labelId) => `-${labelId}`)),
  ].join(' ');

const setUp = async (behaviour: BehaviourChange) => {
  let nowMs = Date.parse('2026-06-15T12:00:00Z');
  const plain: BehaviourChange = { historyRecords: 'joined', historyBatchOrder: 'as_requested' };
  const { url } = await startSandbox([mailboxOf(...MESSAGES)], {
    behaviour: { ...plain, ...behaviour },
    nowMs: () => nowMs,
  });
  const mailbox = await openMailbox(url);
  const { historyId: start } = await mailbox.get('/profile');
  const list = (query = '') => mailbox.get(`/history?startHistoryId=${start}${query}`);
  return {
    url,
    mailbox,
    start,
    list,
    read: async (): Promise<string[]> => ((await list()).history ?? []).map(toShort),
    trash: (...ids: string[]) => mailbox.call('POST', '/messages/batchModify', { ids, ...TO_TRASH }),
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
};

describe('the history of the sandbox', () => {
  it.each([
    ['joined', ['m1 +TRASH -INBOX']],
    ['added_first', ['m1 +TRASH', 'm1 -INBOX']],
    ['removed_first', ['m1 -INBOX', 'm1 +TRASH']],
  ] as const)('shows one change in records that are %s', async (historyRecords, expected) => {
    const { read, trash, list, mailbox } = await setUp({ historyRecords });
    await trash('m1');
    expect(await read()).toEqual(expected);
    const { history, historyId } = await list();
    const ids = history.map(({ id }: Entry) => BigInt(id));
    expect(ids.toSorted()).toEqual(ids);
    expect(String(ids.at(-1))).toBe(historyId);
    expect((await mailbox.get('/messages/m1?format=minimal')).historyId).toBe(historyId);
  });

  it.each([
    ['as_requested', ['m1', 'm2', 'm3']],
    ['reversed', ['m3', 'm2', 'm1']],
  ] as const)('shows the messages of a batch %s', async (historyBatchOrder, ids) => {
    const { list, trash } = await setUp({ historyBatchOrder });
    await trash('m1', 'm2', 'm3');
    expect((await list()).history.map(({ messages }: Entry) => messages[0]?.id)).toEqual(ids);
  });

  it('gives each whole response the history id of its own change', async () => {
    const { mailbox } = await setUp({ historyRecords: 'joined', shortChangeResponses: false });
    for (const change of [TO_TRASH, { addLabelIds: ['INBOX'], removeLabelIds: ['TRASH'] }]) {
      const { historyId: before } = await mailbox.get('/profile');
      const response = await mailbox.call('POST', '/messages/m1/modify', change);
      const { history } = await mailbox.get(`/history?startHistoryId=${before}`);
      expect(await response.json()).toMatchObject({ historyId: history[0].id });
    }
  });

  it('mixes in what Gmail itself does to the importance of mail', async () => {
    const { read, trash, mailbox } = await setUp({
      importanceFollowsChanges: true,
      historyRecords: 'added_first',
    });
    await trash('m1');
    expect(await read()).toEqual(['m1 +TRASH', 'm1 +IMPORTANT', 'm1 -INBOX']);
    expect((await mailbox.get('/messages/m1')).labelIds.toSorted()).toEqual(['IMPORTANT', 'TRASH']);
  });

  it.each([false, true])(
    'shows records late; its own id runs ahead of them: %s',
    async (historyIdLeadsRecords) => {
      const { list, trash, advance, mailbox, start } = await setUp({
        historyDelayMs: 1_000,
        historyIdLeadsRecords,
      });
      await trash('m1');
      advance(999);
      const early = await list();
      expect(early).not.toHaveProperty('history');
      expect(early.historyId !== start).toBe(historyIdLeadsRecords);
      expect((await mailbox.get('/profile')).historyId).toBe(early.historyId);
      advance(1);
      expect((await list()).history).toHaveLength(1);
    },
  );

  it('has as many empty pages before and after the records as it is set to, and gives every record once', async () => {
    const { list, trash } = await setUp({
      historyEmptyPages: 2,
      historyTrailingPages: 1,
      opaquePageTokens: true,
    });
    expect(await list()).not.toHaveProperty('nextPageToken');
    await trash('m1', 'm2', 'm3');
    const sizes: number[] = [];
    let pageToken: string | undefined = '';
    while (pageToken !== undefined) {
      const page = await list(`&maxResults=2&pageToken=${pageToken}`);
      sizes.push((page.history ?? []).length);
      pageToken = page.nextPageToken;
    }
    expect(sizes).toEqual([0, 0, 2, 1, 0]);
  });

  it('loses records for good where ordered, while the change is made', async () => {
    const { url, read, trash, mailbox } = await setUp({});
    await orderFault(url, { kind: 'lose_history_records', method: 'POST', records: 2 });
    await trash('m1', 'm2', 'm3');
    expect(await read()).toEqual(['m3 +TRASH -INBOX']);
    expect((await mailbox.get('/messages/m1')).labelIds).toEqual(['TRASH']);
  });

  it('returns only the types and the label asked for', async () => {
    const { list, trash } = await setUp({});
    await trash('m1');
    const [entry] = (await list('&historyTypes=labelAdded')).history;
    expect(Object.keys(entry).toSorted()).toEqual(['id', 'labelsAdded', 'messages']);
    expect((await list('&labelId=INBOX')).history.map(toShort)).toEqual(['m1 -INBOX']);
    expect(await list('&labelId=STARRED')).not.toHaveProperty('history');
  });

  it('shows changes that were made at the same time once each', async () => {
    const { list, mailbox } = await setUp({});
    await Promise.all(
      ['m1', 'm2', 'm3'].map((id) => mailbox.call('POST', `/messages/${id}/modify`, TO_TRASH)),
    );
    const { history } = await list();
    expect(history.map(({ messages }: Entry) => messages[0]?.id).toSorted()).toEqual(['m1', 'm2', 'm3']);
  });
});
