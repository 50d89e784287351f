import { growConfidence } from '../confidence.ts';
import type { Rule } from '../email-facts.ts';

const URGENT_TOPICS = ['security_alert', 'payment_due', 'travel_alert'] as const;
/** Later the alert is out of date. */
const URGENT_FOR_DAYS = 7;

/** Security alerts, payments due and travel changes, unread in the primary category and fresh: notify. */
export const urgentAlert: Rule = ({ topics, isUnread, category, ageDays }) => {
  if (!isUnread || category !== 'primary' || ageDays > URGENT_FOR_DAYS) return null;
  const topic = URGENT_TOPICS.find((urgent) => topics.has(urgent));
  if (topic === undefined) return null;
  const freshnessDays = URGENT_FOR_DAYS - ageDays;
  return {
    action: 'notify',
    classification: topic,
    confidence_score: growConfidence(freshnessDays, {
      starts: 0,
      saturates: URGENT_FOR_DAYS,
      low: 0.7,
      high: 0.95,
    }),
  };
};
