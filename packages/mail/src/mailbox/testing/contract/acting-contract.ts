import type { LabelChange } from '@mailsweep/contracts';
import { describe, expect, it } from 'vitest';
import { NO_CHANGE } from '../../label-change.ts';
import { SYSTEM_LABELS } from '../../labels.ts';
import { type ContractServer, useContractUser } from './contract-user.ts';

const { inbox, trash, unread, starred, draft } = SYSTEM_LABELS;

/** Actions, their undo, and labels. */
export const describeActing = (openServer: () => Promise<ContractServer>, canRefuse: boolean): void => {
  const user = useContractUser(openServer);
  const { deliver, deliverOne, labelsOf, act, undo } = user;

  describe('an action', () => {
    const ACTIONS: [string, LabelChange][] = [
      ['archive', { added: [], removed: [inbox] }],
      ['delete', { added: [trash], removed: [inbox] }],
      ['mark read', { added: [], removed: [unread] }],
      ['star', { added: [starred], removed: [] }],
    ];

    it.each(ACTIONS)('%s has its effect, and undo restores every label', async (_, change) => {
      const label = await user.server.createLabel('Bills');
      const id = await deliverOne([unread, label]);
      const before = await labelsOf(id);
      for (const isKnown of [true, false]) {
        const outcome = await act(id, change, isKnown);
        const after = await labelsOf(id);
        expect(outcome).toMatchObject({ id, status: 'ok' });
        expect(change.added.every((one) => after.has(one))).toBe(true);
        expect(change.removed.some((one) => after.has(one))).toBe(false);
        const status = outcome?.status === 'ok' && outcome.change;
        if (!status) throw new Error('nothing was recorded');
        const { statuses } = await user.mailbox.checkChanges([{ id, change: status }]);
        expect(statuses).toMatchObject([{ id, isReversible: true }]);
        await undo(id, outcome);
        expect(await labelsOf(id)).toEqual(before);
      }
    });

    it('records what it changed alone', async () => {
      const id = await deliverOne();
      const read = await act(id, { added: [], removed: [unread, inbox] });
      expect(read).toMatchObject({ status: 'ok', change: { removed: [inbox] } });
      const again = await act(id, { added: [], removed: [inbox] });
      expect(again).toMatchObject({ status: 'ok', change: NO_CHANGE });
    });

    it('of many emails at once reports each, in their order', async () => {
      const ids = await deliver(25);
      await user.server.change(ids[7] ?? '', { added: [starred], removed: [inbox] });
      await user.server.destroy(ids[9] ?? '');
      const baseline = await user.mailbox.readBaseline(ids);
      const changes = ids.map((id) => ({
        id,
        added: [],
        removed: [inbox],
        before: baseline.labels.get(id),
      }));
      const outcomes = await user.mailbox.changeLabels(changes, baseline.historyId);
      expect(outcomes.map(({ id }) => id)).toEqual(ids);
      const kinds = outcomes.map((outcome) =>
        outcome.status === 'error' ? outcome.error.code : outcome.change?.removed.length,
      );
      expect(kinds).toEqual(ids.map((_, index) => (index === 7 ? 0 : index === 9 ? 'not_found' : 1)));
      for (const [index, id] of ids.entries()) {
        if (index !== 9) expect((await labelsOf(id)).has(inbox)).toBe(false);
      }
      expect((await labelsOf(ids[7] ?? '')).has(starred)).toBe(true);
    });

    const itIfRefusing = canRefuse ? it : () => undefined;
    itIfRefusing(
      'of many emails, of which some are refused, records and undoes what was changed',
      async () => {
        const ids = await deliver(25);
        const refused = new Set(ids.filter((_, index) => index % 3 === 0));
        user.server.refuseChangesOf?.([...refused]);
        const baseline = await user.mailbox.readBaseline(ids);
        const toRequest = (id: string) => ({
          id,
          added: [],
          removed: [inbox],
          before: baseline.labels.get(id),
        });
        const outcomes = await user.mailbox.changeLabels(ids.map(toRequest), baseline.historyId);
        const changed = outcomes.flatMap((one) =>
          one.status === 'ok' && one.change?.removed[0] ? [[one.id, one] as const] : [],
        );
        expect(changed.map(([id]) => id)).toEqual(ids.filter((id) => !refused.has(id)));
        for (const [id, outcome] of changed) await undo(id, outcome);
        for (const id of ids) expect(await labelsOf(id)).toEqual(new Set([inbox]));
      },
    );

    it('never reverses what another client did, before or after', async () => {
      const id = await deliverOne([unread]);
      const baseline = await user.mailbox.readBaseline([id]);
      await user.server.change(id, { added: [starred], removed: [unread] });
      const change = { added: [], removed: [inbox, unread] };
      const before = baseline.labels.get(id);
      const [outcome] = await user.mailbox.changeLabels([{ id, ...change, before }], baseline.historyId);
      expect(outcome).toMatchObject({ status: 'ok', change: { removed: [inbox] } });
      await undo(id, outcome);
      const labels = await labelsOf(id);
      expect([labels.has(inbox), labels.has(starred), labels.has(unread)]).toEqual([true, true, false]);
    });

    it.each([
      ['reversed it', { added: [inbox], removed: [] }],
      ['put the email into the trash', { added: [trash], removed: [] }],
    ])('cannot be taken back once another client has %s', async (_, change) => {
      const id = await deliverOne();
      const outcome = await act(id, { added: [], removed: [inbox] });
      await user.server.change(id, change);
      if (outcome?.status !== 'ok' || !outcome.change) throw new Error('nothing was recorded');
      const { statuses } = await user.mailbox.checkChanges([{ ...outcome, id, change: outcome.change }]);
      expect(statuses).toMatchObject([{ id, isReversible: false }]);
    });

    it('does not touch drafts', async () => {
      const id = await deliverOne([draft]);
      const baseline = await user.mailbox.readBaseline([id]);
      expect([...baseline.noMail]).toEqual([id]);
      expect(await user.mailbox.findEmails([id])).toEqual([]);
    });
  });

  it('finds labels by their names, creates missing ones, and no more than the limits allow', async () => {
    const own = await user.server.createLabel('Receipts');
    const limits = { perCall: 1, inTotal: 10, prefix: 'Mailsweep/' };
    const found = await user.mailbox.findOrCreateLabels(
      ['Receipts', 'Mailsweep/news', 'Mailsweep/more'],
      limits,
    );
    expect(found.get('Receipts')).toEqual({ id: own });
    expect(found.get('Mailsweep/more')).toHaveProperty('reason');
    const created = found.get('Mailsweep/news');
    if (created === undefined || !('id' in created)) throw new Error('the label was not created');
    const again = await user.mailbox.findOrCreateLabels(['mailsweep/News'], limits);
    expect(again.get('mailsweep/News')).toEqual(created);
    const id = await deliverOne();
    const outcome = await act(id, { added: [created.id], removed: [inbox] });
    expect(await labelsOf(id)).toEqual(new Set([created.id]));
    await undo(id, outcome);
    expect(await labelsOf(id)).toEqual(new Set([inbox]));
  });
};
