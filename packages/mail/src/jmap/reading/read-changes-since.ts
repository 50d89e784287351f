import { type FindLabels, type MailboxChanges, SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import { readChangedIds } from '../changed-ids.ts';
import { toLabels, toPlace } from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { LISTED_PROPERTIES, ListedEmailSchema } from '../protocol/jmap-schemas.ts';
import { readEmailsAndMailboxes } from '../read-emails.ts';

const { inbox, sent, draft } = SYSTEM_LABELS;

const readLabelled = async (session: JmapSession, ids: readonly string[]) => {
  if (ids.length === 0) return [];
  const args = { properties: LISTED_PROPERTIES };
  const { emails, mailboxes } = await readEmailsAndMailboxes(session, ListedEmailSchema, args, ids);
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
  const changed = await readChangedIds(session, since);
  if (changed === undefined) return undefined;
  const { created, updated, destroyed, mailboxes, own, state } = changed;
  const emails = await readLabelled(session, [...created.union(updated).difference(destroyed)]);
  const updatedIds = [...updated.union(own)].filter((id) => !created.has(id));
  const before = await labelsBefore(updatedIds);

  const messages = new Map<string, { added: Set<string>; removed: Set<string>; isDeleted: boolean }>();
  const present = [...own].map(([id, place]) => [id, toLabels(place, mailboxes)] as const);
  for (const [id, labels] of [
    ...present,
    ...emails.map(({ email, labels: read }) => [email.id, read] as const),
  ]) {
    const known = before.get(id);
    if (known === undefined) continue;
    const [then, now] = [new Set(known), new Set(labels)];
    messages.set(id, { added: now.difference(then), removed: then.difference(now), isDeleted: false });
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
    isLate: false,
    messages,
    answeredThreads: new Set(sentNow.map(({ email }) => email.threadId)),
    arrivedIds: arrived
      .toSorted((one, other) => Date.parse(one.email.receivedAt) - Date.parse(other.email.receivedAt))
      .map(({ email }) => email.id),
  };
};
