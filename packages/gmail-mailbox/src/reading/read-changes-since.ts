import type { GmailSession } from '@mailsweep/gmail';
import { type MailboxChanges, SYSTEM_LABELS } from '@mailsweep/mailbox';
import { type AddedMessage, readHistory } from '../cache/gmail-history.ts';

/**
 * Reads what happened in a mailbox since a point of its history: 2 quota units for every 500 records.
 *
 * @returns undefined when the provider no longer knows the point, or more changed than is worth reading
 * @throws {MailboxError} when the history can't be read
 */
export const readChangesSince = async (
  session: GmailSession,
  historyId: string,
): Promise<MailboxChanges | undefined> => {
  const history = await readHistory(session, BigInt(historyId), { withAdded: true });
  if (history === undefined) return undefined;
  const byMessage = Map.groupBy(history.records, ({ messageId }) => messageId);
  const messages = [...byMessage].map(([id, records]) => {
    const added = new Set(records.flatMap((record) => record.added));
    const removed = new Set(records.flatMap((record) => record.removed));
    return [id, { added, removed, isDeleted: records.some(({ isDeleted }) => isDeleted) }] as const;
  });
  const sent = history.added.filter(({ labels }) => labels.includes(SYSTEM_LABELS.sent));
  return {
    historyId: String(history.historyId),
    messages: new Map(messages),
    answeredThreads: new Set(sent.flatMap(({ threadId }) => threadId ?? [])),
    arrivedIds: [...new Set(history.added.filter(hasArrived).map(({ messageId }) => messageId))],
  };
};

/** Gmail may leave the labels out; then the message itself has to tell. */
const hasArrived = ({ labels }: AddedMessage): boolean =>
  labels.length === 0 || (labels.includes(SYSTEM_LABELS.inbox) && !labels.includes(SYSTEM_LABELS.sent));
