import { z } from 'zod';
import type { GmailClient } from './gmail-client.ts';

const PAGE_SIZE = '500';
/** A history that never ends is no history. */
const MAX_PAGES = 50;

const ProfileSchema = z.object({ historyId: z.string() });
const MessageSchema = z.object({ id: z.string() });
const LabelsSchema = z.object({ message: MessageSchema, labelIds: z.array(z.string()).default([]) });
const PageSchema = z.object({
  history: z
    .array(
      z.object({
        id: z.string(),
        labelsAdded: z.array(LabelsSchema).default([]),
        labelsRemoved: z.array(LabelsSchema).default([]),
      }),
    )
    .default([]),
  historyId: z.string().default('0'),
  nextPageToken: z.string().optional(),
});

/** A change of labels of one message, as one record of the history has it. */
export interface LabelRecord {
  recordId: bigint;
  messageId: string;
  added: string[];
  removed: string[];
}

/** The history after a point, as far as it shows now. */
export interface HistoryView {
  /** Oldest first, as Gmail lists them. */
  records: LabelRecord[];
  /** The current history id, from the response itself. */
  historyId: bigint;
  /** Pages without records that came before the first with some. */
  emptyPages: number;
}

export const readHistoryId = async (gmail: GmailClient): Promise<bigint> =>
  BigInt((await gmail.must({ method: 'GET', path: 'profile' }, ProfileSchema)).historyId);

/** Reads the changes of labels after a point. */
const readHistory = async (gmail: GmailClient, start: bigint): Promise<HistoryView> => {
  const view: HistoryView = { records: [], historyId: start, emptyPages: 0 };
  let pageToken: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const query = new URLSearchParams({ startHistoryId: String(start), maxResults: PAGE_SIZE });
    if (pageToken !== undefined) query.set('pageToken', pageToken);
    const page = await gmail.must({ method: 'GET', path: `history?${query}` }, PageSchema);
    view.historyId = BigInt(page.historyId);
    if (view.records.length === 0 && page.history.length === 0 && page.nextPageToken) view.emptyPages += 1;
    view.records.push(...page.history.flatMap(toRecords));
    pageToken = page.nextPageToken;
    if (pageToken === undefined) break;
  }
  return view;
};

const toRecords = (entry: z.output<typeof PageSchema>['history'][number]): LabelRecord[] => {
  const recordId = BigInt(entry.id);
  const byMessage = new Map<string, LabelRecord>();
  const recordOf = (messageId: string): LabelRecord => {
    const known = byMessage.get(messageId) ?? { recordId, messageId, added: [], removed: [] };
    byMessage.set(messageId, known);
    return known;
  };
  for (const { message, labelIds } of entry.labelsAdded) recordOf(message.id).added.push(...labelIds);
  for (const { message, labelIds } of entry.labelsRemoved) recordOf(message.id).removed.push(...labelIds);
  return [...byMessage.values()];
};

/** How the history of a change came to show. */
export interface HistoryWatch {
  /** The last view that was read. */
  view: HistoryView;
  /** How many messages had a record at each read, in the order of the reads. */
  seen: { afterMs: number; messages: number }[];
  /** When the records of all messages showed, in milliseconds; undefined when they never did. */
  completeAfterMs: number | undefined;
  /** Whether the history id counted records that did not show yet; undefined when none was missing. */
  idLeads: boolean | undefined;
}

/**
 * Reads the history at set times after a change, until all is there.
 *
 * @param options.readsMs - when, in milliseconds after now, rising
 * @param options.isTold - whether a message's records show the change
 */
export const watchHistory = async (
  gmail: GmailClient,
  options: {
    start: bigint;
    messageIds: readonly string[];
    readsMs: readonly number[];
    pause: (ms: number) => Promise<void>;
    isTold: (record: LabelRecord) => boolean;
  },
): Promise<HistoryWatch> => {
  const { start, readsMs, pause, isTold } = options;
  const wanted = new Set(options.messageIds);
  const changedAtMs = performance.now();
  const watch: HistoryWatch = {
    view: { records: [], historyId: start, emptyPages: 0 },
    seen: [],
    completeAfterMs: undefined,
    idLeads: undefined,
  };
  for (const afterMs of readsMs) {
    await pause(Math.max(0, changedAtMs + afterMs - performance.now()));
    watch.view = await readHistory(gmail, start);
    const told = new Set(
      watch.view.records
        .filter((record) => wanted.has(record.messageId) && isTold(record))
        .map(({ messageId }) => messageId),
    );
    watch.seen.push({ afterMs, messages: told.size });
    if (told.size === 0) watch.idLeads = watch.view.historyId > start;
    if (told.size === wanted.size) {
      watch.completeAfterMs = afterMs;
      break;
    }
  }
  return watch;
};
