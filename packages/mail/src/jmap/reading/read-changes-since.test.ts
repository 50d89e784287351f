import { describe, expect, it } from 'vitest';
import { act, setUpMailbox } from '../testing/test-mailbox.ts';

describe('what happened since a state', () => {
  it('is read page by page, however much it is', async () => {
    const { mailbox, server } = await setUpMailbox();
    const since = await mailbox.readHistoryId();
    const ids = Array.from({ length: 4_200 }, () => server.deliver().id);
    const changes = await mailbox.readChangesSince(since);
    expect(changes?.arrivedIds).toEqual(ids);
    expect(changes?.historyId).toBe(server.state());
    const calls = server.methodsCalled().flat();
    expect(calls.filter((name) => name === 'Email/changes')).toHaveLength(2);
  });

  it('is told of changes of our own, which are not read again, and of what others changed later', async () => {
    const { mailbox, server } = await setUpMailbox();
    const [own, both] = [server.deliver(), server.deliver()];
    const since = await mailbox.readHistoryId();
    const labels = new Map([own, both].map(({ id }) => [id, ['INBOX', 'UNREAD']]));
    await act(mailbox, [own.id, both.id], { added: [], removed: ['INBOX'] });
    server.change(both.id, { 'keywords/$flagged': true });
    const before = server.requests.length;
    const changes = await mailbox.readChangesSince(since, async () => labels);
    const read = server.requests.slice(before).flatMap(({ methodCalls = [] }) => methodCalls);
    expect(read.flatMap(([name, { ids }]) => (name === 'Email/get' ? [ids] : []))).toEqual([[], [both.id]]);
    const moved = { added: new Set(['mbx:archive']), removed: new Set(['INBOX']), isDeleted: false };
    expect(changes?.messages.get(own.id)).toEqual(moved);
    expect(changes?.messages.get(both.id)).toEqual({
      ...moved,
      added: new Set(['mbx:archive', 'STARRED']),
    });
    expect(changes?.historyId).toBe(server.state());
  });

  it('is not known of a state that the server has forgotten', async () => {
    const { mailbox, server } = await setUpMailbox();
    const since = await mailbox.readHistoryId();
    server.expireChanges();
    expect(await mailbox.readChangesSince(since)).toBeUndefined();
  });

  it.each(['refuse', 'repeat', 'present'] as const)(
    'is not known of a state that a restored server never had: %s',
    async (futureState) => {
      const { mailbox, server } = await setUpMailbox({ futureState });
      const since = await mailbox.readHistoryId();
      expect(await mailbox.readChangesSince(String(Number(since) + 1_000))).toBeUndefined();
      server.deliver();
      expect((await mailbox.readChangesSince(since))?.arrivedIds).toHaveLength(1);
    },
  );

  it('tells of a draft that was sent that its conversation was answered', async () => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver({ mailboxIds: new Set(['drafts']), keywords: new Set(['$draft']) });
    const since = await mailbox.readHistoryId();
    server.change(email.id, {
      'mailboxIds/drafts': null,
      'mailboxIds/sent': true,
      'keywords/$draft': null,
    });
    const changes = await mailbox.readChangesSince(since);
    expect([...(changes?.answeredThreads ?? [])]).toEqual([email.threadId]);
  });

  it('tells of emails whose labels before are known alone how they changed', async () => {
    const { mailbox, server } = await setUpMailbox();
    const [known, unknown] = [server.deliver(), server.deliver()];
    const since = await mailbox.readHistoryId();
    for (const { id } of [known, unknown]) server.change(id, { 'keywords/$flagged': true });
    const asked: string[] = [];
    const changes = await mailbox.readChangesSince(since, async (ids) => {
      asked.push(...ids);
      return new Map([[known.id, ['INBOX', 'UNREAD']]]);
    });
    expect(asked).toEqual([known.id, unknown.id]);
    expect([...(changes?.messages.keys() ?? [])]).toEqual([known.id]);
    expect(changes?.messages.get(known.id)).toMatchObject({
      added: new Set(['STARRED']),
      removed: new Set(),
    });
  });
});
