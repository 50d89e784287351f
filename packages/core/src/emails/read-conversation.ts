import type { Conversation } from '@mailsweep/contracts';
import type { OpenMailbox } from '../dependencies.ts';

/**
 * Returns the emails of a conversation that are in the user's inbox (docs/decisions/034).
 *
 * @throws MailboxError `not_found` when there is no such conversation, and when the mailbox can't be read
 */
export const createReadConversation =
  (dependencies: { openMailbox: OpenMailbox }) =>
  (userId: string, threadId: string): Promise<Conversation> =>
    dependencies.openMailbox(userId).readConversation(threadId);
