import type { BehaviourSettings } from '../behaviour.ts';
import type { EmulatorRecord } from '../protocol/gmail-responses.ts';
import { invalidArgument, notFound } from '../protocol/google-errors.ts';
import type { Incoming, SandboxResponse } from '../response.ts';
import { jsonResponse } from '../response.ts';
import { type PageTokens, readPageSize } from '../search/page-tokens.ts';
import { arrangeRecords, type RecordContent } from './history-records.ts';

/** Room for the records that we make of each of the emulator's: our ids are its ids, times this, and more. */
const IDS_PER_RECORD = 10n;

interface JournalRecord {
  id: bigint;
  /** From when on clients see it. */
  visibleAtMs: number;
  content: RecordContent;
}

interface Mailbox {
  /** No history is known before this. */
  floor: bigint;
  /** Where the history stood before the first change. */
  seededId: bigint;
  lastId: bigint;
  records: JournalRecord[];
  idByMessage: Map<string, bigint>;
}

/**
 * The history that clients see. The emulator's own is complete, at once, and tidy; this one is as the settings say:
 * late, split, reordered or incomplete.
 */
export const createHistoryJournal = (options: {
  behaviour: BehaviourSettings;
  pageTokens: PageTokens;
  nowMs: () => number;
}) => {
  const { behaviour, pageTokens, nowMs } = options;
  const mailboxes = new Map<string, Mailbox>();

  const mailboxOf = (email: string): Mailbox => {
    const mailbox = mailboxes.get(email);
    if (mailbox === undefined) throw new Error('The journal of this mailbox was never opened.');
    return mailbox;
  };

  const visibleOf = ({ records }: Mailbox): JournalRecord[] =>
    records.filter(({ visibleAtMs }) => visibleAtMs <= nowMs());

  const currentId = (mailbox: Mailbox): bigint => {
    const visible = visibleOf(mailbox);
    if (behaviour.now.historyIdLeadsRecords || visible.length === mailbox.records.length)
      return mailbox.lastId;
    return visible.at(-1)?.id ?? mailbox.seededId;
  };

  return {
    /**
     * Begins the history of a mailbox at the emulator's present id: seeding is no history, but the id of the newest
     * message, which is the one before, is known.
     */
    open(email: string, emulatorHistoryId: string): void {
      const lastId = BigInt(emulatorHistoryId) * IDS_PER_RECORD;
      const floor = lastId - IDS_PER_RECORD;
      mailboxes.set(email, { floor, seededId: lastId, lastId, records: [], idByMessage: new Map() });
    },

    /** Writes down what one call changed; the first `lost` records are never shown. */
    append(email: string, made: readonly EmulatorRecord[], lost = 0): void {
      const mailbox = mailboxOf(email);
      const [first] = made;
      if (first === undefined) return;
      let id = BigInt(first.id) * IDS_PER_RECORD;
      const visibleAtMs = nowMs() + behaviour.now.historyDelayMs;
      for (const [index, content] of arrangeRecords(made, behaviour.now).entries()) {
        mailbox.lastId = id;
        for (const message of content.messages) mailbox.idByMessage.set(message.id, id);
        if (index >= lost) mailbox.records.push({ id, visibleAtMs, content });
        id += 1n;
      }
    },

    currentId: (email: string): string => String(currentId(mailboxOf(email))),

    /** The history id of a message, from the emulator's. */
    idOf(email: string, messageId: string, emulatorHistoryId: string): string {
      const changedAt = mailboxOf(email).idByMessage.get(messageId);
      return String(changedAt ?? BigInt(emulatorHistoryId) * IDS_PER_RECORD);
    },

    /** Responds to `users.history.list`. */
    list(email: string, { query }: Incoming): SandboxResponse {
      const mailbox = mailboxOf(email);
      const start = query.get('startHistoryId') ?? '';
      if (!/^\d+$/.test(start)) return invalidArgument('Invalid startHistoryId.');
      const position = pageTokens.read(query.get('pageToken'));
      if (position === undefined) return invalidArgument('Invalid pageToken');
      if (BigInt(start) < mailbox.floor) return notFound();

      const found = visibleOf(mailbox)
        .filter(({ id }) => id > BigInt(start))
        .map(({ id, content }) => toEntry(id, content, query))
        .filter((entry) => entry !== undefined);
      const pageSize = readPageSize(query);
      const { historyEmptyPages, historyTrailingPages } = behaviour.now;
      const offset = position - historyEmptyPages;
      const history = offset < 0 ? [] : found.slice(offset, offset + pageSize);
      const next = offset < 0 ? position + 1 : position + pageSize;
      const end = found.length === 0 ? 0 : found.length + historyTrailingPages * pageSize;
      const hasNext = offset < 0 ? found.length > 0 : offset + pageSize < end;
      return jsonResponse(200, {
        ...(history.length > 0 && { history }),
        ...(hasNext && { nextPageToken: pageTokens.issue(next) }),
        historyId: String(currentId(mailbox)),
      });
    },
  };
};
export type HistoryJournal = ReturnType<typeof createHistoryJournal>;

/** A record in the form of `users.history.list`, cut down to what the query asks for; undefined for nothing of it. */
const toEntry = (id: bigint, content: RecordContent, query: URLSearchParams): object | undefined => {
  const types = query.getAll('historyTypes');
  const labelId = query.get('labelId');
  const wants = (type: string): boolean => types.length === 0 || types.includes(type);
  const concerns = (labelIds: string[]): boolean => labelId === null || labelIds.includes(labelId);
  const ofMessages = (type: string, events: RecordContent['messagesAdded']) =>
    events.filter(({ message }) => wants(type) && concerns(message.labelIds));
  const ofLabels = (type: string, events: RecordContent['labelsAdded']) =>
    events.filter(({ labelIds }) => wants(type) && concerns(labelIds));
  const changes = {
    messagesAdded: ofMessages('messageAdded', content.messagesAdded),
    messagesDeleted: ofMessages('messageDeleted', content.messagesDeleted),
    labelsAdded: ofLabels('labelAdded', content.labelsAdded),
    labelsRemoved: ofLabels('labelRemoved', content.labelsRemoved),
  };
  // Empty lists are left out (fixture history_list).
  const present = Object.entries(changes).filter(([, events]) => events.length > 0);
  if (present.length === 0) return undefined;
  const messages = content.messages.map(({ id: messageId, threadId }) => ({ id: messageId, threadId }));
  return { id: String(id), messages, ...Object.fromEntries(present) };
};
