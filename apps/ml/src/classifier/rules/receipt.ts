import type { Rule } from '../email-facts.ts';

/** Receipts, invoices and order confirmations: label, so that they are found again. Signs other than the words add to it. */
export const receipt: Rule = ({ topics, category, sender, attachmentSizeMb }) => {
  // Advertising likes these words, too.
  if (!topics.has('receipt') || category === 'promotions') return null;
  const furtherSigns = [category === 'updates', sender !== 'other', attachmentSizeMb > 0];
  const signCount = furtherSigns.filter(Boolean).length;
  return {
    action: 'label',
    classification: 'receipt',
    confidence_score: [0.65, 0.77, 0.87, 0.94][signCount] ?? 0.65,
  };
};
