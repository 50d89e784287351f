import type { Conversation } from '@mailsweep/contracts';
import { MailboxError, SYSTEM_LABELS } from '@mailsweep/mailbox';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { getThreads } from '../protocol/jmap-methods.ts';
import { type EmailReading, readWhole } from './list-emails.ts';

const { inbox, spam, trash } = SYSTEM_LABELS;

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
  const shown = (await readWhole(session, reading, thread.emailIds)).filter(
    ({ labels }) => !labels.includes(spam) && !labels.includes(trash),
  );
  const emails = shown.filter(({ labels }) => labels.includes(inbox));
  return {
    threadId,
    emails: emails.toSorted((one, other) => other.date.localeCompare(one.date)),
    otherMessages: shown.length - emails.length,
  };
};
