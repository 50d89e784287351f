import { describe, expect, it } from 'vitest';
import { sampleEmail } from '../../testing/sample-email.ts';
import { applyAction, type EmailList, restoreEmails, toEmails, toTotal } from './email-lists.ts';

describe('a list after an action, before the response', () => {
  it('has lost what was archived, and counts it no more', () => {
    const after = applyAction(list(), {
      action: 'archive',
      ids: new Set(['email-1', 'email-3']),
      scope: 'inbox',
    });
    expect(toEmails(after).map((email) => email.id)).toEqual(['email-2', 'email-4']);
    expect(after.pages.at(-1)?.total).toBe(48);
  });

  it('keeps what was archived when it shows all email, outside the inbox', () => {
    const after = applyAction(list(), { action: 'archive', ids: new Set(['email-1']), scope: 'all' });
    expect(toEmails(after)[0]).toMatchObject({ id: 'email-1', labels: [] });
  });

  it('has lost what was deleted even when it shows all email', () => {
    const after = applyAction(list(), { action: 'delete', ids: new Set(['email-1']), scope: 'all' });
    expect(toEmails(after)).toHaveLength(3);
  });

  it('shows as unread what was marked unread', () => {
    const after = applyAction(list(), { action: 'mark_unread', ids: new Set(['email-2']), scope: 'inbox' });
    expect(toEmails(after)[1]).toMatchObject({ isRead: false, labels: ['INBOX', 'UNREAD'] });
  });

  it('shows as read what was marked read, and keeps it', () => {
    const unread = applyAction(list(), { action: 'mark_unread', ids: new Set(['email-2']), scope: 'inbox' });
    const after = applyAction(unread, { action: 'mark_read', ids: new Set(['email-2']), scope: 'inbox' });
    expect(toEmails(after)).toHaveLength(4);
    expect(toEmails(after)[1]).toMatchObject({ isRead: true, labels: ['INBOX'] });
  });
  it('is as before once everything was put back', () => {
    const before = list();
    const after = applyAction(before, {
      action: 'delete',
      ids: new Set(['email-2', 'email-3']),
      scope: 'inbox',
    });
    const restored = restoreEmails(after, [sampleEmail(2), sampleEmail(3)]);
    expect(toEmails(restored)).toEqual(toEmails(before));
    expect(restored.pages.at(-1)?.total).toBe(50);
  });
});

describe('the total of a list', () => {
  const withPage = (change: Partial<EmailList['pages'][number]>): EmailList => {
    const { pages, pageParams } = list();
    return { pages: pages.map((page) => ({ ...page, ...change })), pageParams };
  };

  it('is what the last page says, whether it is all or not', () => {
    expect(toTotal(withPage({ total: 4, totalIsExact: true }))).toEqual({ count: 4, isExact: true });
    expect(toTotal(withPage({ total: 4, totalIsExact: false }))).toEqual({ count: 4, isExact: false });
  });

  it('is a lower bound without an estimate while pages remain', () => {
    expect(toTotal(withPage({ nextPageToken: 'next' }))).toMatchObject({ isExact: false });
    expect(toTotal(list())).toMatchObject({ isExact: true });
    expect(toTotal(undefined)).toBeUndefined();
  });
});

const list = (): EmailList => ({
  pages: [
    { emails: [sampleEmail(1), sampleEmail(2)], nextPageToken: 'next', total: 50 },
    { emails: [sampleEmail(3), sampleEmail(4)], nextPageToken: null, total: 50 },
  ],
  pageParams: [undefined, 'next'],
});
