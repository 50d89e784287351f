import {
  GmailRefusal,
  type GmailSession,
  type HistoryPage,
  toHistoryRequest,
  toProfileRequest,
} from '@mailsweep/mail/gmail/api';
import { type MailboxChanges, MailboxError, SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import { type LabelRecord, toLater } from '@mailsweep/mail/message-cache';

/** Most pages of history that are read by default; so many records cost more than a fresh start. */
export const MAX_HISTORY_PAGES = 40;

/** A message that was added to the mailbox, as the Gmail history has it. */
export interface AddedMessage {
  messageId: string;
  threadId: string | null;
  labels: string[];
}

/** All changes after a point of the history, oldest first. */
export interface GmailHistory {
  records: LabelRecord[];
  /** Only where it was asked for. */
  added: AddedMessage[];
  /** Where the history stood: no change up to here is missing. */
  historyId: bigint;
}

/** Gmail no longer knows the point: 404, and nothing else, says so (users.history.list). */
const isTooOld = (error: unknown): boolean => error instanceof MailboxError && error.code === 'not_found';

const toRecords = (page: HistoryPage): LabelRecord[] =>
  (page.history ?? []).flatMap((entry) => {
    const changes = new Map<string, LabelRecord>();
    const changeOf = (messageId: string): LabelRecord => {
      const change = changes.get(messageId) ?? {
        messageId,
        historyId: entry.id,
        added: [],
        removed: [],
        isDeleted: false,
      };
      changes.set(messageId, change);
      return change;
    };
    for (const { message, labelIds } of entry.labelsAdded ?? []) {
      changeOf(message.id).added.push(...(labelIds ?? []));
    }
    for (const { message, labelIds } of entry.labelsRemoved ?? []) {
      changeOf(message.id).removed.push(...(labelIds ?? []));
    }
    for (const { message } of entry.messagesDeleted ?? []) changeOf(message.id).isDeleted = true;
    return [...changes.values()];
  });

const toAddedMessages = (page: HistoryPage): AddedMessage[] =>
  (page.history ?? [])
    .flatMap((entry) => entry.messagesAdded ?? [])
    .map(({ message }) => ({
      messageId: message.id,
      threadId: message.threadId ?? null,
      labels: message.labelIds ?? [],
    }));

/**
 * Reads what changed after a point of the history.
 *
 * @param options.withAdded - also the messages that were added
 * @param options.maxPages - most pages that are read; of more nothing is returned
 * @returns undefined when the provider no longer knows the point, or more changed than is worth reading
 * @throws {MailboxError} when the history can't be read
 */
export const readGmailHistory = async (
  session: GmailSession,
  startHistoryId: bigint,
  options: { withAdded?: boolean; maxPages?: number } = {},
): Promise<GmailHistory | undefined> => {
  const records: LabelRecord[] = [];
  const added: AddedMessage[] = [];
  let historyId: bigint | undefined;
  let pageToken: string | undefined;
  for (let pages = 0; pages < (options.maxPages ?? MAX_HISTORY_PAGES); pages += 1) {
    let page: HistoryPage;
    try {
      page = await session.send(toHistoryRequest(startHistoryId, pageToken, options));
    } catch (error) {
      if (isTooOld(error)) return undefined;
      // Nothing the caller asked for was refused: the request holds only an id that Gmail gave.
      if (error instanceof GmailRefusal) {
        throw new MailboxError('mailbox_unavailable', error.message, { cause: error });
      }
      throw error;
    }
    // Of the first page: what happens while the others are read may miss them, and is read again the next time.
    historyId ??= toLater(page.historyId, startHistoryId);
    records.push(...toRecords(page));
    added.push(...toAddedMessages(page));
    pageToken = page.nextPageToken || undefined;
    if (pageToken === undefined) return { records, added, historyId };
  }
  return undefined;
};

/** Where the history of the mailbox stands now. */
export const readHistoryId = async (session: GmailSession): Promise<bigint> =>
  (await session.send(toProfileRequest())).historyId;

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
  const history = await readGmailHistory(session, BigInt(historyId), { withAdded: true });
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
    isLate: true,
    messages: new Map(messages),
    answeredThreads: new Set(sent.flatMap(({ threadId }) => threadId ?? [])),
    arrivedIds: [...new Set(history.added.filter(hasArrived).map(({ messageId }) => messageId))],
  };
};

/** Gmail may leave the labels out; then the message itself has to tell. */
const hasArrived = ({ labels }: AddedMessage): boolean =>
  labels.length === 0 || (labels.includes(SYSTEM_LABELS.inbox) && !labels.includes(SYSTEM_LABELS.sent));
