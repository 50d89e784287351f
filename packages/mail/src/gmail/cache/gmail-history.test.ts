import { refusal } from '@mailsweep/google-sandbox/testing/gmail';
import type { CachedMessage, MessageStore } from '@mailsweep/mail/message-cache';
import { describe, expect, it, vi } from 'vitest';
import { inboxMessages, setUpMailbox } from '../testing/test-mailbox.ts';

const list = { scope: 'inbox', pageSize: 1 } as const;
const nothing = () => Promise.resolve();

/** A mailbox of two messages that are both in its store already. */
const setUpStoredMailbox = async () => {
  const cached = new Map<string, CachedMessage>();
  let historyId = 0n;
  const read = async () => ({
    historyId,
    overlapHistoryId: historyId,
    syncedMsAgo: 0,
    isRebuilding: false,
    cached,
  });
  const rebuild = vi.fn<MessageStore['rebuild']>(async () => true);
  const store: MessageStore = {
    readMessages: read,
    readLabels: read,
    begin: nothing,
    save: async (messages) => {
      for (const { message } of messages) cached.set(message.id, { ...message, unshown: [] });
      return true;
    },
    noteChanges: nothing,
    advance: nothing,
    rebuild,
    listStale: async () => [],
    refresh: nothing,
    forget: nothing,
  };
  const test = await setUpMailbox({ messages: inboxMessages(2) }, { store });
  historyId = BigInt(await test.gmail.readHistoryId('m0'));
  const { nextPageToken } = await test.mailbox.listEmails(list);
  const secondPage = { ...list, pageToken: nextPageToken ?? undefined };
  await test.mailbox.listEmails(secondPage);
  return { ...test, rebuild, secondPage };
};

describe('a history that Gmail refuses to tell', () => {
  it('rebuilds the cache when the point is too old, which a 404 says, unless nothing happened since', async () => {
    const { mailbox, gmail, rebuild } = await setUpStoredMailbox();
    gmail.intercept(({ path }) => (path.endsWith('/history') ? refusal(404, 'notFound') : undefined));

    expect((await mailbox.listEmails(list)).emails).toHaveLength(1);
    expect(rebuild).not.toHaveBeenCalled();
    await gmail.change('m1', { added: ['STARRED'] });
    expect((await mailbox.listEmails(list)).emails).toHaveLength(1);
    expect(rebuild).toHaveBeenCalledOnce();
  });

  it('is asked again after a precondition that failed once, and the store stays', async () => {
    const { mailbox, gmail, rebuild } = await setUpStoredMailbox();
    const responses = [refusal(400, 'failedPrecondition', 'Precondition check failed.')];
    gmail.intercept(({ path }) => (path.endsWith('/history') ? responses.shift() : undefined));

    expect((await mailbox.listEmails(list)).emails).toHaveLength(1);
    expect(responses).toEqual([]);
    expect(rebuild).not.toHaveBeenCalled();
  });

  it.each(['failedPrecondition', 'invalidArgument'])(
    'leaves the store as it is while the response is 400 %s, and blames no page token',
    async (reason) => {
      const { mailbox, gmail, rebuild, secondPage } = await setUpStoredMailbox();
      gmail.intercept(({ path }) => (path.endsWith('/history') ? refusal(400, reason) : undefined));

      const fault = { name: 'MailboxError', code: 'mailbox_unavailable' };
      await expect(mailbox.listEmails(list)).rejects.toMatchObject(fault);
      await expect(mailbox.listEmails(secondPage)).rejects.toMatchObject(fault);
      expect(rebuild).not.toHaveBeenCalled();
    },
  );
});
