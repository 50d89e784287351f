import type { Conversation } from '@mailsweep/contracts';
import { MailboxError, toConversation } from '@mailsweep/mailbox';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { getThreads } from '../protocol/jmap-methods.ts';
import { type EmailReading, readWhole } from './list-emails.ts';

/**
 * Reads a conversation with all its emails.
 *
 * @throws {MailboxError} `not_found` when there is no such conversation
 */
export const readConversation = async (
  session: JmapSession,
  reading: EmailReading,
  threadId: string,
): Promise<Conversation> => {
  const [{ list }] = await session.send([getThreads({ ids: [threadId] })]);
  const [thread] = list;
  if (thread === undefined) throw new MailboxError('not_found', 'There is no such conversation');
  return toConversation(threadId, await readWhole(session, reading, thread.emailIds));
};
