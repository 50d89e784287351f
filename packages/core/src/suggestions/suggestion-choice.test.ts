import type { Suggestion } from '@mailsweep/contracts';
import { expect, test } from 'vitest';
import { byConfidence, isSameSuggestion } from './suggestion-choice.ts';

const ARCHIVE_BULK: Suggestion = { action: 'archive', classification: 'bulk', confidence_score: 0.4 };

test('suggestions are ordered from the surest to the least sure', () => {
  const scores = [0.4, 1, 0, 0.7];
  const suggestions = scores.map((confidence_score) => ({ ...ARCHIVE_BULK, confidence_score }));
  expect(suggestions.toSorted(byConfidence).map((one) => one.confidence_score)).toEqual([1, 0.7, 0.4, 0]);
});

test.each([
  ['another confidence', { confidence_score: 0.9 }, true],
  ['another action', { action: 'delete' }, false],
  ['another classification', { classification: 'promotions' }, false],
] as const)('with %s: the same to a user is %s', (_name, difference, isSame) => {
  expect(isSameSuggestion(ARCHIVE_BULK, { ...ARCHIVE_BULK, ...difference })).toBe(isSame);
});
