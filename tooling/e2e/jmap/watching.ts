import { followCleanup } from '@mailsweep/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { collect, type JmapUser } from './jmap-users.ts';

const NEWS = { From: 'News 📰 <news@shop.example>', Subject: '20 % off everything 🎉' };

/** Rules and the watch. */
export const describeWatching = (open: () => Promise<JmapUser>) =>
  describe('a rule', () => {
    test('runs on demand, and its run is undone exactly', async () => {
      const before = await user.readPlaces();
      const run = await user.client.runRule({ params: { id: rule } });
      const states = await collect(followCleanup(user.client, run.id, { intervalMs: 100 }));
      expect(states.at(-1)).toMatchObject({ state: 'completed', changed: 1 });
      expect(await user.account.readLabels(first)).not.toContain('INBOX');
      await user.client.undoCleanup({ params: { id: run.id } });
      expect(await user.readPlaces()).toEqual(before);
    });

    test('is carried out by the watch on an email that arrives', async () => {
      const watchEvery = (everyMinutes: 30 | 60) =>
        user.client.updatePreferences({ body: { watch: { enabled: true, everyMinutes } } });
      await watchEvery(60);
      await expect.poll(async () => (await user.client.getWatch()).lastRun).toMatchObject({ newEmails: 0 });
      await user.client.updateRule({ params: { id: rule }, body: { enabled: true } });
      const second = await user.receive({ ...NEWS, Subject: 'Last chance ⏰' });
      // Debian's Cyrus tells of no changes: with a shorter interval the next check is due at once.
      await watchEvery(30);
      await expect.poll(() => user.account.readLabels(second)).not.toContain('INBOX');
      expect(await user.client.getWatch()).toMatchObject({ state: 'active', total: { newEmails: 1 } });
      const readNewest = async () => (await user.client.listActionHistory({ query: { perPage: 1 } })).data;
      await expect
        .poll(readNewest)
        .toMatchObject([{ emailId: second, action: 'archive', details: { source: 'rule' } }]);
    });

    let user: JmapUser;
    let first: string;
    let rule: string;
    beforeAll(async () => {
      user = await open();
      first = await user.receive(NEWS);
      await user.client.listEmails({});
      const { id: sender } = await user.client.getSenderOfEmail({ params: { id: first } });
      const made = await user.client.createRule({
        body: { condition: { type: 'sender', sender }, olderThan: 0, action: 'archive', enabled: false },
      });
      rule = made.id;
    });
  });
