import { growConfidence } from '../confidence.ts';
import type { EmailFacts, Rule } from '../email-facts.ts';

/** Days before a newsletter is archived. */
const BULK_AGE_DAYS = 2;
/** Automated emails to one recipient may matter for longer, above all in the primary category. */
const AUTOMATED_AGE_DAYS = 7;
const AUTOMATED_PRIMARY_AGE_DAYS = 30;

const rampFor = ({ sender, category }: EmailFacts) => {
  if (sender === 'bulk') return { starts: BULK_AGE_DAYS, saturates: 90, low: 0.55, high: 0.92 };
  const starts = category === 'primary' ? AUTOMATED_PRIMARY_AGE_DAYS : AUTOMATED_AGE_DAYS;
  return { starts, saturates: 180, low: 0.45, high: 0.8 };
};

/** Emails from a bulk sender: archive. */
export const bulk: Rule = (facts) => {
  if (facts.sender === 'other') return null;
  const ramp = rampFor(facts);
  if (facts.ageDays < ramp.starts) return null;
  return {
    action: 'archive',
    classification: 'bulk',
    confidence_score: growConfidence(facts.ageDays, ramp),
  };
};
