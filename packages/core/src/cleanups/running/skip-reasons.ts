import {
  CleanupActionSchema,
  CleanupSelectionSchema,
  type ProtectionReason,
  type SkipReason,
} from '@mailsweep/contracts';
import type { Database, Prisma } from '@mailsweep/database';
import { type Mailbox, type MailboxChanges, SYSTEM_LABELS } from '@mailsweep/mailbox';
import type { TextCipher } from '@mailsweep/message-cache';
import { listNoticed, listSenderProtection } from '../../protections/cached-protection.repository.ts';
import { listEmailsFromProtected } from '../../protections/list-emails-from.ts';
import { whyProtected } from '../../protections/why-protected.ts';
import type { PlannedEmail } from '../cleanup-email.repository.ts';
import { toPlannedAction } from '../cleanup-plan.ts';

const { inbox, trash, spam, starred, important } = SYSTEM_LABELS;

/** Emails and conversations that a cleanup has to leave alone, because of what happened since it was planned. */
interface ChangedEmails {
  reasonOf: ReadonlyMap<string, SkipReason>;
  answeredThreads: ReadonlySet<string>;
}

/** Reads from the changes of a mailbox which emails were starred, became important or moved, and which conversations were answered. */
export const toChangedEmails = ({ messages, answeredThreads }: MailboxChanges): ChangedEmails => {
  const reasonOf = new Map<string, SkipReason>();
  for (const [id, { added, removed, isDeleted }] of messages) {
    const isMoved = [inbox, trash, spam].some((label) => added.has(label) || removed.has(label));
    if (added.has(starred)) reasonOf.set(id, 'starred');
    else if (added.has(important)) reasonOf.set(id, 'important');
    else if (isMoved || isDeleted) reasonOf.set(id, 'moved');
  }
  return { reasonOf, answeredThreads };
};

/** Longest time that planning takes, in milliseconds: a sender may have been protected meanwhile. */
const PLANNING_MS = 10 * 60 * 1_000;

/**
 * Why emails of a step are protected now, as far as the history of the mailbox does not tell: their sender, and what is
 * suggested for them.
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
  const [senders, noticed] = await Promise.all([
    listSenderProtection(database, userId, ids),
    listNoticed(database, userId, ids),
  ]);
  const since = new Date(createdAt.getTime() - PLANNING_MS);
  const fromProtected = ids.every((id) => senders.has(id))
    ? new Set<string>()
    : await listEmailsFromProtected(dependencies, mailbox, userId, { scope: 'all' }, since);
  const toReason = (email: PlannedEmail): ProtectionReason | undefined => {
    const id = email.emailId;
    const holds: Partial<Record<ProtectionReason, boolean>> = {
      protected: senders.get(id) ?? fromProtected.has(id),
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
