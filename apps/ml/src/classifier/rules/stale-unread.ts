import { growConfidence } from '../confidence.ts';
import { isExpendable, isPersonal, type Rule } from '../email-facts.ts';

const STALE_AGE_DAYS = 60;
const SATURATION_AGE_DAYS = 365;

/** Emails unread for two months: archive, unless they are personal or may be missed. Less confident in the primary category. */
export const staleUnread: Rule = (facts) => {
  const { isUnread, ageDays, category } = facts;
  if (!isUnread || ageDays < STALE_AGE_DAYS || isPersonal(facts) || !isExpendable(facts)) return null;
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
