import type { Email, InboxAction, ListEmailsResponse } from '@mailsweep/contracts';
import type { InfiniteData } from '@tanstack/react-query';
import { toDistinctEmails, withEmails, withoutEmails } from '../../email/dated-pages.ts';
import { INBOX_LABEL, isReadChange, markRead } from '../../email/email-actions.ts';

export type EmailList = InfiniteData<ListEmailsResponse>;

export const toEmails = (list: EmailList | undefined): Email[] => toDistinctEmails(list?.pages ?? []);

/** The total of the last page: each page counts the earlier ones. */
export const toTotal = (list: EmailList | undefined) => {
  const page = list?.pages.at(-1);
  return page && { count: page.total, isExact: page.totalIsExact ?? page.nextPageToken === null };
};

/** Replaces the pages and adjusts the total. */
const withPages = (list: EmailList, pages: ListEmailsResponse[]): EmailList => {
  const change = toDistinctEmails(pages).length - toEmails(list).length;
  return { ...list, pages: pages.map((page) => ({ ...page, total: Math.max(0, page.total + change) })) };
};

const toArchived = (email: Email): Email => ({
  ...email,
  labels: email.labels.filter((label) => label !== INBOX_LABEL),
});

const changeEmails = (
  list: EmailList,
  ids: ReadonlySet<string>,
  change: (email: Email) => Email,
): EmailList => ({
  ...list,
  pages: list.pages.map((page) => ({
    ...page,
    emails: page.emails.map((email) => (ids.has(email.id) ? change(email) : email)),
  })),
});

/**
 * The list after an action succeeds.
 *
 * @param input.scope - an archived email leaves the inbox, but not the list of all email
 */
export const applyAction = (
  list: EmailList,
  input: { action: InboxAction; ids: ReadonlySet<string>; scope: 'inbox' | 'all' },
): EmailList => {
  const { action } = input;
  if (isReadChange(action)) return changeEmails(list, input.ids, (email) => markRead(email, action));
  if (input.action === 'archive' && input.scope === 'all') return changeEmails(list, input.ids, toArchived);
  return withPages(list, withoutEmails<Email, ListEmailsResponse>(list.pages, input.ids));
};

export const restoreEmails = (list: EmailList, originals: readonly Email[]): EmailList =>
  withPages(list, withEmails<Email, ListEmailsResponse>(list.pages, originals));
