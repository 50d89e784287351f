import { followCleanup } from '@mailsweep/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { collect, type JmapUser } from './jmap-users.ts';

const RECEIPT = { labels: ['INBOX'], from: 'Shop <billing@shop.example>', subject: 'Your receipt' };

/** Labels, which are mailboxes, and what becomes of changes whose mailbox another client renames or deletes. */
export const describeLabels = (open: () => Promise<JmapUser>) =>
  describe('labels', () => {
    test('are created when a suggestion is accepted, and taken off by undo', async () => {
      const { emails } = await user.client.listSuggestions({});
      expect(emails.find((email) => email.id === id)?.suggestions).toMatchObject([
        { action: 'label', classification: 'receipt' },
      ]);
      const before = await user.readPlaces();
      const confirmed = await user.client.confirmSuggestions({ body: { emailIds: [id], action: 'accept' } });
      expect(confirmed).toMatchObject({ processed: 1, results: [{ status: 'ok' }] });
      const label = (await user.readMailboxes()).get('Mailsweep/receipt') ?? '';
      expect((await user.readPlaces())[id]?.mailboxIds).toContain(label);
      await user.client.undoActions({ body: { ids: [confirmed.data[0]?.id ?? ''] } });
      expect(await user.readPlaces()).toEqual(before);
    });

    test('have the names that the user chose, and nest', async () => {
      const label = 'Rechnungen 🧾/2026';
      await user.client.confirmSuggestions({
        body: { emailIds: [id], action: 'accept', as: 'label', label },
      });
      const mailbox = (await user.readMailboxes()).get(label) ?? '';
      expect((await user.readPlaces())[id]?.mailboxIds).toContain(mailbox);
    });

    test('are created again where another client has renamed them after planning', async () => {
      const first = await user.account.createLabel('Bills');
      await user.account.change(id, { added: [first], removed: [] });
      const before = await user.readPlaces();
      const plan = await user.client.createCleanup({
        body: { action: 'label', label: 'Bills', selection: { type: 'filter', scope: 'inbox' } },
      });
      await updateMailbox(first, { name: 'Old bills' });
      expect(await run(plan.id)).toMatchObject({ state: 'completed', changed: 1 });
      const mailboxes = await user.readMailboxes();
      expect(mailboxes.get('Old bills')).toBe(first.slice('mbx:'.length));
      expect((await user.readPlaces())[id]?.mailboxIds).toEqual(
        [...(before[id]?.mailboxIds ?? []), mailboxes.get('Bills')].toSorted(),
      );
      expect(await user.client.undoCleanup({ params: { id: plan.id } })).toMatchObject({ undone: 1 });
      expect(await user.readPlaces()).toEqual(before);
    });

    test('that another client has deleted since are not taken off again', async () => {
      const before = await user.readPlaces();
      const plan = await user.client.createCleanup({
        body: { action: 'label', label: 'Bills', selection: { type: 'filter', scope: 'inbox' } },
      });
      expect(await run(plan.id)).toMatchObject({ state: 'completed', changed: 1 });
      await destroyMailbox((await user.readMailboxes()).get('Bills') ?? '');
      expect(await user.readPlaces()).toEqual(before);
      expect(await user.client.undoCleanup({ params: { id: plan.id } })).toMatchObject({ undone: 0 });
      const { data } = await user.client.listActionHistory({});
      expect(data).toMatchObject([{ emailId: id, undoneAt: null }]);
      expect(await user.readPlaces()).toEqual(before);
    });

    test('that are gone do not keep a deleted email in the trash', async () => {
      const label = await user.account.createLabel('Bills');
      const before = await user.readPlaces();
      await user.account.change(id, { added: [label], removed: [] });
      const { results } = await user.client.executeInboxAction({
        body: { emailIds: [id], action: 'delete' },
      });
      expect(results).toMatchObject([{ status: 'ok' }]);
      await destroyMailbox(label.slice('mbx:'.length));
      const { data } = await user.client.listActionHistory({});
      expect(await user.client.undoActions({ body: { ids: [data[0]?.id ?? ''] } })).toMatchObject({
        results: [{ status: 'ok' }],
      });
      expect(await user.readPlaces()).toEqual(before);
    });

    const run = async (plan: string) => {
      await user.client.runCleanup({ params: { id: plan } });
      return (await collect(followCleanup(user.client, plan, { intervalMs: 100 }))).at(-1);
    };
    const updateMailbox = (label: string, fields: object) =>
      user.account.call('Mailbox/set', { update: { [label.slice('mbx:'.length)]: fields } });
    const destroyMailbox = (mailbox: string) =>
      user.account.call('Mailbox/set', { destroy: [mailbox], onDestroyRemoveEmails: true });

    let user: JmapUser;
    let id: string;
    beforeEach(async () => {
      user = await open();
      id = await user.account.deliver({ ...RECEIPT, receivedAt: new Date(Date.UTC(2026, 10, 1)) });
    });
  });
