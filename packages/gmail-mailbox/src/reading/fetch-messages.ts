import { type GmailSession, toMessageFacts, toMessageRequest } from '@mailsweep/gmail';
import { MailboxError, type MessageFacts } from '@mailsweep/mailbox';

/** A message as the provider just gave it. */
export interface FetchedMessage {
  id: string;
  /** The last change of it; undefined where the provider does not say. */
  historyId: bigint | undefined;
  labels: string[];
  facts: MessageFacts;
}

const fetchMessage = async (session: GmailSession, id: string): Promise<FetchedMessage | undefined> => {
  try {
    const message = await session.send(toMessageRequest(id));
    return {
      id,
      historyId: message.historyId ?? undefined,
      labels: message.labelIds ?? [],
      facts: toMessageFacts(message),
    };
  } catch (error) {
    // Deleted for good since it was listed: it belongs on no page.
    if (error instanceof MailboxError && error.code === 'not_found') return undefined;
    throw error;
  }
};

/**
 * Fetches messages; those that have vanished are left out.
 *
 * @throws {MailboxError} when the provider fails at any point
 */
export const fetchMessages = async (
  session: GmailSession,
  ids: readonly string[],
): Promise<FetchedMessage[]> => {
  const messages = await Promise.all(ids.map((id) => fetchMessage(session, id)));
  return messages.filter((message) => message !== undefined);
};
