import type { Conversation } from '@mailsweep/contracts';
import { type GmailSession, toMessageFacts, toThreadRequest } from '@mailsweep/gmail';
import { isMail, SYSTEM_LABELS, toEmail } from '@mailsweep/mailbox';

const { inbox, spam, trash } = SYSTEM_LABELS;

const isShown = (labels: readonly string[]): boolean =>
  isMail(labels) && !labels.includes(spam) && !labels.includes(trash);

/**
 * Reads a conversation with all its messages in one call, which costs less than two messages by themselves need.
 *
 * @throws {MailboxError} `not_found` when there is no such conversation, and when the provider fails
 */
export const readConversation = async (session: GmailSession, threadId: string): Promise<Conversation> => {
  const { messages } = await session.send(toThreadRequest(threadId));
  const shown = (messages ?? [])
    .map((message) => toEmail(message.id, toMessageFacts(message), message.labelIds ?? []).email)
    .filter(({ labels }) => isShown(labels));
  const emails = shown.filter(({ labels }) => labels.includes(inbox));
  return {
    threadId,
    emails: emails.toSorted((one, other) => other.date.localeCompare(one.date)),
    otherMessages: shown.length - emails.length,
  };
};
