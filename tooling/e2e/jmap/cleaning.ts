import { followCleanup, followScan } from '@mailsweep/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { collect, type JmapUser, PROVIDER } from './jmap-users.ts';

const DAY_MS = 24 * 3_600_000;
const NEWSLETTERS = 40;

/** From the first look to a cleanup and its undo. */
export const describeCleaning = (open: () => Promise<JmapUser>) =>
  describe('cleaning', () => {
    test('is whose the token is', async () => {
      const me = await user.client.getMe();
      expect(me).toMatchObject({
        connection: 'active',
        provider: { key: PROVIDER, name: 'Our server', kind: 'jmap' },
        mailbox: { name: 'Our server', categories: ['updates', 'forums', 'primary'], hasQuotaUnits: false },
      });
    });

    test('is scanned, and has its senders and suggestions', async () => {
      const { id } = await user.client.startScan({ body: { scope: 'all' } });
      const states = await collect(followScan(user.client, id));
      expect(states.at(-1)).toMatchObject({ state: 'completed', scanned: NEWSLETTERS + 2 });
      const { data: senders } = await user.client.listSenders({ query: { sort: 'mails' } });
      expect(senders[0]).toMatchObject({
        from: expect.stringContaining('<news@shop.example>'),
        mails: NEWSLETTERS,
      });
      const { data: groups } = await user.client.listSuggestionGroups({});
      expect(groups.length).toBeGreaterThan(0);
    });

    test('has an email archived, deleted and marked, and all of it undone exactly', async () => {
      const [id = ''] = ids;
      const before = await labelsOf(id);
      for (const action of ['archive', 'delete', 'mark_read'] as const) {
        const { results } = await user.client.executeInboxAction({ body: { emailIds: [id], action } });
        expect(results).toMatchObject([{ emailId: id, status: 'ok' }]);
        expect(await labelsOf(id)).not.toEqual(before);
        const { data } = await user.client.listActionHistory({ query: { perPage: 1 } });
        await user.client.undoActions({ body: { ids: [data[0]?.id ?? ''] } });
        expect(await labelsOf(id)).toEqual(before);
      }
    });

    test('is cleaned by a plan, but for what another client changed since, and undone', async () => {
      const before = await readAll();
      const { data: senders } = await user.client.listSenders({ query: { sort: 'mails' } });
      const plan = await user.client.createCleanup({
        body: { action: 'archive', selection: { type: 'senders', senders: [senders[0]?.id ?? ''] } },
      });
      expect(plan).toMatchObject({ total: NEWSLETTERS, quotaUnits: 0 });
      const starred = ids[5] ?? '';
      await user.account.change(starred, { added: ['STARRED'], removed: [] });
      await user.client.runCleanup({ params: { id: plan.id } });
      const states = await collect(followCleanup(user.client, plan.id));
      expect(states.at(-1)).toMatchObject({ state: 'completed', changed: NEWSLETTERS - 1, skipped: 1 });
      for (const id of ids) expect((await labelsOf(id)).has('INBOX')).toBe(id === starred);

      const { undone } = await user.client.undoCleanup({ params: { id: plan.id } });
      expect(undone).toBe(NEWSLETTERS - 1);
      const after = await readAll();
      after.get(starred)?.delete('STARRED');
      expect(after).toEqual(before);
    });

    test('of all mail leaves notes, scheduled and snoozed email where it is', async () => {
      const roles = ['memos', 'scheduled', 'snoozed'];
      const { created } = await user.account.call<{ created: Record<string, { id: string }> }>(
        'Mailbox/set',
        {
          create: Object.fromEntries(roles.map((role) => [role, { name: `Own ${role}`, role }])),
        },
      );
      const receivedAt = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 300 * DAY_MS);
      const email = { subject: 'Old', from: 'Shop Old <old@shop.example>', receivedAt };
      const mail = await user.account.deliver({ ...email, labels: ['INBOX'] });
      const kept = await Promise.all(
        roles.map((role) => user.account.deliver({ ...email, labels: [`mbx:${created[role]?.id}`] })),
      );
      const before = await Promise.all(kept.map(labelsOf));
      const selection = { type: 'filter', scope: 'all', olderThan: 200 } as const;
      const plan = await user.client.createCleanup({ body: { action: 'delete', selection } });
      expect(plan).toMatchObject({ total: 1 });
      await user.client.runCleanup({ params: { id: plan.id } });
      const states = await collect(followCleanup(user.client, plan.id));
      expect(states.at(-1)).toMatchObject({ state: 'completed', changed: 1 });
      expect(await labelsOf(mail)).toEqual(new Set(['TRASH']));
      expect(await Promise.all(kept.map(labelsOf))).toEqual(before);
      const body = { emailIds: kept, action: 'delete' } as const;
      expect(await user.client.executeInboxAction({ body })).toMatchObject({ execution: 'none' });
      expect(await Promise.all(kept.map(labelsOf))).toEqual(before);
    });

    const labelsOf = async (id: string) => new Set(await user.account.readLabels(id));
    const readAll = async () =>
      new Map(await Promise.all(ids.map(async (id) => [id, await labelsOf(id)] as const)));

    let user: JmapUser;
    const ids: string[] = [];
    beforeAll(async () => {
      user = await open();
      for (let index = 0; index < NEWSLETTERS; index += 1) {
        ids.push(
          await user.account.deliver({
            labels: ['INBOX', ...(index % 2 === 0 ? ['UNREAD'] : [])],
            subject: `Weekly offers ${index}: 20 % off`,
            from: 'Shop News <news@shop.example>',
            receivedAt: new Date(Math.floor(Date.now() / 1_000) * 1_000 - (index + 40) * DAY_MS),
          }),
        );
      }
      const friend = {
        labels: ['INBOX'],
        subject: 'Dinner? 🍝',
        from: 'Amy <amy@friends.example>',
        receivedAt: new Date(Date.UTC(2026, 0, 1)),
      };
      const question = await user.account.deliver(friend);
      await user.account.deliver({ ...friend, labels: ['SENT'], replyTo: question });
    });
  });
