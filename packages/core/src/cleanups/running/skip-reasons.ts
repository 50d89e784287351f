import {
  CleanupActionSchema,
  CleanupSelectionSchema,
  type ProtectionReason,
  type SkipReason,
} from '@mailsweep/contracts';
import type { Database, Prisma } from '@mailsweep/database';
import { type Mailbox, type MailboxChanges, SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import {
  listNoticed,
  listSenderReasons,
  readSetAside,
} from '../../protections/cached-protection.repository.ts';
import { listEmailsFromProtected } from '../../protections/list-emails-from.ts';
import { whyProtected } from '../../protections/why-protected.ts';
import type { PlannedEmail } from '../cleanup-email.repository.ts';
import { toPlannedAction } from '../cleanup-plan.ts';

const { inbox, trash, spam, chat, starred, important } = SYSTEM_LABELS;

/** Longest time that planning takes, in milliseconds: a sender may have been protected meanwhile. */
const PLANNING_MS = 10 * 60 * 1_000;
/** Most emails that the user may have sent since. */
const MAX_SENT = 10_000;

/** Emails and conversations that a cleanup has to leave alone, because of what happened since it was planned. */
interface ChangedEmails {
  reasonOf: ReadonlyMap<string, SkipReason>;
  answeredThreads: ReadonlySet<string>;
}

const PLACES = [inbox, trash, spam, chat];

/** Reads from the changes of a mailbox which emails were starred, became important or moved, and which conversations were answered. */
export const toChangedEmails = ({ messages, answeredThreads }: MailboxChanges): ChangedEmails => {
  const reasonOf = new Map<string, SkipReason>();
  for (const [id, { added, removed, isDeleted }] of messages) {
    const isMoved = PLACES.some((label) => added.has(label) || removed.has(label));
    if (added.has(starred)) reasonOf.set(id, 'starred');
    else if (added.has(important)) reasonOf.set(id, 'important');
    else if (isMoved || isDeleted) reasonOf.set(id, 'moved');
  }
  return { reasonOf, answeredThreads };
};

/** Most emails of a step whose labels are read one by one, because nothing is known of them. */
const MAX_READ = 100;

/**
 * Compares emails of a step with the labels that they had when it was planned, where the mailbox no longer tells what
 * changed since. Of an email whose labels then are not known, what it would have been left out for counts as new.
 *
 * @param readPlanned - the labels then, by email id
 * @returns also the emails that could be compared; the others are for a later step
 */
export const compareWithPlan = async (
  mailbox: Mailbox,
  cleanup: Pick<Prisma.CleanupGetPayload<object>, 'action' | 'selection' | 'createdAt'>,
  emails: readonly PlannedEmail[],
  readPlanned: (emailIds: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>,
): Promise<ChangedEmails & { emails: PlannedEmail[] }> => {
  const ids = emails.map(({ emailId }) => emailId);
  const selection = CleanupSelectionSchema.parse(cleanup.selection);
  const wasInInbox =
    cleanup.action === 'archive' || (selection.type === 'filter' && selection.scope === 'inbox');
  const receivedAfter = new Date(cleanup.createdAt.getTime() - PLANNING_MS);
  const [planned, baseline, sent] = await Promise.all([
    readPlanned(ids),
    mailbox.readBaseline(ids),
    mailbox.listEmailIds({ scope: 'all', labelled: 'sent', receivedAfter }, MAX_SENT),
  ]);
  const labelsNow = new Map<string, readonly string[]>(baseline.labels);
  const unknown = ids.filter((id) => !labelsNow.has(id));
  const read = unknown.slice(0, MAX_READ);
  for (const { id, labels } of await mailbox.findEmails(read)) labelsNow.set(id, labels);
  const left = new Set(unknown.slice(MAX_READ));
  const reasonOf = new Map<string, SkipReason>();
  for (const [id, now] of labelsNow) {
    const before = planned.get(id) ?? (wasInInbox ? [inbox] : now.filter((label) => label === inbox));
    const isNew = (label: string): boolean => now.includes(label) && !before.includes(label);
    if (isNew(starred)) reasonOf.set(id, 'starred');
    else if (isNew(important)) reasonOf.set(id, 'important');
    else if (PLACES.some((label) => now.includes(label) !== before.includes(label)))
      reasonOf.set(id, 'moved');
  }
  return {
    emails: emails.filter(({ emailId }) => !left.has(emailId)),
    reasonOf,
    answeredThreads: new Set(sent.emails.flatMap(({ threadId }) => threadId ?? [])),
  };
};

/**
 * Why emails of a step are protected now, as far as the history of the mailbox does not tell: their sender, what is
 * suggested for them, and whether they are snoozed.
 */
export const findProtection = async (
  dependencies: { database: Database; cipher: TextCipher; mailbox: Mailbox },
  cleanup: Pick<Prisma.CleanupGetPayload<object>, 'userId' | 'action' | 'selection' | 'createdAt'>,
  emails: readonly PlannedEmail[],
): Promise<Map<string, ProtectionReason>> => {
  const { database, mailbox } = dependencies;
  const { userId, createdAt } = cleanup;
  const action = CleanupActionSchema.parse(cleanup.action);
  const selection = CleanupSelectionSchema.parse(cleanup.selection);
  const ids = emails.map(({ emailId }) => emailId);
  const [cached, setAside, noticed] = await Promise.all([
    listSenderReasons(database, userId, ids),
    readSetAside(database, mailbox, userId),
    listNoticed(database, userId, ids),
  ]);
  const since = new Date(createdAt.getTime() - PLANNING_MS);
  const fromProtected = ids.every((id) => cached.has(id))
    ? []
    : await listEmailsFromProtected(dependencies, mailbox, userId, { scope: 'all' }, since);
  const senders = new Map([...fromProtected, ...cached]);
  const toReason = (email: PlannedEmail): ProtectionReason | undefined => {
    const id = email.emailId;
    const sender = senders.get(id);
    const holds: Partial<Record<ProtectionReason, boolean>> = {
      ...(sender && { [sender]: true }),
      snoozed: setAside.has(id),
      notify: noticed.notify.has(id),
      receipt: noticed.receipt.has(id),
    };
    return whyProtected(
      { action, selection },
      toPlannedAction(action, email),
      (reason) => holds[reason] === true,
    );
  };
  return new Map(
    emails.flatMap((email) => {
      const reason = toReason(email);
      return reason === undefined ? [] : [[email.emailId, reason]];
    }),
  );
};
