import { describe, expect, it } from 'vitest';
import { sampleKept } from '../../testing/sample-email.ts';
import { countTrashed, toAffected, toSuggestedPlan } from './sender-work.ts';

const BULK = { action: 'archive', classification: 'bulk', confidence_score: 0.7 } as const;
const OLD = { action: 'delete', classification: 'promotions_old', confidence_score: 0.9 } as const;
const EMAILS = [
  sampleKept(1, { isRead: false, suggestions: [BULK, OLD] }),
  sampleKept(2, { labels: [], suggestions: [BULK] }),
  sampleKept(3, { labels: ['INBOX', 'STARRED'] }),
];
const idsOf = (emails: { id: string }[]) => emails.map(({ id }) => id);

describe('work on all email of a sender', () => {
  it.each([
    ['archive', ['email-1', 'email-3'], 0],
    ['delete', ['email-1', 'email-2', 'email-3'], 3],
    ['mark_unread', ['email-2', 'email-3'], 0],
    ['accept', ['email-1', 'email-2'], 1],
  ] as const)('to %s concerns only what it changes', (work, ids, trashed) => {
    expect(idsOf(toAffected(work, EMAILS))).toEqual(ids);
    expect(countTrashed(work, EMAILS)).toBe(trashed);
  });

  it('accepts the surest suggestion of each email, as the API does', () => {
    expect(toSuggestedPlan(EMAILS)).toEqual({
      total: 2,
      counts: [
        { action: 'archive', count: 1, labels: [] },
        { action: 'delete', count: 1, labels: [] },
      ],
    });
  });
});
