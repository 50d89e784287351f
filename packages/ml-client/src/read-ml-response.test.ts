import { SuggestionSchema } from '@mailsweep/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MlUnavailableError } from './ml-client.ts';
import { readMlResponse } from './read-ml-response.ts';

const bulk = { action: 'archive', classification: 'bulk', confidence_score: 0.9 };
const sentIds = ['a', 'b'];

const readFirst = (suggestions: unknown[]) => readMlResponse([{ id: 'a', suggestions }], sentIds).get('a');

describe('the shape of a response', () => {
  it.each([
    ['items with id', [{ id: 'a', suggestions: [bulk] }]],
    ['items with emailId', [{ emailId: 'a', suggestions: [bulk] }]],
    ['a map', { a: [bulk] }],
    ['a map under suggestionsById', { suggestionsById: { a: [bulk] }, model: 'v2' }],
  ])('may be %s; an email that is left out has no suggestions', (_shape, body) => {
    expect(readMlResponse(body, sentIds)).toEqual(
      new Map([
        ['a', [bulk]],
        ['b', []],
      ]),
    );
  });

  it.each([[[]], [{}], [{ suggestionsById: {} }]])('may be empty: %j', (body) => {
    expect(readMlResponse(body, sentIds)).toEqual(new Map(sentIds.map((id) => [id, []])));
  });

  it.each([
    ['nothing', undefined],
    ['a boolean', true],
    ['an error object', { error: 'model not loaded' }],
    ['an error list', { errors: ['model not loaded'] }],
    ['an object of numbers', { foo: 1 }],
    ['items of which none can be read', [{ id: 7, suggestions: [] }, { id: 'a' }, null]],
    ['items about other emails only', [{ id: 'x', suggestions: [bulk] }]],
  ])('is refused when it is %s', (_shape, body) => {
    expect(() => readMlResponse(body, sentIds)).toThrowError(
      expect.objectContaining({ name: 'MlUnavailableError', code: 'ml_bad_response' }),
    );
  });

  it('may hold unreadable items beside readable ones', () => {
    const body = [null, 7, { id: 'a', suggestions: 'none' }, { id: 'b', suggestions: [bulk] }];
    expect(readMlResponse(body, sentIds)).toEqual(
      new Map([
        ['a', []],
        ['b', [bulk]],
      ]),
    );
  });

  it('may answer for one email in several items', () => {
    const other = { ...bulk, classification: 'stale_unread' };
    const body = [
      { id: 'a', suggestions: [bulk] },
      { id: 'a', suggestions: [other] },
    ];
    expect(readMlResponse(body, sentIds).get('a')).toEqual([bulk, other]);
  });
});

describe('ids in a response', () => {
  it('that were not sent are dropped', () => {
    expect([...readMlResponse({ a: [bulk], x: [bulk] }, sentIds).keys()]).toEqual(sentIds);
  });

  it.each(['__proto__', 'constructor', 'hasOwnProperty'])('named %s reach no prototype', (name) => {
    const body = JSON.parse(`{"a":[${JSON.stringify(bulk)}],"${name}":[{"polluted":true}]}`);
    expect([...readMlResponse(body, sentIds).keys()]).toEqual(sentIds);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('a suggestion', () => {
  it.each([
    [-0.5, 0],
    [1.7, 1],
    [1e300, 1],
    [0, 0],
    [0.25, 0.25],
  ])('with the score %d counts as %d', (given, read) => {
    expect(readFirst([{ ...bulk, confidence_score: given }])).toEqual([{ ...bulk, confidence_score: read }]);
  });

  it.each([
    ['an empty action', { ...bulk, action: ' ' }],
    ['an action of more than 50 characters', { ...bulk, action: 'x'.repeat(51) }],
    ['an action that control characters hide', { ...bulk, action: 'del\u0000ete' }],
    ['an action that format characters hide', { ...bulk, action: 'delete\u200b' }],
    ['an action that is no text', { ...bulk, action: ['delete'] }],
    ['no action', { ...bulk, action: undefined }],
    ['an empty classification', { ...bulk, classification: '' }],
    ['a classification of blanks and control characters', { ...bulk, classification: ' \u0000\n' }],
    ['a classification that is no text', { ...bulk, classification: 7 }],
    ['a score that is text', { ...bulk, confidence_score: '0.9' }],
    ['a score that is null, as NaN is in JSON', { ...bulk, confidence_score: null }],
    ['an infinite score', { ...bulk, confidence_score: Number.POSITIVE_INFINITY }],
    ['nothing at all', null],
    ['a list for an object', [bulk]],
  ])('with %s is dropped, and only that one', (_fault, malformed) => {
    expect(readFirst([malformed, bulk])).toEqual([bulk]);
  });

  it.each([
    ['review', 'review'],
    [' move to folder ', 'move to folder'],
    ['Archive', 'Archive'],
    ['__proto__', '__proto__'],
    ['überprüfen 👀', 'überprüfen 👀'],
  ])('with the unknown action %j is advice, read as %j', (given, read) => {
    expect(readFirst([{ ...bulk, action: given }])).toEqual([{ ...bulk, action: read }]);
  });

  it('loses whatever a database or a screen could choke on', () => {
    const classification = ' bu\u0000lk\u001f\ud800 \u202e✓\u0085 ';
    expect(readFirst([{ ...bulk, classification }])).toEqual([{ ...bulk, classification: 'bulk ✓' }]);
  });

  it('keeps at most 100 characters of its classification and parts no emoji', () => {
    const classification = `${'x'.repeat(99)}😀😀`;
    expect(readFirst([{ ...bulk, classification }])).toEqual([{ ...bulk, classification: 'x'.repeat(99) }]);
  });

  it.each([
    ['s-1', 's-1'],
    ['s\u0000-1', 's-1'],
    ['', undefined],
    [7, undefined],
  ])('may have the id %j, read as %j', (given, read) => {
    const [suggestion] = readFirst([{ ...bulk, id: given }]) ?? [];
    expect(suggestion?.id).toBe(read);
  });

  it('loses fields that nobody asked for', () => {
    expect(readFirst([{ ...bulk, explanation: 'x' }])).toEqual([bulk]);
  });
});

describe('the suggestions for one email', () => {
  const scored = (confidence_score: number) => ({ ...bulk, confidence_score });

  it('keep the order of the response', () => {
    expect(readFirst([scored(0.1), scored(0.9), scored(0.5)])).toEqual([
      scored(0.1),
      scored(0.9),
      scored(0.5),
    ]);
  });

  it('are the ten most confident when there are more', () => {
    const scores = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1, 0.05];
    const kept = readFirst(scores.map(scored)) ?? [];
    expect(kept.map((suggestion) => suggestion.confidence_score)).toEqual([
      1, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2,
    ]);
  });
});

describe('any response whatever', () => {
  const suggestion = fc.record(
    {
      action: fc.oneof(fc.constantFrom('archive', 'delete', 'label', 'notify'), fc.string()),
      classification: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
      confidence_score: fc.oneof(fc.double(), fc.jsonValue()),
      id: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  const lists = fc.array(fc.oneof(suggestion, fc.jsonValue()), { maxLength: 15 });
  const id = fc.oneof(fc.constantFrom(...sentIds, '__proto__'), fc.string());
  const body = fc.oneof(
    fc.array(fc.oneof(fc.record({ id, suggestions: lists }), fc.jsonValue())),
    fc.dictionary(id, lists),
    fc.record({ suggestionsById: fc.dictionary(id, lists) }),
    fc.jsonValue(),
  );

  it('is either refused as unusable or read as valid suggestions for exactly the emails sent', () => {
    fc.assert(
      fc.property(body, (response) => {
        let read: ReturnType<typeof readMlResponse>;
        try {
          read = readMlResponse(response, sentIds);
        } catch (error) {
          expect(error).toBeInstanceOf(MlUnavailableError);
          return;
        }
        expect([...read.keys()]).toEqual(sentIds);
        for (const suggestions of read.values()) {
          expect(suggestions.length).toBeLessThanOrEqual(10);
          for (const each of suggestions) {
            expect(SuggestionSchema.parse(each)).toEqual(each);
            expect(each.classification.isWellFormed()).toBe(true);
            expect(each.classification).not.toMatch(/\p{Cc}/u);
            expect(each.action).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
