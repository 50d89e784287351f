import type { Conversation } from '@mailsweep/contracts';
import { type GmailSession, toMessageFacts, toThreadRequest } from '@mailsweep/gmail';
import { toConversation, toEmail } from '@mailsweep/mailbox';

/**
 * Reads a conversation with all its messages in one call, which costs less than two messages by themselves need.
 *
 * @throws {MailboxError} `not_found` when there is no such conversation, and when the provider fails
 */
export const readConversation = async (session: GmailSession, threadId: string): Promise<Conversation> => {
  const { messages } = await session.send(toThreadRequest(threadId));
  const emails = (messages ?? []).map(
    (message) => toEmail(message.id, toMessageFacts(message), message.labelIds ?? []).email,
  );
  return toConversation(threadId, emails);
};
