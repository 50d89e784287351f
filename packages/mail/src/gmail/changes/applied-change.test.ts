import { applyChange, isEmptyChange, toAppliedChange } from '@mailsweep/mail/mailbox';
import type { LabelRecord } from '@mailsweep/mail/message-cache';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAppliedChange } from './change-outcome.ts';

const TRASH_IT = { id: 'm', added: ['TRASH'], removed: ['INBOX'] };

/** Records with ids 1, 2, …; `+` puts a label on, `-` takes one off. */
const history = (...entries: string[]): LabelRecord[] =>
  entries.map((entry, index) => {
    const labels = (sign: string) =>
      entry
        .split(' ')
        .filter((part) => part.startsWith(sign))
        .map((part) => part.slice(1));
    return {
      messageId: 'm',
      historyId: BigInt(index + 1),
      added: labels('+'),
      removed: labels('-'),
      isDeleted: false,
    };
  });

describe('the applied of a change', () => {
  it.each([
    ['alone', history('+TRASH -INBOX'), TRASH_IT, '1'],
    ['put down in two records', history('-INBOX', '+TRASH'), TRASH_IT, '2'],
    ['among changes of other labels', history('-UNREAD', '+TRASH -INBOX', '+STARRED'), TRASH_IT, '2'],
    [
      'after another client changed back and forth',
      history('-INBOX', '+INBOX', '+TRASH -INBOX'),
      TRASH_IT,
      '3',
    ],
    ['before another client took it back', history('+TRASH -INBOX', '-TRASH +INBOX'), TRASH_IT, '1'],
  ])('is found %s', (_, records, requested, historyId) => {
    const { added, removed } = requested;
    expect(findAppliedChange(records, requested)).toEqual({ change: { added, removed }, historyId });
  });

  it('tells only what was left to change', () => {
    const archivedBefore = { ...TRASH_IT, before: ['UNREAD'] };
    expect(findAppliedChange(history('+TRASH'), archivedBefore)).toEqual({
      change: { added: ['TRASH'], removed: [] },
      historyId: '1',
    });
    expect(findAppliedChange(history('+TRASH'), TRASH_IT)).toMatchObject({ change: { removed: [] } });
  });

  it('holds nothing from before another client was there with the same labels and others', () => {
    const records = history('-INBOX', '+TRASH -UNREAD', '-TRASH +STARRED', '+TRASH');
    expect(findAppliedChange(records, TRASH_IT)).toEqual({
      change: { added: ['TRASH'], removed: [] },
      historyId: '4',
    });
  });

  it.each([
    ['nothing happened', history(), TRASH_IT],
    ['only other labels changed', history('-UNREAD', '+STARRED'), TRASH_IT],
    [
      'another client did more at once',
      history('-INBOX -UNREAD'),
      { id: 'm', added: [], removed: ['INBOX'] },
    ],
    ['a part of it happened, which can’t be it', history('-INBOX'), { ...TRASH_IT, before: ['INBOX'] }],
    ['it was undone before', history('+INBOX'), { id: 'm', added: [], removed: ['INBOX'], before: [] }],
  ])('is not there where %s', (_, records, requested) => {
    expect(findAppliedChange(records, requested)).toBeUndefined();
  });

  it('tells exactly what a change did, whatever others did to other labels around it', () => {
    const wantedLabel = fc.constantFrom('INBOX', 'TRASH', 'UNREAD');
    const otherLabel = fc.constantFrom('STARRED', 'IMPORTANT', 'Label_1');
    const others = fc.array(fc.record({ label: otherLabel, isOn: fc.boolean() }), { maxLength: 5 });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof(wantedLabel, otherLabel)),
        fc.uniqueArray(wantedLabel),
        fc.nat(3),
        others,
        others,
        fc.boolean(),
        (before, touched, addedCount, earlier, later, isKnown) => {
          const requested = {
            id: 'm',
            added: touched.slice(0, addedCount),
            removed: touched.slice(addedCount),
            ...(isKnown ? { before } : {}),
          };
          const real = toAppliedChange(before, requested);
          let labels: string[] = before;
          const records: LabelRecord[] = [];
          const apply = (change: { added: string[]; removed: string[] }) => {
            const done = toAppliedChange(labels, change);
            labels = applyChange(labels, done);
            const historyId = BigInt(records.length + 1);
            if (!isEmptyChange(done)) records.push({ messageId: 'm', historyId, isDeleted: false, ...done });
          };
          const applyElsewhere = (changes: { label: string; isOn: boolean }[]) => {
            for (const { label, isOn } of changes) {
              apply({ added: isOn ? [label] : [], removed: isOn ? [] : [label] });
            }
          };
          applyElsewhere(earlier);
          apply(requested);
          applyElsewhere(later);
          expect(findAppliedChange(records, requested)?.change).toEqual(
            isEmptyChange(real) ? undefined : real,
          );
        },
      ),
    );
  });
});
