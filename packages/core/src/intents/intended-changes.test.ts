import { expect, test } from 'vitest';
import { type IntendedChanges, toHistoryRecord, toRequestedChanges } from './intended-changes.ts';

const ARCHIVE = { added: [], removed: ['INBOX'] };
const BULK = { action: 'archive', classification: 'bulk', confidence_score: 0.9 } as const;
const ITEM = {
  recordId: '019a0000-0000-7000-8000-000000000002',
  emailId: 'one',
  labelChange: { added: ['STARRED'], removed: ['INBOX'] },
  status: 'skipped' as const,
  note: 'why',
};
const PLAN: IntendedChanges & { kind: 'act' } = {
  kind: 'act',
  source: 'suggestions',
  action: 'accept',
  batchId: '019a0000-0000-7000-8000-000000000003',
  items: [],
};
const AT = new Date('2026-03-01T12:00:00.000Z');

test('a record holds the applied change, not the requested one', () => {
  expect(toHistoryRecord('ada', PLAN, ITEM, { change: ARCHIVE }, AT)).toEqual({
    id: ITEM.recordId,
    userId: 'ada',
    emailId: 'one',
    action: 'accept',
    timestamp: '2026-03-01T12:00:00.000Z',
    details: {
      source: 'suggestions',
      gmailResponse: { status: 'skipped' },
      note: 'why',
      labelChange: ARCHIVE,
    },
    undoneAt: null,
    batchId: PLAN.batchId,
  });
});

test('a record holds the history id of the change, and what was suggested', () => {
  const made = { change: ARCHIVE, historyId: '77' };
  const { details } = toHistoryRecord('ada', PLAN, { ...ITEM, suggestions: [BULK] }, made, AT);

  expect(details).toMatchObject({ mailboxHistoryId: '77', suggestions: [BULK] });
});

test('the mailbox is asked for each change, with what is known of the email', () => {
  const items = [{ ...ITEM, labelsBefore: ['INBOX'], isDone: true }, ITEM];

  expect(toRequestedChanges({ ...PLAN, items })).toEqual([
    { id: 'one', ...ITEM.labelChange, before: ['INBOX'], isDone: true },
    { id: 'one', ...ITEM.labelChange, before: undefined, isDone: undefined },
  ]);
});
