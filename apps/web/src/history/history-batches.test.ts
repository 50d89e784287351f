import { describe, expect, it } from 'vitest';
import { sampleRecord } from '../testing/sample-email.ts';
import { toHistoryBatches, undoableRecords } from './history-batches.ts';
import { describeBatch, describeChange, describeState } from './history-words.ts';

const UNDONE = '2026-01-31T10:00:00.000Z';

describe('the history', () => {
  it('joins what was done in one go', () => {
    const batches = toHistoryBatches([sampleRecord(1), sampleRecord(2), sampleRecord(3)]);
    expect(batches.map(describeBatch)).toEqual(['Archived 3 emails']);
  });

  it('keeps apart what was done another way, at another time or from another screen', () => {
    const batches = toHistoryBatches([
      sampleRecord(1),
      sampleRecord(2, { action: 'delete' }),
      sampleRecord(3, { action: 'delete', timestamp: '2026-01-31T09:00:00.000Z' }),
      sampleRecord(4, { details: { ...sampleRecord(4).details, source: 'suggestions' }, action: 'accept' }),
    ]);
    expect(batches.map(describeBatch)).toEqual([
      'Archived 1 email',
      'Moved 1 email to Trash',
      'Moved 1 email to Trash',
      'Accepted suggestions for 1 email',
    ]);
  });

  it('counts a record once, though two pages hold it', () => {
    expect(toHistoryBatches([sampleRecord(1), sampleRecord(2), sampleRecord(2)])[0]?.records).toHaveLength(2);
  });

  it('keeps apart the same email done twice', () => {
    expect(toHistoryBatches([sampleRecord(1), sampleRecord(2, { emailId: 'email-1' })])).toHaveLength(2);
  });

  it('says how much of an entry was undone, and offers the rest', () => {
    const [batch] = toHistoryBatches([sampleRecord(1, { undoneAt: UNDONE }), sampleRecord(2)]);
    expect(batch && describeState(batch).words).toBe('1 of 2 undone');
    expect(batch && undoableRecords(batch).map((record) => record.emailId)).toEqual(['email-2']);
  });

  it('does not claim that a rejection moved anything', () => {
    const details = { ...sampleRecord(1).details, gmailResponse: { status: 'skipped' as const } };
    const [batch] = toHistoryBatches([sampleRecord(1, { action: 'reject', details })]);
    expect(batch && describeState(batch).words).toBe('Nothing moved');
  });

  it('says when there was nothing left to change, unless something else of the batch was changed', () => {
    const details = {
      ...sampleRecord(1).details,
      gmailResponse: { status: 'unchanged' as const },
      labelChange: { added: [], removed: [] },
    };
    const record = sampleRecord(1, { action: 'archive', details });
    const [unchanged] = toHistoryBatches([record]);
    expect(unchanged && describeState(unchanged).words).toBe('No change needed');
    expect(describeChange(record)).toBe('no change needed');
    const [mixed] = toHistoryBatches([record, sampleRecord(2, { action: 'archive' })]);
    expect(mixed && describeState(mixed).words).toBe('Done');
  });

  it('names the label of an accepted suggestion, which the mailbox knows by its id alone', () => {
    const suggestion = { action: 'label', classification: 'receipt', confidence_score: 0.9 } as const;
    const details = {
      ...sampleRecord(1).details,
      labelChange: { added: ['Label_12'], removed: [] },
      suggestions: [suggestion],
    };
    expect(describeChange(sampleRecord(1, { action: 'accept', details }))).toBe(
      'got the label Mailsweep/receipt',
    );
  });
});
