import { type AccountMailboxes, getAllMailboxes, noteMailboxes, type Place } from './mailboxes.ts';
import type { JmapSession } from './protocol/jmap-client.ts';
import type { JmapConnection } from './protocol/jmap-connections.ts';
import { JmapMethodError } from './protocol/jmap-errors.ts';
import { changesOfEmails, EmailStateSchema, getEmails } from './protocol/jmap-schemas.ts';
import { readPlaces } from './read-emails.ts';

/** Most changes in one response, and most that are worth reading. */
const PAGE_SIZE = 4_000;
const MAX_CHANGES = 20_000;
/** Most emails of own changes that a process remembers of a user. */
const MAX_OWN = 5_000;

export interface ChangedIds {
  state: string;
  created: Set<string>;
  updated: Set<string>;
  destroyed: Set<string>;
  /** Emails that changes of this process alone have put into these places, and that nobody changed later. */
  own: ReadonlyMap<string, Place>;
  /** The mailboxes as they are at the later state, or after it. */
  mailboxes: AccountMailboxes;
}

/** Changes by which alone the mailbox went from one state to another. */
export interface OwnChange {
  from: string;
  to: string;
  after: ReadonlyMap<string, Place>;
}

const remembered = new WeakMap<JmapConnection, OwnChange>();

/** Remembers a change of this process: the server need not be asked for what it changed. */
export const noteOwnChange = ({ connection }: JmapSession, { from, to, after }: OwnChange): void => {
  const earlier = remembered.get(connection);
  const isNext = earlier?.to === from && earlier.after.size + after.size <= MAX_OWN;
  const whole = isNext ? { from: earlier.from, to, after: new Map([...earlier.after, ...after]) } : undefined;
  if (whole !== undefined || after.size <= MAX_OWN) remembered.set(connection, whole ?? { from, to, after });
};

/** Takes what is remembered of changes since a state. */
const takeOwnChange = (connection: JmapConnection, since: string): OwnChange | undefined => {
  const own = remembered.get(connection);
  if (own?.from !== since) return undefined;
  remembered.delete(connection);
  return own;
};

/** Errors of a state from which the server can’t tell the changes; Cyrus has no name for one that is not its own. */
const UNKNOWN_STATE: ReadonlySet<string> = new Set(['cannotCalculateChanges', 'invalidArguments']);

/**
 * Whether a server that finds no changes has gone back behind the state, as after the restore of a backup: Cyrus
 * responds then as if nothing had happened. States that are no numbers cannot be compared.
 */
const isAhead = (since: string, present: string): boolean =>
  /^\d+$/.test(since) && /^\d+$/.test(present) && BigInt(since) > BigInt(present);

const readPages = async (
  session: JmapSession,
  since: string,
  own: ReadonlyMap<string, Place>,
): Promise<ChangedIds | undefined> => {
  const changed = { created: new Set<string>(), updated: new Set<string>(), destroyed: new Set<string>() };
  let state = since;
  for (let count = 0; count <= MAX_CHANGES; ) {
    const [page, { state: present }, { list }] = await session.send([
      changesOfEmails({ sinceState: state, maxChanges: PAGE_SIZE }),
      getEmails(EmailStateSchema, { ids: [], properties: ['id'] }),
      getAllMailboxes(),
    ]);
    const mailboxes = noteMailboxes(session, list, present);
    if (isAhead(state, present)) return undefined;
    for (const id of page.created ?? []) changed.created.add(id);
    for (const id of page.updated ?? []) changed.updated.add(id);
    for (const id of page.destroyed ?? []) changed.destroyed.add(id);
    if (!page.hasMoreChanges) {
      const isLeft = (id: string) => !changed.updated.has(id) && !changed.destroyed.has(id);
      const left = new Map([...own].filter(([id]) => isLeft(id)));
      return { ...changed, own: left, state: page.newState, mailboxes };
    }
    // Otherwise a server whose state does not move would be asked forever.
    if (page.newState === state) return undefined;
    state = page.newState;
    count += PAGE_SIZE;
  }
  return undefined;
};

/**
 * Reads which emails changed since a state.
 *
 * @returns undefined when the server cannot tell, or there is too much
 * @throws {MailboxError}
 */
export const readChangedIds = async (
  session: JmapSession,
  since: string,
): Promise<ChangedIds | undefined> => {
  const known = takeOwnChange(session.connection, since);
  try {
    return await readPages(session, known?.to ?? since, known?.after ?? new Map());
  } catch (error) {
    if (!(error instanceof JmapMethodError && UNKNOWN_STATE.has(error.type))) throw error;
    // What it cannot tell may be that nothing changed.
    const { state, mailboxes } = await readPlaces(session, []);
    const own = known?.after ?? new Map<string, Place>();
    return state === (known?.to ?? since)
      ? { state, mailboxes, created: new Set(), updated: new Set(), destroyed: new Set(), own }
      : undefined;
  }
};
