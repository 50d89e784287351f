import { isCategoryLabel } from '@mailsweep/mailbox';
import type { MessageToCache, StateStore } from '@mailsweep/message-cache';
import { readChangedIds } from '../changed-ids.ts';
import { type Place, toLabels, toRolesMark } from '../labels.ts';
import type { AccountMailboxes } from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
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

/** A change of ours, by which alone the mailbox went from one state to another. */
interface OwnChange {
  from: string;
  to: string;
  after: ReadonlyMap<string, Place>;
  mailboxes: AccountMailboxes;
}

/**
 * What the cache is told of a mailbox. Whatever keeps it from taking note is reported, and no call of the mailbox fails
 * for it: what was missed is among the changes that the server tells the next time.
 */
export interface MailboxCache {
  save(session: JmapSession, read: ReadMessages): Promise<void>;
  noteChange(session: JmapSession, change: OwnChange): Promise<void>;
  /** Brings all that is cached to the present state of the mailbox. */
  catchUp(session: JmapSession): Promise<void>;
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
      isTold ? [...changed.created.union(changed.updated)] : undefined,
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

const noteOwnChange = async (session: JmapSession, store: StateStore, change: OwnChange): Promise<void> => {
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

/** @param store - undefined caches nothing */
export const createMailboxCache = (
  store: StateStore | undefined,
  onError: (error: unknown) => void,
): MailboxCache =>
  store === undefined
    ? NO_CACHE
    : {
        save: (session, read) => saveMessages(session, store, read).catch(onError),
        noteChange: (session, change) => noteOwnChange(session, store, change).catch(onError),
        catchUp: (session) => catchUp(session, store).catch(onError),
      };
