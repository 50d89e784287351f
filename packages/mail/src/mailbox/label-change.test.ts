import type { LabelChange } from '@mailsweep/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isEmptyChange, isInEffect, NO_CHANGE, toAppliedChange, toReverseChange } from './label-change.ts';

const label = fc.constantFrom<string[]>(
  'INBOX',
  'UNREAD',
  'TRASH',
  'STARRED',
  'SPAM',
  'CATEGORY_SOCIAL',
  'Label_1',
  'Label_2',
);
const labelSet = fc.uniqueArray(label);
/** A requested change never asks for a label to be put on and taken off at once. */
const requestedChange = fc
  .tuple(labelSet, labelSet)
  .map(
    ([added, removed]): LabelChange => ({ added, removed: removed.filter((name) => !added.includes(name)) }),
  );

const apply = (labels: string[], change: LabelChange): string[] => [
  ...labels.filter((name) => !change.removed.includes(name)),
  ...change.added.filter((name) => !labels.includes(name)),
];
const sorted = (labels: string[]) => labels.toSorted();

describe('undoing an action', () => {
  test('leaves every label as it was, whatever the labels and the action', () => {
    fc.assert(
      fc.property(labelSet, requestedChange, (labels, requested) => {
        const change = toAppliedChange(labels, requested);
        const after = apply(labels, change);
        expect(sorted(apply(after, toReverseChange(change)))).toEqual(sorted(labels));
      }),
    );
  });

  test('leaves every label as it was after any number of actions, undone from the last to the first', () => {
    fc.assert(
      fc.property(labelSet, fc.array(requestedChange, { maxLength: 6 }), (labels, wishes) => {
        const done: LabelChange[] = [];
        let now = labels;
        for (const requested of wishes) {
          const change = toAppliedChange(now, requested);
          done.push(change);
          now = apply(now, change);
        }
        for (const change of done.toReversed()) {
          expect(isInEffect(now, change)).toBe(true);
          now = apply(now, toReverseChange(change));
        }
        expect(sorted(now)).toEqual(sorted(labels));
      }),
    );
  });

  test('of an undo is the action again', () => {
    fc.assert(
      fc.property(requestedChange, (change) => {
        expect(toReverseChange(toReverseChange(change))).toEqual(change);
      }),
    );
  });
});

describe('the part of a requested change that is applied', () => {
  test('does the same to the labels as the whole', () => {
    fc.assert(
      fc.property(labelSet, requestedChange, (labels, requested) => {
        expect(sorted(apply(labels, toAppliedChange(labels, requested)))).toEqual(
          sorted(apply(labels, requested)),
        );
      }),
    );
  });

  test('is in effect right after it was made, and is nothing when it is asked for again', () => {
    fc.assert(
      fc.property(labelSet, requestedChange, (labels, requested) => {
        const after = apply(labels, toAppliedChange(labels, requested));
        expect(isInEffect(after, toAppliedChange(labels, requested))).toBe(true);
        expect(toAppliedChange(after, requested)).toEqual(NO_CHANGE);
      }),
    );
  });

  test('is no longer in effect once any label of it has changed back', () => {
    fc.assert(
      fc.property(labelSet, requestedChange, fc.nat(), (labels, requested, index) => {
        const change = toAppliedChange(labels, requested);
        const touched = [...change.added, ...change.removed];
        fc.pre(touched.length > 0);
        const name = touched[index % touched.length] ?? '';
        const after = apply(labels, change);
        const changed = after.includes(name) ? after.filter((other) => other !== name) : [...after, name];
        expect(isInEffect(changed, change)).toBe(false);
      }),
    );
  });
});

test('a change of nothing is empty', () => {
  expect(isEmptyChange(NO_CHANGE)).toBe(true);
});
