import { type FakeGmailBehaviour, type FakeMessage, type FakeResponse, refusal } from './fake-types.ts';
import { INVALID_PAGE_TOKEN, type PageTokens } from './page-tokens.ts';

/** A change as the history tells it. */
interface HistoryRecord {
  id: bigint;
  atMs: number;
  messageId: string;
  added: string[];
  removed: string[];
  isDeleted: boolean;
}

/** Ids grow, but not by one: nothing may count on that. */
const ID_STEP = 7n;

/** Keeps what happens to messages, as Gmail's history does: a change that changes nothing leaves no trace. */
export const createHistory = (
  messages: FakeMessage[],
  options: { pageTokens: PageTokens; behaviour: FakeGmailBehaviour; nowMs: () => number },
) => {
  const { pageTokens, behaviour, nowMs } = options;
  const lost = new Set<string>();
  let lastId = 1_000n;
  let floor = 0n;
  let records: HistoryRecord[] = [];
  /** Messages that arrived, shown to those who ask for them. */
  let arrivals: { id: bigint; message: FakeMessage }[] = [];
  const nextId = () => {
    lastId += ID_STEP;
    return lastId;
  };
  // The oldest message came first.
  for (const message of messages.toReversed()) message.historyId ??= String(nextId());

  const add = (record: Omit<HistoryRecord, 'id' | 'atMs'>): bigint => {
    const id = nextId();
    if (!lost.has(record.messageId)) records.push({ ...record, id, atMs: nowMs() });
    return id;
  };
  const visible = () => records.filter(({ atMs }) => atMs + behaviour.historyDelayMs <= nowMs());
  const currentId = () => {
    const shown = visible();
    if (behaviour.historyIdLeadsRecords || shown.length === records.length) return lastId;
    return shown.at(-1)?.id ?? floor;
  };

  return {
    currentId,
    lose(ids: readonly string[]) {
      for (const id of ids) lost.add(id);
    },
    expire() {
      nextId();
      floor = lastId;
      records = [];
      arrivals = [];
    },
    arrive(message: FakeMessage) {
      message.historyId ??= String(nextId());
      arrivals.push({ id: BigInt(String(message.historyId)), message });
    },
    remove(messageId: string) {
      add({ messageId, added: [], removed: [], isDeleted: true });
    },
    change(message: FakeMessage, { added = [], removed = [] }: { added?: string[]; removed?: string[] }) {
      const before = new Set(message.labelIds);
      const after = before.union(new Set(added)).difference(new Set(removed));
      if (before.symmetricDifference(after).size === 0) return;
      const came = [...after.difference(before)];
      const gone = [...before.difference(after)];
      const messageId = message.id;
      let id: bigint;
      if (behaviour.splitRecords && came.length > 0 && gone.length > 0) {
        add({ messageId, added: came, removed: [], isDeleted: false });
        const isImportant = after.has('IMPORTANT');
        const importance = isImportant
          ? { added: [], removed: ['IMPORTANT'] }
          : { added: ['IMPORTANT'], removed: [] };
        after[isImportant ? 'delete' : 'add']('IMPORTANT');
        add({ messageId, ...importance, isDeleted: false });
        id = add({ messageId, added: [], removed: gone, isDeleted: false });
      } else id = add({ messageId, added: came, removed: gone, isDeleted: false });
      lost.delete(messageId);
      message.labelIds = [...after];
      message.historyId = String(id);
    },
    list(query: URLSearchParams): FakeResponse {
      const start = BigInt(query.get('startHistoryId') ?? '');
      if (start < floor) return refusal(404, 'notFound');
      const from = pageTokens.read(query);
      if (from === undefined) return INVALID_PAGE_TOKEN;
      const until = from + Number(query.get('maxResults') ?? 100);
      const showsArrivals = query.getAll('historyTypes').includes('messageAdded');
      const later = [
        ...visible().map((record) => ({ id: record.id, entry: toHistoryEntry(record) })),
        ...(showsArrivals ? arrivals : []).map(({ id, message }) => ({ id, entry: toArrival(id, message) })),
      ]
        .filter(({ id }) => id > start)
        .toSorted((one, other) => Number(one.id - other.id));
      return {
        body: {
          history: later.slice(from, until).map(({ entry }) => entry),
          historyId: String(currentId()),
          ...(until < later.length ? { nextPageToken: pageTokens.issue(until) } : {}),
        },
      };
    },
  };
};

const toArrival = (id: bigint, { id: messageId, threadId, labelIds }: FakeMessage) => {
  const message = { id: messageId, threadId, labelIds };
  return { id: String(id), messages: [message], messagesAdded: [{ message }] };
};

const toHistoryEntry = ({ id, messageId, added, removed, isDeleted }: HistoryRecord) => {
  const message = { id: messageId };
  return {
    id: String(id),
    messages: [message],
    ...(added.length > 0 ? { labelsAdded: [{ message, labelIds: added }] } : {}),
    ...(removed.length > 0 ? { labelsRemoved: [{ message, labelIds: removed }] } : {}),
    ...(isDeleted ? { messagesDeleted: [{ message }] } : {}),
  };
};
