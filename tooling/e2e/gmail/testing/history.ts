import { type HistoryPage, toHistoryRequest, toProfileRequest } from '@mailsweep/mail/gmail/api';
import type { GmailClient } from './gmail-client.ts';

/** A history that never ends is no history. */
const MAX_PAGES = 50;

/** A change of labels of one message, as one record of the history has it. */
interface LabelRecord {
  messageId: string;
  added: string[];
  removed: string[];
}

const toRecords = ({
  labelsAdded,
  labelsRemoved,
}: NonNullable<HistoryPage['history']>[number]): LabelRecord[] => {
  const added = Map.groupBy(labelsAdded ?? [], ({ message }) => message.id);
  const removed = Map.groupBy(labelsRemoved ?? [], ({ message }) => message.id);
  return [...new Set([...added.keys(), ...removed.keys()])].map((messageId) => ({
    messageId,
    added: (added.get(messageId) ?? []).flatMap(({ labelIds }) => labelIds ?? []),
    removed: (removed.get(messageId) ?? []).flatMap(({ labelIds }) => labelIds ?? []),
  }));
};

export interface HistoryReader {
  gmail: GmailClient;
  /** When the history is read after a change, in milliseconds after the response. */
  readsMs: readonly number[];
  /** Waits, unless the run is to end. */
  pause(ms: number): Promise<void>;
}

/** Reads the history after a point, as far as it shows now, oldest first. */
const readHistory = async (gmail: GmailClient, start: bigint) => {
  const records: LabelRecord[] = [];
  let historyId = start;
  /** Pages without records that came before the first with some. */
  let emptyPages = 0;
  let pageToken: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await gmail.send(toHistoryRequest(start, pageToken));
    historyId = page.historyId ?? historyId;
    pageToken = page.nextPageToken ?? undefined;
    if (records.length === 0 && !page.history?.length && pageToken) emptyPages += 1;
    records.push(...(page.history ?? []).flatMap(toRecords));
    if (!pageToken) break;
  }
  return { records, historyId, emptyPages };
};

/**
 * Makes a change, and reads the history at set times after it, until the records of all messages show.
 *
 * @param isTold - whether a message's record shows the change
 */
export const watchChange = async <T>(
  { gmail, readsMs, pause }: HistoryReader,
  messageIds: readonly string[],
  change: () => Promise<T>,
  isTold: (record: LabelRecord) => boolean,
) => {
  // Records of earlier changes have to be behind the point from which the history is read.
  await pause(readsMs.at(-1) ?? 0);
  const { historyId: start } = await gmail.send(toProfileRequest());
  const result = await change();
  const changedAtMs = performance.now();
  let records: LabelRecord[] = [];
  let emptyPages = 0;
  /** How many messages had a record at each read. */
  const seen: { afterMs: number; messages: number }[] = [];
  /** When the records of all messages showed, in milliseconds; undefined when they never did. */
  let completeAfterMs: number | undefined;
  /** Whether the history id counted records that did not show yet; undefined when none was missing. */
  let idLeads: boolean | undefined;
  for (const afterMs of readsMs) {
    await pause(Math.max(0, changedAtMs + afterMs - performance.now()));
    const history = await readHistory(gmail, start);
    ({ records, emptyPages } = history);
    const told = new Set(records.filter(isTold).map(({ messageId }) => messageId));
    const messages = messageIds.filter((id) => told.has(id)).length;
    seen.push({ afterMs, messages });
    if (messages === 0) idLeads = history.historyId > start;
    if (messages < messageIds.length) continue;
    completeAfterMs = afterMs;
    break;
  }
  return { result, records, emptyPages, seen, completeAfterMs, idLeads };
};

/** In which order messages show in the history. */
export const orderOf = (records: readonly LabelRecord[], ids: readonly string[]): string => {
  const seen = [...new Set(records.map(({ messageId }) => messageId))].filter((id) => ids.includes(id));
  if (seen.length < 3) return 'too few records';
  if (seen.join() === ids.join()) return 'as requested';
  return seen.join() === ids.toReversed().join() ? 'reversed' : 'neither as requested nor reversed';
};

/** How one change that adds and removes labels was written down, of a message. */
export const formOf = (records: readonly LabelRecord[]): string => {
  const own = records.filter(({ added, removed }) => added.includes('TRASH') || removed.includes('INBOX'));
  const [first] = own;
  if (first === undefined) return 'no record';
  if (first.added.includes('TRASH') && first.removed.includes('INBOX')) return 'one record';
  if (own.length < 2) return first.added.includes('TRASH') ? 'TRASH alone' : 'INBOX alone';
  return first.added.includes('TRASH') ? 'TRASH, then INBOX' : 'INBOX, then TRASH';
};
