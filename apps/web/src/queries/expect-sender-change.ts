import type { InboxAction, KeptEmail, Sender } from '@mailsweep/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { SENDER_LISTS_KEY, SENDER_MAILS_KEY, SENDERS_KEY } from './query-keys.ts';
import type { SenderList } from './senders-query.ts';

const INBOX_LABEL = 'INBOX';
const UNREAD_LABEL = 'UNREAD';

const CHANGES: Record<InboxAction, (mail: KeptEmail) => KeptEmail | null> = {
  delete: () => null,
  archive: (mail) => ({
    ...mail,
    labels: mail.labels.filter((label) => label !== INBOX_LABEL),
    // Archiving what has left the inbox is nothing to suggest.
    suggestions: mail.suggestions[0]?.action === 'archive' ? [] : mail.suggestions,
  }),
  mark_unread: (mail) => ({ ...mail, isRead: false, labels: [...new Set([...mail.labels, UNREAD_LABEL])] }),
};

const count = (mails: readonly KeptEmail[], fits: (mail: KeptEmail) => boolean): number =>
  mails.filter(fits).length;

const recount = (sender: Sender, mails: readonly KeptEmail[]): Sender => ({
  ...sender,
  mails: mails.length,
  inInbox: count(mails, (mail) => mail.labels.includes(INBOX_LABEL)),
  unread: count(mails, (mail) => !mail.isRead),
  bytes: mails.reduce((sum, mail) => sum + mail.size, 0),
  suggested: count(mails, (mail) => mail.suggestions.length > 0),
});

/** A list of senders once one of them has just these emails; without any it is no longer listed. */
const withMailsOf = (list: SenderList, senderId: string, mails: readonly KeptEmail[]): SenderList => {
  const isListed = list.pages.some((page) => page.data.some((sender) => sender.id === senderId));
  const gone = isListed && mails.length === 0 ? 1 : 0;
  return {
    ...list,
    pages: list.pages.map((page) => ({
      ...page,
      total: page.total - gone,
      data: page.data.flatMap((sender) => {
        if (sender.id !== senderId) return [sender];
        return mails.length === 0 ? [] : [recount(sender, mails)];
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
  for (const [queryKey, mails] of queryClient.getQueriesData<KeptEmail[]>({ queryKey: SENDER_MAILS_KEY })) {
    if (!mails?.some((mail) => ids.has(mail.id))) continue;
    const changed = mails.flatMap((mail) => (ids.has(mail.id) ? (CHANGES[action](mail) ?? []) : [mail]));
    queryClient.setQueryData(queryKey, changed);
    queryClient.setQueriesData({ queryKey: SENDER_LISTS_KEY }, (list: unknown) =>
      isList(list) ? withMailsOf(list, String(queryKey.at(-1)), changed) : list,
    );
  }
  return () => void queryClient.invalidateQueries({ queryKey: SENDERS_KEY });
};
