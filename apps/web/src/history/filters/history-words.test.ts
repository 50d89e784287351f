import { describe, expect, it } from 'vitest';
import { sampleBatch, sampleRecord } from '../../testing/sample-email.ts';
import { canUndo } from '../undo/use-undo-history.ts';
import { describeBatch, describeChange, describeState } from './history-words.tsx';

describe('a batch in words', () => {
  it.each([
    [{ action: 'archive', total: 839 }, 'Archived 839 emails'],
    [{ action: 'delete', total: 1 }, 'Moved 1 email to Trash'],
    [{ action: 'accept', total: 2 }, 'Accepted suggestions for 2 emails'],
  ] as const)('counts all of its emails: %j', (change, words) => {
    expect(describeBatch(sampleBatch(change))).toBe(words);
  });

  it.each([
    [{}, 'Done', true],
    [{ undone: 1 }, '1 of 3 undone', true],
    [{ undone: 3, undo: { state: 'done', failed: 0 } }, 'Undone', false],
    [{ undone: 2, undo: { state: 'done', failed: 1 } }, '2 of 3 undone', true],
    [{ undone: 1, undo: { state: 'running', failed: 0 } }, 'Undoing: 1 of 3', false],
    [{ undone: 1, unchanged: 2, undo: { state: 'done', failed: 0 } }, 'Undone', false],
    [{ undone: 1, unchanged: 1 }, '1 of 2 undone', true],
    [{ unchanged: 3 }, 'Nothing moved', false],
    // A rejection moves nothing.
    [{ action: 'reject' }, 'Nothing moved', true],
  ] as const)('says how much of %j is undone, and offers the rest', (change, words, isOffered) => {
    const batch = sampleBatch(change);
    expect(describeState(batch).words).toBe(words);
    expect(canUndo(batch)).toBe(isOffered);
  });
});

describe('what became of an email', () => {
  it('says when there was nothing left to change', () => {
    const details = {
      ...sampleRecord(1).details,
      gmailResponse: { status: 'unchanged' as const },
      labelChange: { added: [], removed: [] },
    };
    expect(describeChange(sampleRecord(1, { action: 'archive', details }))).toBe('no change needed');
  });

  it('names the label of an accepted suggestion, which the mailbox knows by its id alone', () => {
    const suggestion = { action: 'label', classification: 'receipt', confidence_score: 0.9 } as const;
    const details = {
      ...sampleRecord(1).details,
      labelChange: { added: ['Label_12'], removed: [] },
      suggestions: [suggestion],
    };
    expect(describeChange(sampleRecord(1, { action: 'accept', details }))).toBe('got the label Receipts');
    const named = { ...details, label: 'Papers/Receipts' };
    expect(describeChange(sampleRecord(1, { action: 'accept', details: named }))).toBe(
      'got the label Papers/Receipts',
    );
    expect(describeChange(sampleRecord(1, { action: 'label', details: named }))).toBe(
      'got the label Papers/Receipts',
    );
  });
});
