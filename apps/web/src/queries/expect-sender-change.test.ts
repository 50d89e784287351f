import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { sampleKept, sampleSender } from '../testing/sample-email.ts';
import { expectSenderChange } from './expect-sender-change.ts';
import { SENDER_EMAILS_KEY, SENDER_LISTS_KEY } from './query-keys.ts';

const SENDER = sampleSender(1, { mails: 3, inInbox: 2, unread: 1, bytes: 3_000, suggested: 1 });
const OTHER = sampleSender(2);
const BULK = { action: 'archive', classification: 'bulk', confidence_score: 0.9 } as const;

describe('the senders while an action is in progress', () => {
  it('have fewer emails in the inbox once those are archived, and nothing to suggest for them', () => {
    const { act, sender } = open();
    act('archive', ['email-1', 'email-2']);
    expect(sender()).toMatchObject({ mails: 3, inInbox: 0, unread: 1, suggested: 0 });
  });

  it('lose the emails that go to the trash, with their size', () => {
    const { act, sender } = open();
    act('delete', ['email-1']);
    expect(sender()).toMatchObject({ mails: 2, inInbox: 1, unread: 0, bytes: 2_000 });
  });

  it('leave the list with their last email', () => {
    const { act, list } = open();
    act('delete', ['email-1', 'email-2', 'email-3']);
    expect(list()).toMatchObject({ total: 1, data: [{ id: OTHER.id }] });
  });

  it('have unread email again', () => {
    const { act, sender } = open();
    act('mark_unread', ['email-2', 'email-3']);
    expect(sender()).toMatchObject({ mails: 3, inInbox: 2, unread: 3 });
  });

  it('stay as they are where an action is about others, and what is no list is left alone', () => {
    const { act, list, queryClient } = open();
    act('delete', ['email-9']);
    expect(list()?.data).toEqual([SENDER, OTHER]);
    act('delete', ['email-1']);
    expect(queryClient.getQueryData([...SENDER_LISTS_KEY, 'coverage'])).toEqual({ complete: true });
  });

  it('are requested again when it has ended', () => {
    const { act, queryClient } = open();
    act('archive', ['email-1'])();
    expect(queryClient.getQueryState([...SENDER_LISTS_KEY, 'mails'])?.isInvalidated).toBe(true);
    expect(queryClient.getQueryState([...SENDER_EMAILS_KEY, SENDER.id])?.isInvalidated).toBe(true);
  });
});

const open = () => {
  const queryClient = new QueryClient();
  const listKey = [...SENDER_LISTS_KEY, 'mails'];
  const page = { total: 2, page: 1, perPage: 100, complete: true, scannedAt: null, data: [SENDER, OTHER] };
  queryClient.setQueryData(listKey, { pages: [page], pageParams: [1] });
  queryClient.setQueryData([...SENDER_LISTS_KEY, 'coverage'], { complete: true });
  queryClient.setQueryData(
    [...SENDER_EMAILS_KEY, SENDER.id],
    [sampleKept(1, { isRead: false, suggestions: [BULK] }), sampleKept(2), sampleKept(3, { labels: [] })],
  );
  const list = () => queryClient.getQueryData<{ pages: (typeof page)[] }>(listKey)?.pages[0];
  return {
    queryClient,
    list,
    sender: () => list()?.data[0],
    act: (action: Parameters<typeof expectSenderChange>[1], ids: string[]) =>
      expectSenderChange(queryClient, action, new Set(ids)),
  };
};
