import { type GmailSession, toLabelSizeRequest, toMailboxSizeRequest } from '@mailsweep/mail/gmail/api';
import {
  type EmailQuery,
  type InboxCount,
  LABELS_BY_CATEGORY,
  type MailboxCounts,
  MailboxError,
  SYSTEM_LABELS,
} from '@mailsweep/mail/mailbox';

const { inbox, spam, trash, draft, chat } = SYSTEM_LABELS;

const NO_EMAILS: InboxCount = { total: 0, unread: 0 };

/** How many messages have a label, by the counts that Gmail keeps (1 unit). */
const countLabel = async (session: GmailSession, labelId: string): Promise<InboxCount> => {
  try {
    const { messagesTotal, messagesUnread } = await session.send(toLabelSizeRequest(labelId));
    return { total: messagesTotal, unread: messagesUnread };
  } catch (error) {
    // Not every account has the label for chats.
    if (error instanceof MailboxError && error.code === 'not_found') return NO_EMAILS;
    throw error;
  }
};

/**
 * Counts the emails of the inbox, exactly (1 unit).
 *
 * @throws {MailboxError} when the provider returns no count
 */
export const countInbox = async (session: GmailSession): Promise<InboxCount> => {
  const { messagesTotal, messagesUnread } = await session.send(toLabelSizeRequest(inbox));
  return { total: messagesTotal, unread: messagesUnread };
};

/**
 * Counts the emails of a scope by the totals that Gmail keeps: exact for the inbox (1 unit); for all mail the size of
 * the mailbox without spam, trash, drafts and chats (5 units).
 *
 * @throws {MailboxError} when the provider returns no count
 */
export const countEmails = async (session: GmailSession, scope: EmailQuery['scope']): Promise<number> => {
  if (scope === 'inbox') return (await countLabel(session, inbox)).total;
  const [mailbox, ...others] = await Promise.all([
    session.send(toMailboxSizeRequest()),
    ...[spam, trash, draft, chat].map((labelId) => countLabel(session, labelId)),
  ]);
  return others.reduce((left, count) => Math.max(0, left - count.total), mailbox.messagesTotal);
};

/**
 * Counts the emails of the inbox and of each category, by the counts that Gmail keeps of its labels (6 units).
 *
 * @throws {MailboxError} when the provider returns no count
 */
export const countMailbox = async (session: GmailSession): Promise<MailboxCounts> => {
  const [inboxCount, categories] = await Promise.all([
    countInbox(session),
    Promise.all(
      LABELS_BY_CATEGORY.map(async ([category, labelId]) => ({
        category,
        ...(await countLabel(session, labelId)),
      })),
    ),
  ]);
  return { inbox: inboxCount, categories };
};
