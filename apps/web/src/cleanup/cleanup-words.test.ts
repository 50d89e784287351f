import { describe, expect, test } from 'vitest';
import { askToRun, describeExclusions, describeResult } from './cleanup-words.ts';

describe('the words of a cleanup', () => {
  test('ask with the exact number', () => {
    expect(askToRun('archive', 3_362)).toBe('Archive 3,362 emails?');
    expect(askToRun('delete', 1)).toBe('Move 1 email to Trash?');
  });

  test('name what is left out, and nothing where nothing is', () => {
    expect(describeExclusions({ starred: 4, conversation: 11 })).toBe(
      'Left out: 4 starred, 11 in conversations you wrote in.',
    );
    expect(describeExclusions({ starred: 0 })).toBe('');
  });

  test('tell what became of every email', () => {
    const counts = { changed: 3_359, unchanged: 1, skipped: 2, failed: 0 };
    expect(describeResult('archive', counts as Parameters<typeof describeResult>[1])).toEqual({
      title: '3,359 emails archived',
      detail: '1 needed no change · 2 left alone: starred, answered or moved meanwhile',
    });
  });
});
