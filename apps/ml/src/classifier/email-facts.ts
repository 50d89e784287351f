import type { EmailCategory, MlRequestItem, Suggestion } from '@mailsweep/contracts';
import { type SenderKind, toSenderKind } from './sender-kind.ts';
import { findTopics, type Topic } from './vocabulary.ts';

/** The input of the rules, derived from the seven fields. */
export interface EmailFacts {
  /** Whole and part days since the email's date; 0 when the date is not usable. */
  ageDays: number;
  isUnread: boolean;
  category: EmailCategory;
  attachmentSizeMb: number;
  sender: SenderKind;
  topics: Set<Topic>;
}

/** A rule suggests one thing for an email, or nothing. Rules are pure functions. */
export type Rule = (facts: EmailFacts) => Suggestion | null;

const MS_PER_DAY = 86_400_000;
/** Older dates come from a broken clock or a missing header. */
const EARLIEST_PLAUSIBLE_DATE = Date.UTC(1990, 0, 1);

/** Age in days; a date that is malformed, in the future or implausibly old is no evidence of age. */
const toAgeDays = (date: string, now: Date): number => {
  const sentAt = Date.parse(date);
  if (Number.isNaN(sentAt) || sentAt < EARLIEST_PLAUSIBLE_DATE) return 0;
  return Math.max(0, (now.getTime() - sentAt) / MS_PER_DAY);
};

/** Whether an email is probably personal: in the primary category, and neither bulk nor automated by its address. */
export const isPersonal = ({ category, sender }: EmailFacts): boolean =>
  category === 'primary' && sender === 'other';

/**
 * Whether an email is written to many, or of no use after a while, so that nobody misses it. Among updates, the same senders
 * write of deliveries and of the safety of an account; words alone never name all that is to be kept, so that there the words
 * have to say that nothing is.
 */
export const isExpendable = ({ category, sender, topics }: EmailFacts): boolean =>
  sender === 'bulk' ||
  sender === 'posting' ||
  topics.has('routine') ||
  category === 'social' ||
  category === 'forums' ||
  category === 'promotions';

/** Derives the facts from an email. */
export const toEmailFacts = (item: MlRequestItem, now: Date): EmailFacts => ({
  ageDays: toAgeDays(item.date, now),
  isUnread: !item.isRead,
  category: item.category,
  attachmentSizeMb: item.attachmentSizeMb,
  sender: toSenderKind(item.from),
  topics: findTopics(item.subject),
});
