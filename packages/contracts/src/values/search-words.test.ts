import { expect, test } from 'vitest';
import { hasWords, toWords } from './search-words.ts';

test.each([
  ['garden news', true],
  ['  NEWS   gard ', true],
  ['', true],
  ['garden shop', false],
])('a text is found by every word of a search, in any order and case: %j', (search, isFound) => {
  expect(hasWords('Garden & Home <news@garden.example>', toWords(search))).toBe(isFound);
});
