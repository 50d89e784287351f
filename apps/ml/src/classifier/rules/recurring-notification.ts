import type { EmailCategory } from '@mailsweep/contracts';
import { growConfidence } from '../confidence.ts';
import { isExpendable, type Rule } from '../email-facts.ts';

const NOTIFICATION_CATEGORIES = new Set<EmailCategory>(['social', 'forums', 'updates']);
const OUTDATED_AGE_DAYS = 14;

/** Automated notifications in social, forums and updates, older than two weeks: archive where nobody misses them. */
export const recurringNotification: Rule = (facts) => {
  const { category, sender, ageDays } = facts;
  if (!NOTIFICATION_CATEGORIES.has(category) || sender === 'other' || ageDays < OUTDATED_AGE_DAYS)
    return null;
  if (!isExpendable(facts)) return null;
  return {
    action: 'archive',
    classification: 'recurring_notification',
    confidence_score: growConfidence(ageDays, {
      starts: OUTDATED_AGE_DAYS,
      saturates: 120,
      low: 0.6,
      high: 0.9,
    }),
  };
};
