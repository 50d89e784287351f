import type { InboxAction, KeptEmail } from '@mailsweep/contracts';
import { countEmails, formatCount } from '../email/counts.ts';
import { toSuggestedEmails } from '../suggestions/suggested-email.ts';
import { type Plan, toPlan } from '../suggestions/suggestion-groups.ts';
import { describeConsequence } from '../suggestions/suggestion-words.ts';

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
export const toConcerned = (work: SenderWork, emails: readonly KeptEmail[]): KeptEmail[] =>
  emails.filter(CONCERNS[work]);

/** What accepting the suggestions for these emails does. */
export const toSuggestedPlan = (emails: readonly KeptEmail[]): Plan =>
  toPlan(toSuggestedEmails([{ emails: [...emails] }]));

/** Short names, for buttons and headings. */
export const WORK_NAMES: Record<SenderWork, string> = {
  archive: 'Archive',
  delete: 'Delete',
  mark_unread: 'Mark unread',
  accept: 'Accept suggestions',
};

const ASK: Record<SenderWork, (emails: string) => string> = {
  archive: (emails) => `Archive ${emails}?`,
  delete: (emails) => `Move ${emails} to Trash?`,
  mark_unread: (emails) => `Mark ${emails} unread?`,
  accept: (emails) => `Accept the suggestions for ${emails}?`,
};
const YES: Record<SenderWork, (count: string) => string> = {
  archive: (count) => `Archive ${count}`,
  delete: (count) => `Move ${count} to Trash`,
  mark_unread: (count) => `Mark ${count} unread`,
  accept: (count) => `Accept ${count}`,
};
const NOTHING: Record<SenderWork, string> = {
  archive: 'None of these emails is in the inbox any more.',
  delete: 'There is no email left.',
  mark_unread: 'All of these emails are unread already.',
  accept: 'Nothing is suggested for these emails.',
};

/** `Archive 312 emails?` */
export const toQuestion = (work: SenderWork, count: number): string => ASK[work](countEmails(count));
/** `Archive 312` */
export const toYes = (work: SenderWork, count: number): string => YES[work](formatCount(count));

/** What the work does, in sentences with exact numbers. @param all - how many emails there are in all */
export const describeWork = (work: Exclude<SenderWork, 'accept'>, count: number, all: number): string => {
  if (count === 0) return NOTHING[work];
  if (work === 'mark_unread') return `${countEmails(count)} will be unread again.`;
  const rest = all - count;
  const untouched =
    rest > 0 ? ` ${rest === 1 ? 'One other is' : `${formatCount(rest)} others are`} archived already.` : '';
  return describeConsequence(work, count) + untouched;
};

export const describeNothing = (work: SenderWork): string => NOTHING[work];
