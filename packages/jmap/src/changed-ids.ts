import { type AccountMailboxes, getAllMailboxes, noteMailboxes } from './mailboxes.ts';
import type { JmapSession } from './protocol/jmap-client.ts';
import { JmapMethodError } from './protocol/jmap-errors.ts';
import { changesOfEmails, getEmails } from './protocol/jmap-methods.ts';
import { EmailStateSchema } from './protocol/jmap-schemas.ts';

/** Most changes in one response, and most that are worth reading. */
const PAGE_SIZE = 500;
const MAX_CHANGES = 20_000;

/** Ids of emails that changed from one state to a later one. */
export interface ChangedIds {
  state: string;
  created: Set<string>;
  updated: Set<string>;
  destroyed: Set<string>;
  /** The mailboxes as they are at the later state, or after it. */
  mailboxes: AccountMailboxes;
}

/** Errors of a state from which the server can’t tell the changes; Cyrus has no name for one that is not its own. */
const UNKNOWN_STATE: ReadonlySet<string> = new Set(['cannotCalculateChanges', 'invalidArguments']);

/**
 * Whether a server that finds no changes has gone back behind the state, as after the restore of a backup: Cyrus
 * responds then as if nothing had happened. States that are no numbers cannot be compared.
 */
const isAhead = (since: string, present: string): boolean =>
  /^\d+$/.test(since) && /^\d+$/.test(present) && BigInt(since) > BigInt(present);

const readPages = async (session: JmapSession, since: string): Promise<ChangedIds | undefined> => {
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
    if (!page.hasMoreChanges) return { ...changed, state: page.newState, mailboxes };
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
  try {
    return await readPages(session, since);
  } catch (error) {
    if (error instanceof JmapMethodError && UNKNOWN_STATE.has(error.type)) return undefined;
    throw error;
  }
};
