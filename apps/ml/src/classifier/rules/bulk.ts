import { growConfidence } from '../confidence.ts';
import { type EmailFacts, isExpendable, type Rule } from '../email-facts.ts';

/** Days before a newsletter is archived. */
const BULK_AGE_DAYS = 2;
/** Automated emails to one recipient may matter for longer. */
const AUTOMATED_AGE_DAYS = 7;

const rampFor = ({ sender }: EmailFacts) =>
  sender === 'bulk'
    ? { starts: BULK_AGE_DAYS, saturates: 90, low: 0.55, high: 0.92 }
    : { starts: AUTOMATED_AGE_DAYS, saturates: 180, low: 0.45, high: 0.8 };

/**
 * Emails from a bulk sender: archive. What a machine writes and the mailbox keeps among the primary email is often a
 * matter of one's own: an application, a policy, an assessment.
 */
export const bulk: Rule = (facts) => {
  const { sender, category } = facts;
  if (sender === 'other' || !isExpendable(facts)) return null;
  if (sender !== 'bulk' && category === 'primary') return null;
  const ramp = rampFor(facts);
  if (facts.ageDays < ramp.starts) return null;
  return {
    action: 'archive',
    classification: 'bulk',
    confidence_score: growConfidence(facts.ageDays, ramp),
  };
};
