import type { Cleanup } from '@mailsweep/contracts';
import { describe, expect, test } from 'vitest';
import { sampleCleanup } from '../../testing/sample-email.ts';
import { askToRun, describeExclusions, describeResult, describeSelection } from './cleanup-words.ts';

describe('the words of a cleanup', () => {
  test('ask with the exact number', () => {
    expect(askToRun('archive', 3_362)).toBe('Archive 3,362 emails?');
    expect(askToRun('delete', 1)).toBe('Move 1 email to Trash?');
  });

  test('name what is left out, and nothing where nothing is', () => {
    expect(describeExclusions({ starred: 4, conversation: 11, protected: 12 })).toBe(
      'Left out: 12 from protected senders, 4 starred, 11 in conversations you wrote in.',
    );
    expect(describeExclusions({ starred: 0 })).toBe('');
  });

  test.each([
    [{ type: 'filter', scope: 'all' }, 'All mail'],
    [
      { type: 'filter', scope: 'inbox', category: 'promotions', unread: true, olderThan: 30 },
      'Inbox · Promotions · unread · older than 30 days',
    ],
    [
      { type: 'filter', scope: 'inbox', search: 'from:amy', minAttachmentSize: 5 },
      'Inbox · attachments of more than 5 MB · “from:amy”',
    ],
    [{ type: 'senders', senders: ['a', 'b'], olderThan: 1 }, '2 senders · older than 1 day'],
    [{ type: 'senders', senders: ['a'], keepNewest: 1 }, '1 sender · all but the newest'],
    [
      { type: 'senders', senders: ['a', 'b'], keepNewest: 3 },
      '2 senders · all but the newest 3 of each sender',
    ],
    [{ type: 'suggestions', classification: 'bulk' }, 'with suggestions · Bulk email'],
    [{ type: 'any', senders: [], classifications: ['bulk', 'receipt'] }, 'Bulk email · Receipts'],
  ] as const)('say which emails %j asks for', (selection, words) => {
    expect(describeSelection({ ...selection, except: [] } as unknown as Cleanup['selection'])).toBe(words);
  });

  test('tell what became of every email', () => {
    const cleanup = sampleCleanup({
      changed: 3_359,
      changedActions: { archive: 3_359 },
      unchanged: 1,
      skipped: 2,
    });
    expect(describeResult(cleanup)).toEqual({
      title: '3,359 emails archived',
      detail: '1 needed no change · 2 left alone: protected, answered or moved meanwhile',
    });
  });

  test('tell it by action where there are several, with the space it frees', () => {
    const cleanup = sampleCleanup({
      action: 'accept',
      changed: 839,
      changedActions: { delete: 102, label: 50, archive: 687 },
      changedBytes: 42 * 1_048_576,
      excluded: { starred: 2 },
    });
    expect(describeResult(cleanup)).toEqual({
      title: '687 archived, 102 moved to Trash, 50 labelled',
      detail: '42 MB freed when the trash is emptied · Left out: 2 starred.',
    });
  });
});
