import { expect, test } from 'vitest';
import { describeOpened } from './use-sender-facts.ts';

test.each([
  [{ count: 100, opened: 0 }, 'You opened none of the last 100 from this sender.'],
  [{ count: 63, opened: 42 }, 'You opened 42 of the last 63 from this sender.'],
  [{ count: 3, opened: 3 }, 'You opened all of the last 3 from this sender.'],
  [{ count: 1, opened: 0 }, 'It is the only one from this sender, unopened.'],
  [{ count: 0, opened: 0 }, ''],
])('what is known of how a sender is read: %o', (facts, words) => {
  expect(describeOpened(facts)).toBe(words);
});
