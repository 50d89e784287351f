import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildSuggestionsConfirmed,
  buildSuggestionsGenerated,
  DOMAIN_EVENTS,
  DomainEventHeadSchema,
  DomainEventSchema,
  SAMPLED_EMAILS_LIMIT,
} from './domain-events.ts';

const userId = 'user-1';
const generatedAt = new Date('2026-06-02T06:00:00.000Z');
const archiveBulk = { action: 'archive', classification: 'bulk', confidence_score: 0.9 } as const;
const deleteOld = { action: 'delete', classification: 'promotions_old', confidence_score: 0.7 } as const;
const archiveOld = { action: 'archive', classification: 'promotions_old', confidence_score: 0.6 } as const;

describe('canonical names', () => {
  it('are two, each under its constant', () => {
    expect(DOMAIN_EVENTS).toEqual({
      SUGGESTIONS_GENERATED: 'domain.suggestions.generated',
      SUGGESTION_CONFIRMED: 'domain.suggestions.confirmed',
    });
  });

  it.each(['SUGGESTION_GENERATED', 'NEW_SUGGESTIONS_EVENT', 'NEW_SUGGESTIONS_AVAILABLE', 'NEW_SUGGESTIONS'])(
    'do not include %s, and an event under that name is refused',
    (type) => {
      const event = buildSuggestionsConfirmed({ userId, action: 'accept', emailIds: ['a'], generatedAt });
      expect(DomainEventSchema.safeParse({ ...event, type }).success).toBe(false);
    },
  );
});

describe('the event of generated suggestions', () => {
  const emails = [
    { id: 'a', subject: 'Sale', suggestions: [archiveBulk, deleteOld] },
    { id: 'b', subject: 'Lunch?', suggestions: [] },
    { id: 'c', subject: 'Deals', suggestions: [archiveOld] },
  ];

  it('is the bare event with its canonical name, its owner and the time of generation', () => {
    const event = buildSuggestionsGenerated({ userId, emails, generatedAt });
    expect(event).toMatchObject({
      type: 'domain.suggestions.generated',
      userId,
      generatedAt: '2026-06-02T06:00:00.000Z',
    });
    expect(DomainEventSchema.parse(event)).toEqual(event);
  });

  it('carries no persistence timestamps', () => {
    const event = buildSuggestionsGenerated({ userId, emails, generatedAt });
    expect(Object.keys(event).sort()).toEqual(['generatedAt', 'suggestions', 'summary', 'type', 'userId']);
  });

  it('lists the emails that have suggestions, in order, and leaves the others out', () => {
    const { suggestions } = buildSuggestionsGenerated({ userId, emails, generatedAt });
    expect(suggestions).toEqual([
      { emailId: 'a', subject: 'Sale', suggestions: [archiveBulk, deleteOld] },
      { emailId: 'c', subject: 'Deals', suggestions: [archiveOld] },
    ]);
  });

  it('counts suggestions in all, by action and by classification', () => {
    const { summary } = buildSuggestionsGenerated({ userId, emails, generatedAt });
    expect(summary).toMatchObject({
      totalSuggestions: 3,
      actionCounts: { archive: 2, delete: 1 },
      classificationCounts: { bulk: 1, promotions_old: 2 },
    });
  });

  it('samples the first few emails only, in the form of the whole list', () => {
    const many = Array.from({ length: SAMPLED_EMAILS_LIMIT + 3 }, (_, index) => ({
      id: `id-${index}`,
      subject: '',
      suggestions: [archiveBulk],
    }));
    const event = buildSuggestionsGenerated({ userId, emails: many, generatedAt });
    expect(event.suggestions).toHaveLength(many.length);
    expect(event.summary.sampledEmails).toEqual(event.suggestions.slice(0, SAMPLED_EMAILS_LIMIT));
  });

  it('counts a classification that is named like a part of every object', () => {
    const odd = { ...archiveBulk, classification: '__proto__' };
    const usual = { ...archiveBulk, classification: 'constructor' };
    const { summary } = buildSuggestionsGenerated({
      userId,
      emails: [{ id: 'a', subject: '', suggestions: [odd, odd, usual] }],
      generatedAt,
    });
    expect(Object.entries(summary.classificationCounts)).toEqual([
      ['__proto__', 2],
      ['constructor', 1],
    ]);
  });

  it('counts exactly what the suggestions say, and is valid, whatever they are', () => {
    const suggestion = fc.record({
      action: fc.constantFrom('archive', 'delete', 'label', 'notify', 'review', '__proto__', 'constructor'),
      classification: fc.oneof(
        fc.constantFrom('bulk', '__proto__', 'constructor', 'toString'),
        fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }),
      ),
      confidence_score: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const email = fc.record({
      id: fc.string(),
      subject: fc.string(),
      suggestions: fc.array(suggestion, { maxLength: 5 }),
    });
    const anyTime = fc.date({
      min: new Date(0),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.array(email, { maxLength: 8 }), anyTime, (anyEmails, when) => {
        const event = buildSuggestionsGenerated({ userId, emails: anyEmails, generatedAt: when });
        const all = anyEmails.flatMap((one) => one.suggestions);
        const countsOf = (counts: Record<string, number>) => new Map(Object.entries(counts));
        const expectCounts = (counts: Record<string, number>, names: string[]) => {
          expect(countsOf(counts)).toEqual(
            new Map([...new Set(names)].map((name) => [name, names.filter((one) => one === name).length])),
          );
        };
        expect(event.summary.totalSuggestions).toBe(all.length);
        expectCounts(
          event.summary.actionCounts,
          all.map((one) => one.action),
        );
        expectCounts(
          event.summary.classificationCounts,
          all.map((one) => one.classification),
        );
        expect(event.suggestions.flatMap((one) => one.suggestions)).toEqual(all);
        expect(event.summary.sampledEmails).toEqual(event.suggestions.slice(0, SAMPLED_EMAILS_LIMIT));
        expect(DomainEventSchema.safeParse(event).error).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });
});

describe('the event of a confirmation', () => {
  it.each(['accept', 'reject'] as const)('says what was done to which emails and how many (%s)', (action) => {
    const event = buildSuggestionsConfirmed({ userId, action, emailIds: ['a', 'b'], generatedAt });
    expect(event).toEqual({
      type: 'domain.suggestions.confirmed',
      userId,
      action,
      emailIds: ['a', 'b'],
      summary: { totalConfirmed: 2, action },
      generatedAt: '2026-06-02T06:00:00.000Z',
    });
    expect(DomainEventSchema.parse(event)).toEqual(event);
  });
});

describe('the head of an event', () => {
  it('keeps type, owner, summary and time, and neither the suggestions nor the email ids', () => {
    const generated = buildSuggestionsGenerated({
      userId,
      emails: [{ id: 'a', subject: '', suggestions: [archiveBulk] }],
      generatedAt,
    });
    const confirmed = buildSuggestionsConfirmed({ userId, action: 'accept', emailIds: ['a'], generatedAt });
    for (const event of [generated, confirmed]) {
      expect(Object.keys(DomainEventHeadSchema.parse(event)).sort()).toEqual([
        'generatedAt',
        'summary',
        'type',
        'userId',
      ]);
    }
  });
});
