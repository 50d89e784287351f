import { isCategoryLabel } from '@mailsweep/mail/mailbox';
import type { MessageToCache, StateStore } from '@mailsweep/mail/message-cache';
import { type OwnChange, readChangedIds } from '../changed-ids.ts';
import { type AccountMailboxes, toLabels, toRolesMark } from '../mailboxes.ts';
import type { JmapClient, JmapSession } from '../protocol/jmap-client.ts';
import { readPlaces } from '../read-emails.ts';

/** That nothing changed is noted only when the last note is as old as this, in milliseconds. */
const NOTE_AFTER_MS = 30_000;
/** How often a step is tried again when other processes, or other clients, were faster. */
const MAX_ROUNDS = 4;

/** Messages that were read at a state, or a moment later. */
interface ReadMessages {
  state: string;
  /** Of which the labels are. */
  mailboxes: AccountMailboxes;
  messages: readonly MessageToCache[];
}

/** A change of ours, and the mailboxes by which it was planned. */
type PlannedChange = OwnChange & { mailboxes: AccountMailboxes };

/**
 * What the cache is told of a mailbox. Whatever keeps it from taking note is reported, and no call of the mailbox fails
 * for it: what was missed is among the changes that the server tells the next time.
 */
export interface MailboxCache {
  save(read: ReadMessages): Promise<void>;
  noteChange(change: PlannedChange): Promise<void>;
  /** Brings all that is cached to the present state of the mailbox. */
  catchUp(): Promise<void>;
}

/**
 * The state of the store: that of the emails, and which mailboxes have roles. When a role moves, the labels of emails
 * change, and no email does.
 */
const toStoreState = (emailState: string, mailboxes: AccountMailboxes): string =>
  `${emailState} ${toRolesMark(mailboxes)}`;

const readStoreState = async (store: StateStore) => {
  const stored = await store.readState();
  if (stored === undefined) return undefined;
  const [, emailState = stored.state, mark] = /^(.*) (\S+)$/s.exec(stored.state) ?? [];
  return { ...stored, emailState, mark };
};

const readLabels = async (session: JmapSession, ids: readonly string[]) => {
  const { state, emails, mailboxes } = await readPlaces(session, ids);
  const labels = new Map([...emails].map(([id, place]) => [id, toLabels(place, mailboxes)]));
  return { state, mailboxes, labels, gone: ids.filter((id) => !labels.has(id)) };
};

/**
 * Labels may be newer than the state that is noted with them: what made them so is among the next changes, and is read
 * again.
 */
const catchUp = async (session: JmapSession, store: StateStore): Promise<void> => {
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const known = await readStoreState(store);
    if (known === undefined) return;
    const changed = await readChangedIds(session, known.emailState);
    const hasSameRoles = (mailboxes: AccountMailboxes) => toRolesMark(mailboxes) === known.mark;
    // Where the server cannot tell what changed, or a role has moved, all that is cached is read again.
    const isTold = changed !== undefined && hasSameRoles(changed.mailboxes);
    if (isTold && changed.state === known.emailState && known.confirmedMsAgo < NOTE_AFTER_MS) return;
    const cached = await store.listCachedIds(
      isTold ? [...changed.created.union(changed.updated).union(changed.own)] : undefined,
    );
    const present = !isTold || cached.length > 0 ? await readLabels(session, cached) : undefined;
    const mailboxes = present?.mailboxes ?? changed?.mailboxes;
    if (mailboxes === undefined || (isTold && !hasSameRoles(mailboxes))) continue;
    const gone = [...(changed?.destroyed ?? []), ...(present?.gone ?? [])];
    const to = toStoreState(changed?.state ?? present?.state ?? known.emailState, mailboxes);
    if (await store.advance(known.state, to, { labels: present?.labels ?? new Map(), gone })) return;
  }
};

const saveMessages = async (session: JmapSession, store: StateStore, read: ReadMessages): Promise<void> => {
  if (read.messages.length === 0) return;
  let state = toStoreState(read.state, read.mailboxes);
  let { messages } = read;
  await store.begin(state);
  for (let round = 1; !(await store.save(state, messages)) && round < MAX_ROUNDS; round += 1) {
    await catchUp(session, store);
    const ids = messages.map(({ id }) => id);
    const present = await readLabels(session, ids);
    state = toStoreState(present.state, present.mailboxes);
    messages = messages.flatMap((message) => {
      const labels = present.labels.get(message.id);
      // The category is read with the headers alone.
      const categories = message.labels.filter(isCategoryLabel);
      return labels === undefined ? [] : { ...message, labels: [...labels, ...categories] };
    });
  }
};

const noteChange = async (session: JmapSession, store: StateStore, change: PlannedChange): Promise<void> => {
  const { after, mailboxes } = change;
  const labels = new Map([...after].map(([id, place]) => [id, toLabels(place, mailboxes)]));
  const [from, to] = [toStoreState(change.from, mailboxes), toStoreState(change.to, mailboxes)];
  if (!(await store.advance(from, to, { labels, gone: [] }))) await catchUp(session, store);
};

const NO_CACHE: MailboxCache = {
  save: async () => undefined,
  noteChange: async () => undefined,
  catchUp: async () => undefined,
};

/**
 * @param store - undefined caches nothing
 * @param withSession - so that errors of the cache do not end the call of the mailbox
 */
export const createMailboxCache = (
  store: StateStore | undefined,
  withSession: JmapClient['withSession'],
  onError: (error: unknown) => void,
): MailboxCache =>
  store === undefined
    ? NO_CACHE
    : {
        save: (read) => withSession((session) => saveMessages(session, store, read)).catch(onError),
        noteChange: (change) => withSession((session) => noteChange(session, store, change)).catch(onError),
        catchUp: () => withSession((session) => catchUp(session, store)).catch(onError),
      };
