import { describe, expect, it } from 'vitest';
import { SYSTEM_LABELS } from '../../labels.ts';
import type { MailboxChanges } from '../../mailbox.ts';
import { type ContractServer, FIRST_MS, HOUR_MS, useContractUser } from './contract-user.ts';

const { inbox, starred, sent } = SYSTEM_LABELS;

/** What became of changes, and what happened since a point of the history. */
export const describeHistory = (openServer: () => Promise<ContractServer>): void => {
  const user = useContractUser(openServer);
  const { deliver, deliverOne } = user;

  describe('what became of a change', () => {
    it('is found later: it was made, or it was not', async () => {
      const [made = '', unmade = '', foreign = ''] = await deliver(3);
      const { historyId } = await user.mailbox.readBaseline([made, unmade, foreign]);
      const change = { added: [], removed: [inbox] };
      await user.mailbox.changeLabels([{ id: made, ...change, before: [inbox] }], historyId);
      await user.server.change(foreign, { added: [starred], removed: [] });
      const requests = [made, unmade, foreign].map((id) => ({ id, ...change, before: [inbox] }));
      const outcomes = await user.mailbox.findChanges(requests, historyId, 10 * 60_000);
      expect(outcomes).toMatchObject([
        { id: made, status: 'ok', change: { removed: [inbox] } },
        { id: unmade, status: 'error', isUnsure: false },
        { id: foreign, status: 'error', isUnsure: false },
      ]);
    });
  });

  describe('what happened since a point of the history', () => {
    const readSince = async (historyId: string, known: ReadonlyMap<string, readonly string[]>) => {
      const changes = await user.mailbox.readChangesSince(historyId, async () => known);
      expect(changes).toBeDefined();
      return changes as MailboxChanges;
    };

    it('tells which labels came and went, and which emails were deleted', async () => {
      const [moved = '', marked = '', gone = '', untouched = ''] = await deliver(4);
      const before = await user.mailbox.readBaseline([moved, marked, gone, untouched]);
      await user.server.change(moved, { added: [], removed: [inbox] });
      await user.server.change(marked, { added: [starred], removed: [] });
      await user.server.destroy(gone);
      const { messages, historyId } = await readSince(before.historyId, before.labels);
      expect([...(messages.get(moved)?.removed ?? [])]).toEqual([inbox]);
      expect([...(messages.get(marked)?.added ?? [])]).toEqual([starred]);
      expect(messages.get(marked)?.removed.size).toBe(0);
      expect(messages.get(gone)?.isDeleted).toBe(true);
      expect(messages.has(untouched)).toBe(false);
      const later = await readSince(historyId, before.labels);
      expect([later.messages.size, later.arrivedIds]).toEqual([0, []]);
    });

    it('tells what arrived in the inbox, oldest first, and which conversations were answered', async () => {
      const question = await deliverOne();
      const historyId = await user.mailbox.readHistoryId();
      const first = await deliverOne([], { receivedAt: new Date(FIRST_MS + HOUR_MS) });
      const second = await deliverOne([], { receivedAt: new Date(FIRST_MS + 2 * HOUR_MS) });
      const receivedAt = new Date(FIRST_MS + 3 * HOUR_MS);
      await user.server.deliver({
        labels: [sent],
        subject: 'Re: Subject 0',
        from: 'Ada <ada@example.com>',
        receivedAt,
        replyTo: question,
      });
      const [email] = await user.mailbox.findEmails([question]);
      const { arrivedIds, answeredThreads } = await readSince(historyId, new Map());
      expect(arrivedIds).toEqual([first, second]);
      expect([...answeredThreads]).toEqual([email?.threadId]);
    });
  });
};
