import { beforeAll, describe, expect, test } from 'vitest';
import type { JmapStack, JmapUser } from './jmap-users.ts';

/** What ends: a token, and an account. The tokens of all users end here. */
export const describeAccount = (open: () => Promise<JmapUser>, opened: () => JmapStack) =>
  describe('an account', () => {
    test('is exported with what was done to its emails', async () => {
      const { data, userId } = await user.client.exportMe();
      expect(data.User).toMatchObject([{ id: userId }]);
      expect(data.ActionHistory).toMatchObject([{ emailId: id, action: 'archive' }]);
    });

    test('whose token was revoked needs a new one, and goes on with it', async () => {
      const before = await user.readPlaces();
      const { userId } = await user.client.getMe();
      await opened().cyrus.revokeTokens();
      await expect(user.client.listEmails({})).rejects.toMatchObject({ code: 'reauth_required' });
      const act = () => user.client.executeInboxAction({ body: { emailIds: [id], action: 'mark_unread' } });
      expect((await act()).results).toMatchObject([{ status: 'error', reason: 'reauth_required' }]);
      expect(await user.client.getMe()).toMatchObject({ connection: 'reauth_required' });
      const client = await user.signInAgain();
      expect(await client.getMe()).toMatchObject({ userId, connection: 'active' });
      expect(await user.readPlaces()).toEqual(before);
      user = { ...user, client };
      expect((await act()).results).toMatchObject([{ status: 'ok' }]);
    });

    test('that is erased leaves the mailbox as it is, and nothing of itself', async () => {
      const before = await user.readPlaces();
      const { email, userId } = await user.client.getMe();
      await user.client.eraseMe({ body: { confirm: email } });
      await expect(user.client.getMe()).rejects.toMatchObject({ status: 401 });
      const client = await user.signInAgain();
      const fresh = await client.exportMe();
      expect(fresh.userId).not.toBe(userId);
      expect(fresh.data.ActionHistory).toEqual([]);
      expect(await user.readPlaces()).toEqual(before);
    });

    let user: JmapUser;
    let id: string;
    beforeAll(async () => {
      user = await open();
      id = await user.account.deliver({
        labels: ['INBOX'],
        from: 'Amy <amy@friends.example>',
        subject: 'Hello',
        receivedAt: new Date(Date.UTC(2026, 0, 1)),
      });
      await user.client.executeInboxAction({ body: { emailIds: [id], action: 'archive' } });
    });
  });
