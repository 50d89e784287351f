import { growConfidence } from '../confidence.ts';
import type { Rule } from '../email-facts.ts';

/** Offers rarely hold for longer than a month. */
const ARCHIVE_AGE_DAYS = 30;
/** Unread for a year: unlikely to be needed. */
const DELETE_AGE_DAYS = 365;

/**
 * Old promotions: archive; those that stayed unread for a year: delete, the only thing that is ever suggested for
 * deletion. A receipt that the mailbox sorted among promotions, or an email with an attachment, is never deleted.
 */
export const promotionsOld: Rule = ({ category, ageDays, isUnread, topics, attachmentSizeMb }) => {
  if (category !== 'promotions' || ageDays < ARCHIVE_AGE_DAYS) return null;
  const isWorthless = isUnread && !topics.has('receipt') && attachmentSizeMb === 0;
  if (ageDays >= DELETE_AGE_DAYS && isWorthless) {
    return {
      action: 'delete',
      classification: 'promotions_old',
      confidence_score: growConfidence(ageDays, {
        starts: DELETE_AGE_DAYS,
        saturates: 3 * DELETE_AGE_DAYS,
        low: 0.75,
        high: 0.97,
      }),
    };
  }
  return {
    action: 'archive',
    classification: 'promotions_old',
    confidence_score: growConfidence(ageDays, {
      starts: ARCHIVE_AGE_DAYS,
      saturates: 365,
      low: 0.6,
      high: 0.95,
    }),
  };
};
