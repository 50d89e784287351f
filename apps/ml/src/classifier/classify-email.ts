import type { MlRequestItem, Suggestion } from '@mailsweep/contracts';
import { type EmailFacts, type Rule, toEmailFacts } from './email-facts.ts';
import { bulk } from './rules/bulk.ts';
import { largeAttachment } from './rules/large-attachment.ts';
import { promotionsOld } from './rules/promotions-old.ts';
import { receipt } from './rules/receipt.ts';
import { recurringNotification } from './rules/recurring-notification.ts';
import { staleUnread } from './rules/stale-unread.ts';
import { urgentAlert } from './rules/urgent-alert.ts';

/** All rules; of equally confident suggestions, the earlier rule's comes first. */
const RULES: Rule[] = [
  urgentAlert,
  receipt,
  promotionsOld,
  recurringNotification,
  bulk,
  staleUnread,
  largeAttachment,
];

/** Most suggestions for one email. */
const MAX_SUGGESTIONS = 3;

const clearsAway = ({ action }: Suggestion): boolean => action === 'archive' || action === 'delete';

/**
 * Whether an email must not be archived or deleted, however old it is: it is about the safety of an account, an
 * appointment, a receipt, or a document. Advertising and newsletters borrow the words of the latter.
 */
const isProtected = ({ topics, category, sender, attachmentSizeMb }: EmailFacts): boolean => {
  if (topics.has('security_alert') || topics.has('invitation')) return true;
  if (category === 'promotions') return false;
  if (topics.has('receipt') || (sender === 'automated' && attachmentSizeMb > 0)) return true;
  return sender !== 'bulk' && (topics.has('appointment') || topics.has('document'));
};

/** Leaves out what would clear away a protected email, or one that needs attention now. */
const withoutContradiction = (suggestions: Suggestion[], facts: EmailFacts): Suggestion[] =>
  isProtected(facts) || suggestions.some(({ action }) => action === 'notify')
    ? suggestions.filter((suggestion) => !clearsAway(suggestion))
    : suggestions;

/**
 * Suggestions for one email from its seven metadata fields, the most confident first, at most three. The rules
 * are conservative: neither personal email nor email about the safety of an account is cleared away.
 *
 * @param now - the instant that ages are counted up to
 */
export const classifyEmail = (item: MlRequestItem, now: Date): Suggestion[] => {
  const facts = toEmailFacts(item, now);
  const suggestions = RULES.flatMap((rule) => rule(facts) ?? []);
  return withoutContradiction(suggestions, facts)
    .toSorted((a, b) => b.confidence_score - a.confidence_score)
    .slice(0, MAX_SUGGESTIONS);
};
