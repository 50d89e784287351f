import { randomBytes } from 'node:crypto';
import type { BehaviourSettings } from '../behaviour.ts';
import type { HistoryJournal } from '../history/history-journal.ts';
import type { ArrivedMessage, RecordContent } from '../mailbox/mailbox-changes.ts';
import type { MailboxSeed } from '../mailbox/mailbox-seed.ts';
import { type Message, toArrivedMessage, toSeededMessage } from '../mailbox/message.ts';
import { headerOf, parseMime } from '../mailbox/mime.ts';

/** A label; one of Gmail's own cannot be changed. */
export interface Label {
  readonly id: string;
  name: string;
  messageListVisibility: string;
  labelListVisibility: string;
  readonly type: 'system' | 'user';
}

const SHOWN = { messageListVisibility: 'show', labelListVisibility: 'labelShow' };
const HIDDEN = { messageListVisibility: 'hide', labelListVisibility: 'labelHide' };
const SHOWN_LABELS = ['IMPORTANT', 'INBOX', 'SENT', 'SPAM', 'STARRED', 'TRASH', 'UNREAD'];
const CATEGORIES = ['FORUMS', 'PERSONAL', 'PROMOTIONS', 'SOCIAL', 'UPDATES'];
const HIDDEN_LABELS = ['CHAT', 'DRAFT', ...CATEGORIES.map((category) => `CATEGORY_${category}`)];

const toUserLabel = (id: string, name: string): Label => ({ id, name, ...SHOWN, type: 'user' });

const toRecord = (message: Message, change: Omit<Partial<RecordContent>, 'messages'>): RecordContent => ({
  messages: [toReference(message)],
  messagesAdded: [],
  messagesDeleted: [],
  labelsAdded: [],
  labelsRemoved: [],
  ...change,
});

const toReference = ({ id, threadId, labelIds }: Message) => ({ id, threadId, labelIds: [...labelIds] });

/**
 * One user's mailbox in memory. What a call changes is written down when it is committed: in the history that clients
 * see, and in the file that a restart reads.
 */
export const openMailbox = (
  seed: MailboxSeed,
  { journal, behaviour }: { journal: HistoryJournal; behaviour: BehaviourSettings },
) => {
  const { email } = seed.user;
  journal.open(seed);
  const arrived = (seed.arrived ?? []).map(toArrivedMessage);
  /** Newest first; of those of the same moment, the one that came last. */
  const messages = [...arrived.toReversed(), ...seed.messages.map(toSeededMessage)].toSorted(
    (one, other) => other.receivedAtMs - one.receivedAtMs,
  );
  const byId = new Map(messages.map((message) => [message.id, message]));
  const labels = new Map<string, Label>(
    [
      ...SHOWN_LABELS.map((id): Label => ({ id, name: id, ...SHOWN, type: 'system' })),
      ...HIDDEN_LABELS.map((id): Label => ({ id, name: id, ...HIDDEN, type: 'system' })),
      ...seed.labels.map(({ id, name }) => toUserLabel(id, name)),
    ].map((label) => [label.id, label]),
  );
  for (const id of messages.flatMap(({ labelIds }) => labelIds)) {
    if (!labels.has(id)) labels.set(id, toUserLabel(id, id));
  }
  let records: RecordContent[] = [];
  let newcomers: Record<string, ArrivedMessage> = {};
  let hasNewLabels = false;

  const setLabels = (message: Message, labelIds: readonly string[]): void => {
    const added = labelIds.filter((id) => !message.labelIds.includes(id));
    const removed = message.labelIds.filter((id) => !labelIds.includes(id));
    if (added.length + removed.length === 0) return;
    message.labelIds = labelIds;
    const toEvents = (changed: string[]) =>
      changed.length === 0 ? [] : [{ message: toReference(message), labelIds: changed }];
    records.push(toRecord(message, { labelsAdded: toEvents(added), labelsRemoved: toEvents(removed) }));
  };

  /** Turns the importance marker of messages that entered or left the inbox. */
  const turnImportance = (): void => {
    const moved = records.flatMap(({ labelsAdded, labelsRemoved }) =>
      [...labelsAdded, ...labelsRemoved].flatMap(({ message, labelIds }) =>
        labelIds.includes('INBOX') ? (byId.get(message.id) ?? []) : [],
      ),
    );
    for (const message of moved) {
      const others = message.labelIds.filter((id) => id !== 'IMPORTANT');
      setLabels(message, others.length < message.labelIds.length ? others : [...others, 'IMPORTANT']);
    }
  };

  return {
    email,
    messages: messages as readonly Message[],
    find: (id: string): Message | undefined => byId.get(id),
    labels: labels as ReadonlyMap<string, Label>,

    changeLabels(message: Message, change: { added: readonly string[]; removed: readonly string[] }): void {
      const next = new Set([...message.labelIds, ...change.added]);
      for (const id of change.removed) next.delete(id);
      setLabels(message, [...next]);
    },

    /** Takes a message in. @param threadId - undefined for the conversation that its headers name, or one of its own */
    add(mime: Buffer, place: { threadId: string | undefined; labelIds: string[]; receivedAtMs: number }) {
      const { headers } = parseMime(mime);
      const answered = `${headerOf(headers, 'in-reply-to')} ${headerOf(headers, 'references')}`.split(/\s+/);
      const id = randomBytes(8).toString('hex');
      const former = messages.find(({ messageId }) => messageId !== '' && answered.includes(messageId));
      const newcomer = {
        user_email: email,
        thread_id: place.threadId ?? former?.threadId ?? id,
        internal_date: String(place.receivedAtMs),
        raw: mime.toString('base64url'),
      };
      const message = toArrivedMessage({ ...newcomer, id, label_ids: [...new Set(place.labelIds)] });
      const later = messages.findIndex(({ receivedAtMs }) => receivedAtMs <= message.receivedAtMs);
      messages.splice(later < 0 ? messages.length : later, 0, message);
      byId.set(id, message);
      newcomers[id] = newcomer;
      records.push(toRecord(message, { messagesAdded: [{ message: toReference(message) }] }));
      return message;
    },

    remove(message: Message): void {
      messages.splice(messages.indexOf(message), 1);
      byId.delete(message.id);
      records.push(toRecord(message, { messagesDeleted: [{ message: toReference(message) }] }));
    },

    saveLabel(id: string | undefined, change: Partial<Omit<Label, 'id' | 'type'>>): Label {
      const known = id === undefined ? undefined : labels.get(id);
      const label = { ...(known ?? toUserLabel(`Label_${randomBytes(8).toString('hex')}`, '')), ...change };
      labels.set(label.id, label);
      hasNewLabels = true;
      return label;
    },

    removeLabel(id: string): void {
      for (const message of messages) {
        const others = message.labelIds.filter((labelId) => labelId !== id);
        setLabels(message, others);
      }
      labels.delete(id);
      hasNewLabels = true;
    },

    /** Writes down what was changed since the last time. @param lostRecords - how many history records are never shown */
    commit(lostRecords: number): void {
      if (behaviour.now.importanceFollowsChanges) turnImportance();
      if (records.length === 0 && !hasNewLabels) return;
      const touched = records.flatMap((record) => record.messages.map(({ id }) => id));
      const own = [...labels.values()].filter(({ type }) => type === 'user');
      const note = {
        labelsByMessage: Object.fromEntries(
          touched.map((id) => [id, byId.has(id) ? [...(byId.get(id)?.labelIds ?? [])] : null]),
        ),
        arrived: newcomers,
        ...(hasNewLabels && { labelsByPerson: { [email]: own.map(({ id, name }) => ({ id, name })) } }),
      };
      journal.append(email, records, note, lostRecords);
      records = [];
      newcomers = {};
      hasNewLabels = false;
    },
  };
};
export type Mailbox = ReturnType<typeof openMailbox>;
