import { growConfidence } from '../confidence.ts';
import type { Rule } from '../email-facts.ts';

const STALE_AGE_DAYS = 60;
const SATURATION_AGE_DAYS = 365;

/** Emails unread for two months: archive. Less confident in the primary category, where people write. */
export const staleUnread: Rule = ({ isUnread, ageDays, category }) => {
  if (!isUnread || ageDays < STALE_AGE_DAYS) return null;
  const high = category === 'primary' ? 0.75 : 0.9;
  return {
    action: 'archive',
    classification: 'stale_unread',
    confidence_score: growConfidence(ageDays, {
      starts: STALE_AGE_DAYS,
      saturates: SATURATION_AGE_DAYS,
      low: 0.5,
      high,
    }),
  };
};
