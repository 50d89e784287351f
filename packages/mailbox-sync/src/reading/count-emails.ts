import {
  type GmailSession,
  MailboxError,
  SYSTEM_LABELS,
  toLabelSizeRequest,
  toMailboxSizeRequest,
} from '@mailsweep/gmail';
import type { EmailQuery } from '../mailbox.ts';
import type { InboxCount } from './inbox-counts.ts';

const { inbox, spam, trash, draft, chat } = SYSTEM_LABELS;

/** How many messages have a label, by the total that Gmail keeps (1 unit). */
export const countLabel = async (session: GmailSession, labelId: string): Promise<number> => {
  try {
    return (await session.send(toLabelSizeRequest(labelId))).messagesTotal;
  } catch (error) {
    // Not every account has the label for chats.
    if (error instanceof MailboxError && error.code === 'not_found') return 0;
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
  if (scope === 'inbox') return await countLabel(session, inbox);
  const [mailbox, ...others] = await Promise.all([
    session.send(toMailboxSizeRequest()),
    ...[spam, trash, draft, chat].map((labelId) => countLabel(session, labelId)),
  ]);
  return others.reduce((left, count) => Math.max(0, left - count), mailbox.messagesTotal);
};
