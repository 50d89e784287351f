import type { Suggestion } from '@mailsweep/contracts';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../suggestions/confirming/decisions.ts';
import { toSuggestedEmails } from '../../suggestions/suggested-email.ts';
import { sampleKept, sampleSuggestionGroup } from '../../testing/sample-email.ts';
import { keepOrder, toQueueGroup, withDecisions } from './queue-group.ts';

const SHOP = 'The shop <SHOP@x.example>';
const email = (number: number, confidence = 0.95, action: Suggestion['action'] = 'archive') =>
  toSuggestedEmails([
    sampleKept(number, {
      from: 'Shop <shop@x.example>',
      suggestions: [{ action, classification: 'bulk', confidence_score: confidence }],
    }),
  ]);

const shop = sampleSuggestionGroup({
  key: 'shop',
  from: SHOP,
  emails: 3,
  actions: { archive: 2, delete: 1 },
});
const news = sampleSuggestionGroup({ key: 'news', from: 'News <news@x.example>', emails: 5 });
const EVERYTHING = { by: 'sender', minAcceptance: 0 } as const;
const SURE = { by: 'sender', minAcceptance: 0.95 } as const;
const decide = (decision: Decision, view: typeof EVERYTHING | typeof SURE = EVERYTHING) =>
  withDecisions([shop, news], view, [decision]).map(({ key, emails, actions }) => ({
    key,
    emails,
    ...(key === 'shop' && { actions }),
  }));

describe('groups of suggestions', () => {
  it('have a title, a note and reasons in words', () => {
    const group = { ...shop, classifications: { bulk: 1, promotions_old: 2 } };
    expect(toQueueGroup(group)).toMatchObject({
      title: 'The shop',
      note: 'SHOP@x.example',
      reasons: ['Old promotions', 'Bulk email'],
    });
  });

  it('lose the emails that are decided about, whatever the spelling of their sender', () => {
    expect(decide({ ids: new Set(['email-1']), emails: email(1, 0.95, 'delete') })).toEqual([
      { key: 'shop', emails: 2, actions: { archive: 2, delete: 0 } },
      { key: 'news', emails: 5 },
    ]);
  });

  it('lose no email that the view does not show', () => {
    expect(decide({ ids: new Set(['email-1']), emails: email(1, 0.8) }, SURE)[0]?.emails).toBe(3);
  });

  it('leave the list once they are decided about as a whole', () => {
    expect(decide({ group: shop, minAcceptance: 0, leftOut: [] })).toEqual([{ key: 'news', emails: 5 }]);
  });

  it('keep the emails that were left out', () => {
    expect(decide({ group: shop, minAcceptance: 0, leftOut: email(1) })[0]).toEqual({
      key: 'shop',
      emails: 1,
      actions: { archive: 1 },
    });
  });

  it('stay where only surer ones were decided about', () => {
    expect(decide({ group: shop, minAcceptance: 0.95, leftOut: [] })[0]?.emails).toBe(3);
    expect(decide({ group: shop, minAcceptance: 0, leftOut: [] }, SURE)).toEqual([
      { key: 'news', emails: 5 },
    ]);
  });

  it('are all decided about at once', () => {
    expect(decide({ group: null, minAcceptance: 0, leftOut: [] })).toEqual([]);
  });

  it('keep their places when others grow, and new ones follow', () => {
    const grown = [{ key: 'c' }, { key: 'new' }, { key: 'a' }, { key: 'newer' }];
    expect(keepOrder(grown, ['a', 'b', 'c']).map(({ key }) => key)).toEqual(['a', 'c', 'new', 'newer']);
  });
});
