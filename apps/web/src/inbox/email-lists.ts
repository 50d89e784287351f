import type { Email, InboxAction, ListEmailsResponse } from '@mailsweep/contracts';
import type { InfiniteData } from '@tanstack/react-query';

/** The pages of one list as the query cache keeps them. */
export type EmailList = InfiniteData<ListEmailsResponse, string | undefined>;

const UNREAD_LABEL = 'UNREAD';
const INBOX_LABEL = 'INBOX';

const mapPages = (list: EmailList, change: (emails: Email[]) => Email[]): EmailList => ({
  ...list,
  pages: list.pages.map((page) => ({ ...page, emails: change(page.emails) })),
});

const changeTotal = (list: EmailList, by: number): EmailList => ({
  ...list,
  pages: list.pages.map((page) => ({ ...page, total: Math.max(0, page.total + by) })),
});

/** Every mail of a list once, in its order: a mail that moved between two pages would otherwise show twice. */
export const toEmails = (list: EmailList | undefined): Email[] => {
  const seen = new Map<string, Email>();
  for (const page of list?.pages ?? []) {
    for (const email of page.emails) if (!seen.has(email.id)) seen.set(email.id, email);
  }
  return [...seen.values()];
};

/** The list without some mails. */
export const withoutEmails = (list: EmailList, ids: ReadonlySet<string>): EmailList => {
  const removed = toEmails(list).filter((email) => ids.has(email.id)).length;
  if (removed === 0) return list;
  return changeTotal(
    mapPages(list, (emails) => emails.filter((email) => !ids.has(email.id))),
    -removed,
  );
};

const toUnread = (email: Email): Email => ({
  ...email,
  isRead: false,
  labels: email.labels.includes(UNREAD_LABEL) ? email.labels : [...email.labels, UNREAD_LABEL],
});

const toArchived = (email: Email): Email => ({
  ...email,
  labels: email.labels.filter((label) => label !== INBOX_LABEL),
});

const changeEmails = (list: EmailList, ids: ReadonlySet<string>, change: (email: Email) => Email): EmailList =>
  mapPages(list, (emails) => emails.map((email) => (ids.has(email.id) ? change(email) : email)));

/**
 * The list as it will look once an action has succeeded.
 *
 * @param input.scope - what the list shows: an archived mail leaves the inbox, but not the list of all mail
 */
export const applyAction = (
  list: EmailList,
  input: { action: InboxAction; ids: ReadonlySet<string>; scope: 'inbox' | 'all' },
): EmailList => {
  if (input.action === 'mark_unread') return changeEmails(list, input.ids, toUnread);
  if (input.action === 'archive' && input.scope === 'all') return changeEmails(list, input.ids, toArchived);
  return withoutEmails(list, input.ids);
};

const insertByDate = (list: EmailList, email: Email): EmailList => {
  const time = Date.parse(email.date);
  const isOlder = (other: Email) => Date.parse(other.date) < time;
  const found = list.pages.findIndex((page) => page.emails.some(isOlder));
  const pageIndex = found < 0 ? list.pages.length - 1 : found;
  return {
    ...list,
    pages: list.pages.map((page, index) => {
      if (index !== pageIndex) return page;
      const position = page.emails.findIndex(isOlder);
      return { ...page, emails: page.emails.toSpliced(position < 0 ? page.emails.length : position, 0, email) };
    }),
  };
};

/** Puts mails back as they were: in place when they are still listed, by date when they had left. */
export const restoreEmails = (list: EmailList, originals: readonly Email[]): EmailList => {
  const present = new Set(toEmails(list).map((email) => email.id));
  const byId = new Map(originals.map((email) => [email.id, email]));
  const missing = originals.filter((email) => !present.has(email.id));
  const changed = mapPages(list, (emails) => emails.map((email) => byId.get(email.id) ?? email));
  return changeTotal(missing.reduce(insertByDate, changed), missing.length);
};
