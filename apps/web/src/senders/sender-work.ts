import type { InboxAction, KeptEmail } from '@mailsweep/contracts';
import { countMails, formatCount } from '../mail/counts.ts';
import { toSuggestedMails } from '../suggestions/suggested-mail.ts';
import { type Plan, toPlan } from '../suggestions/suggestion-groups.ts';
import { describeConsequence } from '../suggestions/suggestion-words.ts';

/** What can be done to all email of a sender: something in the inbox, or what is suggested. */
export type SenderWork = InboxAction | 'accept';

const INBOX_LABEL = 'INBOX';

export const isInInbox = (mail: KeptEmail): boolean => mail.labels.includes(INBOX_LABEL);

const CONCERNS: Record<SenderWork, (mail: KeptEmail) => boolean> = {
  archive: isInInbox,
  delete: () => true,
  mark_unread: (mail) => mail.isRead,
  accept: (mail) => mail.suggestions.length > 0,
};

/** The emails that some work changes anything about. */
export const toConcerned = (work: SenderWork, mails: readonly KeptEmail[]): KeptEmail[] =>
  mails.filter(CONCERNS[work]);

/** What accepting the suggestions for these emails does. */
export const toSuggestedPlan = (mails: readonly KeptEmail[]): Plan =>
  toPlan(toSuggestedMails([{ emails: [...mails] }]));

/** Short names, for buttons and headings. */
export const WORK_NAMES: Record<SenderWork, string> = {
  archive: 'Archive',
  delete: 'Delete',
  mark_unread: 'Mark unread',
  accept: 'Accept suggestions',
};

const ASK: Record<SenderWork, (mails: string) => string> = {
  archive: (mails) => `Archive ${mails}?`,
  delete: (mails) => `Move ${mails} to Trash?`,
  mark_unread: (mails) => `Mark ${mails} unread?`,
  accept: (mails) => `Accept the suggestions for ${mails}?`,
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
export const toQuestion = (work: SenderWork, count: number): string => ASK[work](countMails(count));
/** `Archive 312` */
export const toYes = (work: SenderWork, count: number): string => YES[work](formatCount(count));

/** What the work does, in sentences with exact numbers. @param all - how many emails there are in all */
export const describeWork = (work: Exclude<SenderWork, 'accept'>, count: number, all: number): string => {
  if (count === 0) return NOTHING[work];
  if (work === 'mark_unread') return `${countMails(count)} will be unread again.`;
  const rest = all - count;
  const untouched =
    rest > 0 ? ` ${rest === 1 ? 'One other is' : `${formatCount(rest)} others are`} archived already.` : '';
  return describeConsequence(work, count) + untouched;
};

export const describeNothing = (work: SenderWork): string => NOTHING[work];
