import { growConfidence } from '../confidence.ts';
import type { Rule } from '../email-facts.ts';

const LARGE_MB = 10;
const OLD_AGE_DAYS = 180;

/**
 * Large attachments of half a year ago: label. Archiving frees no space and deleting may lose the only copy, so
 * the email gets a label under which the user can review all of its kind.
 */
export const largeAttachment: Rule = ({ attachmentSizeMb, ageDays }) => {
  if (attachmentSizeMb < LARGE_MB || ageDays < OLD_AGE_DAYS) return null;
  return {
    action: 'label',
    classification: 'large_attachment',
    confidence_score: growConfidence(attachmentSizeMb, {
      starts: LARGE_MB,
      saturates: 25,
      low: 0.55,
      high: 0.85,
    }),
  };
};
