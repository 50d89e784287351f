import type { CreateCleanupRequest, InboxAction, KeptEmail } from '@mailsweep/contracts';
import { type Plan, toPlan } from '../../suggestions/plan.ts';
import { toSuggestedEmails } from '../../suggestions/suggested-email.ts';

/** What can be done to all email of a sender: something in the inbox, or what is suggested. */
export type SenderWork = InboxAction | 'accept';

const INBOX_LABEL = 'INBOX';

export const isInInbox = (email: KeptEmail): boolean => email.labels.includes(INBOX_LABEL);

const CONCERNS: Record<SenderWork, (email: KeptEmail) => boolean> = {
  archive: isInInbox,
  delete: () => true,
  mark_unread: (email) => email.isRead,
  accept: (email) => email.suggestions.length > 0,
};

/** The emails that some work changes anything about. */
export const toAffected = (work: SenderWork, emails: readonly KeptEmail[]): KeptEmail[] =>
  emails.filter(CONCERNS[work]);

/** What accepting the suggestions for these emails does. */
export const toSuggestedPlan = (emails: readonly KeptEmail[]): Plan => toPlan(toSuggestedEmails(emails));

/** How many of these emails some work moves to the trash. */
export const countTrashed = (work: SenderWork, emails: readonly KeptEmail[]): number => {
  if (work === 'delete') return emails.length;
  if (work !== 'accept') return 0;
  return toSuggestedPlan(emails).counts.find(({ action }) => action === 'delete')?.count ?? 0;
};

/** The work as one cleanup of all email of these senders. @param except - emails to leave out */
export const toCleanupRequest = (
  work: SenderWork,
  senders: readonly string[],
  except: Iterable<string> = [],
): CreateCleanupRequest => ({
  action: work,
  selection: { type: 'senders', senders: [...senders], except: [...except] },
});
