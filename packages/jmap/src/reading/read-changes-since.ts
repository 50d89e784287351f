import { type FindLabels, type MailboxChanges, SYSTEM_LABELS } from '@mailsweep/mailbox';
import { toLabels, toPlace } from '../labels.ts';
import { readMailboxesNow } from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { JmapMethodError } from '../protocol/jmap-errors.ts';
import { changesOfEmails, getEmails } from '../protocol/jmap-methods.ts';
import { EmailStateSchema, LISTED_PROPERTIES, ListedEmailSchema } from '../protocol/jmap-schemas.ts';
import { readEmails } from '../read-emails.ts';

/** Most changes in one response, and most that are worth reading. */
const PAGE_SIZE = 500;
const MAX_CHANGES = 20_000;

const { inbox, sent, draft } = SYSTEM_LABELS;

interface ChangedIds {
  state: string;
  created: Set<string>;
  updated: Set<string>;
  destroyed: Set<string>;
}

/** Errors of a state from which the server can’t tell the changes; Cyrus has no name for one that is not its own. */
const UNKNOWN_STATE: ReadonlySet<string> = new Set(['cannotCalculateChanges', 'invalidArguments']);

/**
 * Whether a server that finds no changes has gone back behind the state, as after the restore of a backup: Cyrus
 * responds then as if nothing had happened. States that are no numbers cannot be compared.
 */
const isAhead = (since: string, present: string): boolean =>
  /^\d+$/.test(since) && /^\d+$/.test(present) && BigInt(since) > BigInt(present);

/** The ids of what changed; undefined when the server cannot tell, or there is too much. */
const readChangedIds = async (session: JmapSession, since: string): Promise<ChangedIds | undefined> => {
  const changed = { created: new Set<string>(), updated: new Set<string>(), destroyed: new Set<string>() };
  let state = since;
  for (let count = 0; count <= MAX_CHANGES; ) {
    const [page, { state: present }] = await session.send([
      changesOfEmails({ sinceState: state, maxChanges: PAGE_SIZE }),
      getEmails(EmailStateSchema, { ids: [], properties: ['id'] }),
    ]);
    if (isAhead(state, present)) return undefined;
    for (const id of page.created ?? []) changed.created.add(id);
    for (const id of page.updated ?? []) changed.updated.add(id);
    for (const id of page.destroyed ?? []) changed.destroyed.add(id);
    if (!page.hasMoreChanges) return { ...changed, state: page.newState };
    // A server that stays where it is would be asked for ever.
    if (page.newState === state) return undefined;
    state = page.newState;
    count += PAGE_SIZE;
  }
  return undefined;
};

const readChangedIdsIfKnown = async (
  session: JmapSession,
  since: string,
): Promise<ChangedIds | undefined> => {
  try {
    return await readChangedIds(session, since);
  } catch (error) {
    if (error instanceof JmapMethodError && UNKNOWN_STATE.has(error.type)) return undefined;
    throw error;
  }
};

/** Emails as they are now, with their labels. */
const readLabelled = async (session: JmapSession, ids: readonly string[]) => {
  if (ids.length === 0) return [];
  const mailboxes = await readMailboxesNow(session);
  const { emails } = await readEmails(session, ListedEmailSchema, { properties: LISTED_PROPERTIES }, ids);
  return [...emails.values()].map((email) => ({ email, labels: toLabels(toPlace(email), mailboxes) }));
};

/**
 * Reads what happened in a mailbox since a state of its emails. A server names the emails that changed, and nothing of
 * what changed: that follows from the labels before.
 *
 * @returns undefined when the server no longer knows the state, or more changed than is worth reading
 * @throws {MailboxError}
 */
export const readChangesSince = async (
  session: JmapSession,
  since: string,
  labelsBefore: FindLabels = async () => new Map(),
): Promise<MailboxChanges | undefined> => {
  const changed = await readChangedIdsIfKnown(session, since);
  if (changed === undefined) return undefined;
  const { created, updated, destroyed, state } = changed;
  const emails = await readLabelled(session, [...created.union(updated).difference(destroyed)]);
  const updatedIds = [...updated].filter((id) => !created.has(id));
  const before = await labelsBefore(updatedIds);

  const messages = new Map<string, { added: Set<string>; removed: Set<string>; isDeleted: boolean }>();
  for (const { email, labels } of emails) {
    const known = before.get(email.id);
    if (known === undefined) continue;
    const [then, now] = [new Set(known), new Set(labels)];
    messages.set(email.id, { added: now.difference(then), removed: then.difference(now), isDeleted: false });
  }
  for (const id of destroyed) messages.set(id, { added: new Set(), removed: new Set(), isDeleted: true });

  // A draft that was sent may be an update of the draft.
  const sentNow = emails.filter(
    ({ email, labels }) =>
      labels.includes(sent) && !labels.includes(draft) && !before.get(email.id)?.includes(sent),
  );
  const arrived = emails.filter(
    ({ email, labels }) => created.has(email.id) && labels.includes(inbox) && !labels.includes(sent),
  );
  return {
    historyId: state,
    messages,
    answeredThreads: new Set(sentNow.map(({ email }) => email.threadId)),
    arrivedIds: arrived
      .toSorted((one, other) => Date.parse(one.email.receivedAt) - Date.parse(other.email.receivedAt))
      .map(({ email }) => email.id),
  };
};
