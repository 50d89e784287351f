import type { Suggestion } from '@mailsweep/contracts';
import { describe, expect, it } from 'vitest';
import { sampleEmail, sampleSuggested } from '../testing/sample-email.ts';
import { atLeastSure, toSuggestedEmails } from './suggested-email.ts';
import { toPlan, toSuggestionGroups } from './suggestion-groups.ts';

const suggestion = (
  action: Suggestion['action'],
  classification: string,
  confidence: number,
): Suggestion => ({
  action,
  classification,
  confidence_score: confidence,
});

const emails = toSuggestedEmails([
  {
    emails: [
      sampleSuggested(1, [suggestion('archive', 'bulk', 0.7), suggestion('delete', 'promotions_old', 0.9)]),
      sampleSuggested(2, [suggestion('label', 'receipt', 0.8)], { from: 'Shop <SHOP@x.example>' }),
      sampleSuggested(3, [suggestion('archive', 'bulk', 0.95)], { from: 'The shop <shop@x.example>' }),
      sampleSuggested(4, [suggestion('archive', 'bulk', 0.6)], { from: 'The shop <shop@x.example>' }),
      sampleSuggested(5, []),
    ],
  },
]);

describe('suggestions', () => {
  it('are about the surest one of each email, as accepting is', () => {
    expect(emails[0]?.suggestion).toMatchObject({ action: 'delete', confidence_score: 0.9 });
    expect(emails[0]?.others).toHaveLength(1);
  });

  it('leave out emails that nothing is suggested for', () => {
    expect(emails.map((email) => email.id)).not.toContain('email-5');
  });

  it('are cut off at a confidence, which itself is sure enough', () => {
    expect(atLeastSure(emails, 90).map((email) => email.id)).toEqual(['email-1', 'email-3']);
  });

  it('of one sender are one group, whatever the spelling, and the largest group comes first', () => {
    const groups = toSuggestionGroups(emails, 'sender');
    expect(groups.map((group) => group.emails.length)).toEqual([3, 1]);
    expect(groups[0]).toMatchObject({ key: 'shop@x.example', confidence: { least: 0.6, most: 0.95 } });
  });

  it('of one reason are one group, named in words', () => {
    const groups = toSuggestionGroups(emails, 'reason');
    expect(groups.map((group) => group.title)).toEqual(['Bulk email', 'Old promotions', 'Receipts']);
  });

  it('add up to a plan that says for each action how many emails it is about', () => {
    expect(toPlan(emails)).toEqual({
      total: 4,
      counts: [
        { action: 'archive', count: 2, labels: [] },
        { action: 'delete', count: 1, labels: [] },
        { action: 'label', count: 1, labels: ['receipt'] },
      ],
    });
  });

  it('are none while the classification service is silent', () => {
    const { id, from, subject, snippet, date } = sampleEmail(1);
    const emails = [{ id, from, subject, snippet, date, suggestions: [] }];
    expect(toSuggestedEmails([{ emails }])).toEqual([]);
  });
});
