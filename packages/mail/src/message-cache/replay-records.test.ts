import { describe, expect, it } from 'vitest';
import type { LabelRecord } from './label-record.ts';
import { addUnshown, replayRecords } from './replay-records.ts';

const FETCHED = { id: 'm0', historyId: 5n, labels: ['INBOX'], unshown: [] };
const DELETED = { added: ['TRASH'], removed: ['INBOX'] };
const RESTORED = { added: ['INBOX'], removed: ['TRASH'] };

const recordAt = (historyId: bigint, change: Partial<LabelRecord>): LabelRecord => ({
  messageId: 'm0',
  historyId,
  added: [],
  removed: [],
  isDeleted: false,
  ...change,
});
const starredAt = (historyId: bigint) => recordAt(historyId, { added: ['STARRED'] });

describe('records of a fetched message', () => {
  it('hold from the fetch on, the last of each label, in whatever order they are shown', () => {
    const before = recordAt(4n, { removed: ['INBOX'] });
    const late = recordAt(6n, { added: ['UNREAD'], removed: ['INBOX'] });
    const last = recordAt(7n, { added: ['INBOX'] });
    const present = replayRecords(FETCHED, [before, last]);
    expect(present).toBe(FETCHED);
    expect(replayRecords(FETCHED, [before, late, last])).toMatchObject({ labels: ['UNREAD', 'INBOX'] });
    expect(replayRecords(FETCHED, [recordAt(6n, { isDeleted: true })])).toBeUndefined();
  });
});

describe('a change of ours that the history does not show yet', () => {
  const deleted = addUnshown(FETCHED, { ...DELETED, at: 8n });

  it('is not undone by what was before it, and neither ended by it nor by another label', () => {
    const records = [recordAt(7n, { added: ['INBOX'], removed: ['TRASH'] }), starredAt(9n)];
    expect(replayRecords(deleted, records)).toEqual({ ...deleted, labels: ['TRASH', 'STARRED'] });
    expect(replayRecords(deleted, [recordAt(7n, DELETED)])).toBe(deleted);
  });

  it('gives way to what came after it', () => {
    const later = replayRecords(deleted, [recordAt(12n, { added: ['INBOX'] })]);
    expect(later?.labels.toSorted()).toEqual(['INBOX', 'TRASH']);
  });

  it('is shown by records that do the same, which may be several', () => {
    const half = replayRecords(deleted, [recordAt(9n, { added: ['TRASH'] })]);
    expect(half?.unshown).toEqual([{ label: 'INBOX', isAdded: false, at: 8n }]);
    const records = [recordAt(9n, { added: ['TRASH'] }), recordAt(10n, { removed: ['INBOX'] })];
    expect(half && replayRecords(half, records)).toEqual({ ...FETCHED, labels: ['TRASH'] });
  });

  it('is not taken for shown by the record of an earlier one that did the same', () => {
    const again = addUnshown(addUnshown(deleted, { ...RESTORED, at: 8n }), { ...DELETED, at: 8n });
    const [first, second, third] = [recordAt(9n, DELETED), recordAt(10n, RESTORED), recordAt(11n, DELETED)];
    const shown = [[first], [first], [first, second], [first, second, third]];
    const states = shown.map((_, index) =>
      shown
        .slice(0, index + 1)
        .reduce<typeof again>((state, records) => replayRecords(state, records) ?? state, again),
    );
    expect(states.map(({ unshown }) => unshown.length)).toEqual([4, 4, 2, 0]);
    expect(states.map(({ labels }) => labels)).toEqual(states.map(() => ['TRASH']));
  });
});
