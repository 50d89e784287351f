import type { InboxAction, KeptEmail, Sender } from '@mailsweep/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { SENDER_EMAILS_KEY, SENDER_LISTS_KEY, SENDERS_KEY } from './query-keys.ts';
import type { SenderList } from './senders-query.ts';

const INBOX_LABEL = 'INBOX';
const UNREAD_LABEL = 'UNREAD';

const CHANGES: Record<InboxAction, (email: KeptEmail) => KeptEmail | null> = {
  delete: () => null,
  archive: (email) => ({
    ...email,
    labels: email.labels.filter((label) => label !== INBOX_LABEL),
    // Archiving what has left the inbox is nothing to suggest.
    suggestions: email.suggestions[0]?.action === 'archive' ? [] : email.suggestions,
  }),
  mark_unread: (email) => ({
    ...email,
    isRead: false,
    labels: [...new Set([...email.labels, UNREAD_LABEL])],
  }),
};

const count = (emails: readonly KeptEmail[], fits: (email: KeptEmail) => boolean): number =>
  emails.filter(fits).length;

const recount = (sender: Sender, emails: readonly KeptEmail[]): Sender => ({
  ...sender,
  mails: emails.length,
  inInbox: count(emails, (email) => email.labels.includes(INBOX_LABEL)),
  unread: count(emails, (email) => !email.isRead),
  bytes: emails.reduce((sum, email) => sum + email.size, 0),
  suggested: count(emails, (email) => email.suggestions.length > 0),
});

/** A list of senders once one of them has just these emails; without any it is no longer listed. */
const withEmailsOf = (list: SenderList, senderId: string, emails: readonly KeptEmail[]): SenderList => {
  const isListed = list.pages.some((page) => page.data.some((sender) => sender.id === senderId));
  const removed = isListed && emails.length === 0 ? 1 : 0;
  return {
    ...list,
    pages: list.pages.map((page) => ({
      ...page,
      total: page.total - removed,
      data: page.data.flatMap((sender) => {
        if (sender.id !== senderId) return [sender];
        return emails.length === 0 ? [] : [recount(sender, emails)];
      }),
    })),
  };
};

/** Whether this is a list of senders, and not the note of how much it covers. */
const isList = (data: unknown): data is SenderList =>
  typeof data === 'object' && data !== null && 'pages' in data;

/**
 * Shows the senders whose emails are loaded as they will be once an action has succeeded.
 *
 * @returns what asks the API how it really is, for when the action has ended, well or badly
 */
export const expectSenderChange = (
  queryClient: QueryClient,
  action: InboxAction,
  ids: ReadonlySet<string>,
): (() => void) => {
  for (const [queryKey, emails] of queryClient.getQueriesData<KeptEmail[]>({ queryKey: SENDER_EMAILS_KEY })) {
    if (!emails?.some((email) => ids.has(email.id))) continue;
    const changed = emails.flatMap((email) => (ids.has(email.id) ? (CHANGES[action](email) ?? []) : [email]));
    queryClient.setQueryData(queryKey, changed);
    queryClient.setQueriesData({ queryKey: SENDER_LISTS_KEY }, (list: unknown) =>
      isList(list) ? withEmailsOf(list, String(queryKey.at(-1)), changed) : list,
    );
  }
  return () => void queryClient.invalidateQueries({ queryKey: SENDERS_KEY });
};
