import type { SkipReason } from '@mailsweep/contracts';
import { type MailboxChanges, SYSTEM_LABELS } from '@mailsweep/mailbox';

const { inbox, trash, spam, starred, important } = SYSTEM_LABELS;

/** Emails and conversations that a cleanup has to leave alone, because of what happened since it was planned. */
export interface ChangedEmails {
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
