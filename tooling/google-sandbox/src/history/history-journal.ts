import type { Behaviour, BehaviourSettings } from '../behaviour.ts';
import {
  HISTORY_KEPT_MS,
  type MailboxChanges,
  type Note,
  type RecordContent,
} from '../mailbox/mailbox-changes.ts';
import type { MailboxSeed } from '../mailbox/mailbox-seed.ts';
import { invalidArgument, notFound } from '../protocol/google-errors.ts';
import { type Incoming, jsonResponse, type SandboxResponse } from '../response.ts';
import { type PageTokens, readPageSize } from '../search/page-tokens.ts';

const LABEL_OF_IMPORTANCE = 'IMPORTANT';

const withoutLabels = (record: RecordContent): RecordContent => ({
  ...record,
  labelsAdded: [],
  labelsRemoved: [],
});

const isLabelChange = ({ labelsAdded, labelsRemoved }: RecordContent): boolean =>
  labelsAdded.length > 0 || labelsRemoved.length > 0;

const isImportance = ({ labelsAdded, labelsRemoved }: RecordContent): boolean =>
  [...labelsAdded, ...labelsRemoved].every(({ labelIds }) => labelIds.join() === LABEL_OF_IMPORTANCE) &&
  isLabelChange({ labelsAdded, labelsRemoved } as RecordContent);

const split = (record: RecordContent, order: Behaviour['historyRecords']): RecordContent[] => {
  if (order === 'joined' || record.labelsAdded.length === 0 || record.labelsRemoved.length === 0) {
    return [record];
  }
  const added = { ...withoutLabels(record), labelsAdded: record.labelsAdded };
  const removed = { ...withoutLabels(record), labelsRemoved: record.labelsRemoved };
  return order === 'added_first' ? [added, removed] : [removed, added];
};

/** Puts changes of importance behind the first record of their message, as if Gmail made them meanwhile. */
const interleave = (records: RecordContent[]): RecordContent[] => {
  const importance = records.filter(isImportance);
  const [first, ...others] = records.filter((record) => !isImportance(record));
  return first === undefined ? importance : [first, ...importance, ...others];
};

/**
 * What one call changed, as the settings want it shown: messages in some order, each with one record or several.
 */
const arrangeRecords = (
  records: readonly RecordContent[],
  { historyRecords, historyBatchOrder }: Behaviour,
): RecordContent[] => {
  const byMessage = [...Map.groupBy(records, ({ messages }) => messages[0]?.id).values()];
  if (historyBatchOrder === 'reversed') byMessage.reverse();
  return byMessage.flatMap((own) => interleave(own.flatMap((record) => split(record, historyRecords))));
};

/** Ids follow the clock, so that they go on over restarts: room for so many a millisecond. */
const IDS_PER_MS = 10n ** 10n;

const toId = (ms: number): bigint => BigInt(ms) * IDS_PER_MS;
const toLater = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/**
 * The history that clients see, as the settings say: late, split, reordered or incomplete. It goes back a week, and
 * outlives a restart.
 */
export const createHistoryJournal = (options: {
  behaviour: BehaviourSettings;
  pageTokens: PageTokens;
  changes: MailboxChanges;
  nowMs: () => number;
}) => {
  const { behaviour, pageTokens, changes, nowMs } = options;

  /** By mailbox, ascending by id. */
  const recordsOf = Map.groupBy(Object.values(changes.now.records), ({ email }) => email);

  const historyOf = (email: string) => {
    const history = changes.now.histories[email];
    if (history === undefined) throw new Error('The journal of this mailbox was never opened.');
    const records = recordsOf.get(email) ?? [];
    const visible = records.filter(({ visibleAtMs }) => visibleAtMs <= nowMs());
    const [beganId, lastId] = [BigInt(history.beganId), BigInt(history.lastId)];
    const oldest = toId(nowMs() - HISTORY_KEPT_MS);
    /** No history is known before this. */
    const floor = toLater(beganId, oldest < lastId ? oldest : lastId);
    const isAllVisible = behaviour.now.historyIdLeadsRecords || visible.length === records.length;
    const currentId = isAllVisible ? history.lastId : (visible.at(-1)?.id ?? String(floor));
    return { ...history, visible, floor, currentId };
  };

  return {
    /** Goes on with the history of a mailbox, or begins it: seeding is no history, but its end is the newest message. */
    open({ user: { email }, messages }: MailboxSeed): void {
      if (changes.now.histories[email] !== undefined) return;
      const beganId = String(toId(nowMs()));
      const seededUntilMs = Math.max(0, ...messages.map(({ receivedAtMs }) => receivedAtMs));
      changes.note({ histories: { [email]: { beganId, lastId: beganId, seededUntilMs } } });
    },

    /**
     * Writes down what one call changed; the first `lost` records are never shown.
     *
     * @param note - what else it changed
     */
    append(email: string, made: readonly RecordContent[], note: Note, lost = 0): void {
      const { beganId, lastId, seededUntilMs } = historyOf(email);
      const firstId = toLater(BigInt(lastId) + 1n, toId(nowMs()));
      const visibleAtMs = nowMs() + behaviour.now.historyDelayMs;
      const records = arrangeRecords(made, behaviour.now).map((content, index) => ({
        email,
        id: String(firstId + BigInt(index)),
        visibleAtMs,
        content,
      }));
      const kept = records.slice(lost);
      changes.note({
        ...note,
        historyIds: Object.fromEntries(
          records.flatMap(({ id, content }) => content.messages.map((message) => [message.id, id])),
        ),
        histories: { [email]: { beganId, lastId: records.at(-1)?.id ?? lastId, seededUntilMs } },
        records: Object.fromEntries(kept.map((record) => [`${email} ${record.id}`, record])),
      });
      recordsOf.set(email, [...(recordsOf.get(email) ?? []), ...kept]);
    },

    currentId: (email: string): string => historyOf(email).currentId,

    /** The history id of a message; of one that nothing has changed, by its age. */
    idOf(email: string, messageId: string, receivedAtMs: number): string {
      const { beganId = '0', seededUntilMs = 0 } = changes.now.histories[email] ?? {};
      return (
        changes.now.historyIds[messageId] ?? String(BigInt(beganId) - BigInt(seededUntilMs - receivedAtMs))
      );
    },

    list(email: string, { query }: Incoming): SandboxResponse {
      const { visible, floor, currentId } = historyOf(email);
      const start = query.get('startHistoryId') ?? '';
      if (!/^\d+$/.test(start)) return invalidArgument('Invalid startHistoryId.');
      const position = pageTokens.read(query.get('pageToken'));
      if (position === undefined) return invalidArgument('Invalid pageToken');
      if (BigInt(start) < floor) return notFound();

      const found = visible
        .slice(visible.findLastIndex(({ id }) => BigInt(id) <= BigInt(start)) + 1)
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
        historyId: currentId,
      });
    },
  };
};
export type HistoryJournal = ReturnType<typeof createHistoryJournal>;

/** A record in the form of `users.history.list`, cut down to what the query asks for; undefined for nothing of it. */
const toEntry = (id: string, content: RecordContent, query: URLSearchParams): object | undefined => {
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
  return { id, messages, ...Object.fromEntries(present) };
};
