import type { Suggestion } from '@mailsweep/contracts';
import { describe, expect, it } from 'vitest';
import { sampleKept } from '../testing/sample-email.ts';
import { describeToDo, toConsequences } from './consequences.ts';
import { toSuggestedEmails } from './suggested-email.ts';
import { describeConsequence, toActionName, toBand } from './suggestion-words.tsx';

const suggestion = (
  action: Suggestion['action'],
  classification: string,
  confidence: number,
): Suggestion => ({ action, classification, confidence_score: confidence });

const emails = toSuggestedEmails([
  sampleKept(1, {
    suggestions: [suggestion('archive', 'bulk', 0.7), suggestion('delete', 'promotions_old', 0.9)],
  }),
  sampleKept(2, { suggestions: [suggestion('label', 'receipt', 0.8)] }),
  sampleKept(3, { suggestions: [suggestion('archive', 'bulk', 0.95)] }),
  sampleKept(4, { suggestions: [] }),
]);

describe('suggestions', () => {
  it('are about the surest one of each email, as accepting is', () => {
    expect(emails[0]?.suggestion).toMatchObject({ action: 'delete', confidence_score: 0.9 });
    expect(emails[0]?.others).toHaveLength(1);
  });

  it('leave out emails that nothing is suggested for', () => {
    expect(emails.map((email) => email.id)).toEqual(['email-1', 'email-2', 'email-3']);
  });

  it.each([
    [0.95, 'sure'],
    [0.949, 'likely'],
    [0.75, 'likely'],
    [0.749, 'check'],
  ])('of %d are in the band "%s"', (confidence, band) => {
    expect(toBand(confidence)).toBe(band);
  });

  it('are advice where nothing here can carry them out, after all others', () => {
    const { counts } = toConsequences({ review_later: 3, archive: 1, label: 0 });
    expect(counts.map(({ action }) => action)).toEqual(['archive', 'review_later']);
    expect(toActionName('review_later')).toBe('Advice: review later');
    expect(toActionName('constructor')).toBe('Advice: constructor');
    expect(describeConsequence('review_later', 3)).toBe(
      'Advice: review later, for 3 emails. Nothing is changed in your mailbox.',
    );
  });
});

describe('the words of a button', () => {
  it('are what is done to how many emails, without advice', () => {
    expect(describeToDo({ delete: 24, archive: 1_068, read_first: 3, notify: 2 })).toBe(
      'Archive 1,068, trash 24, keep 2',
    );
    expect(describeToDo({ delete: 3, archive: 0 })).toBe('Trash 3');
    expect(describeToDo({ read_first: 3 })).toBe('');
  });
});
