import { EmailCategorySchema, type MlRequestItem, MlSuggestionSchema } from '@mailsweep/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyEmail } from './classify-email.ts';

const MS_PER_DAY = 86_400_000;
const now = new Date('2026-06-02T12:00:00.000Z');

const anyText = fc.string({ unit: 'binary', maxLength: 60 });
const anySender = fc.oneof(
  anyText,
  fc
    .tuple(fc.constantFrom('news', 'no-reply', 'ann', 'notifications', 'deals'), fc.domain())
    .map(([name, domain]) => `${name}@${domain}`),
);
const anySubject = fc.oneof(
  anyText,
  fc.constantFrom('Your receipt', 'Security alert', 'Payment due', 'Flight delayed', 'Rechnung'),
);
const anyAgeDays = fc.double({ min: -100, max: 5_000, noNaN: true });

const anyEmailAged = (ageDays: fc.Arbitrary<number>): fc.Arbitrary<MlRequestItem> =>
  fc.record({
    id: fc.string(),
    from: anySender,
    subject: anySubject,
    date: ageDays.map((days) => new Date(now.getTime() - days * MS_PER_DAY).toISOString()),
    isRead: fc.boolean(),
    category: fc.constantFrom(...EmailCategorySchema.options),
    attachmentSizeMb: fc.double({ min: 0, max: 100, noNaN: true }),
  });

describe('whatever the email', () => {
  it('gets at most three valid suggestions, scored with two decimals, most confident first', () => {
    fc.assert(
      fc.property(anyEmailAged(anyAgeDays), (email) => {
        const suggestions = classifyEmail(email, now);
        expect(suggestions.length).toBeLessThanOrEqual(3);
        const scores = suggestions.map((suggestion) => suggestion.confidence_score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        for (const suggestion of suggestions) {
          expect(MlSuggestionSchema.parse(suggestion)).toEqual(suggestion);
          expect(suggestion.confidence_score).toBe(Number(suggestion.confidence_score.toFixed(2)));
          expect(suggestion.classification).toMatch(/^[a-z]+(_[a-z]+)*$/);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('gets the same suggestions each time', () => {
    fc.assert(
      fc.property(anyEmailAged(anyAgeDays), (email) => {
        expect(classifyEmail({ ...email }, now)).toEqual(classifyEmail(email, now));
      }),
    );
  });

  it('is not to be deleted before it is 30 days old', () => {
    fc.assert(
      fc.property(anyEmailAged(fc.double({ min: -100, max: 30, noNaN: true })), (email) => {
        expect(classifyEmail(email, now).map(({ action }) => action)).not.toContain('delete');
      }),
      { numRuns: 1_000 },
    );
  });

  it('is not to be deleted unless it is an unread promotion', () => {
    const kept = anyEmailAged(anyAgeDays).filter((email) => email.isRead || email.category !== 'promotions');
    fc.assert(
      fc.property(kept, (email) => {
        expect(classifyEmail(email, now).map(({ action }) => action)).not.toContain('delete');
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the surer to be archived the older it is, for a whole year', () => {
    const older = fc.tuple(fc.integer({ min: 0, max: 180 }), fc.integer({ min: 0, max: 180 }));
    fc.assert(
      fc.property(anyEmailAged(fc.constant(0)), older, (email, [days, more]) => {
        const scoresAt = (ageDays: number) => {
          const date = new Date(now.getTime() - ageDays * MS_PER_DAY).toISOString();
          const clearing = classifyEmail({ ...email, date, attachmentSizeMb: 0, subject: '' }, now);
          return new Map(clearing.map((each) => [each.classification, each.confidence_score]));
        };
        const later = scoresAt(days + more);
        for (const [classification, score] of scoresAt(days)) {
          // A suggestion may give way to surer ones, never to less sure ones.
          const best = Math.max(...later.values());
          expect(later.get(classification) ?? best).toBeGreaterThanOrEqual(score);
        }
      }),
      { numRuns: 500 },
    );
  });
});
