import { describe, expect, it } from 'vitest';
import { sampleEmail } from '../../testing/sample-email.ts';
import {
  afterRemoval,
  EMPTY_SELECTION,
  extendBy,
  moveActive,
  selectRangeTo,
  toggle,
  toggleAll,
  toTargets,
} from './selection.ts';

const emails = [1, 2, 3, 4, 5].map((number) => sampleEmail(number));
const activeAt = (number: number) => ({ ...EMPTY_SELECTION, activeId: `email-${number}` });
const selected = (selection: { selectedIds: ReadonlySet<string> }) => [...selection.selectedIds].sort();

describe('moving', () => {
  it('begins at the first email and stops at both ends', () => {
    expect(moveActive(EMPTY_SELECTION, emails, 1).activeId).toBe('email-1');
    expect(moveActive(activeAt(1), emails, -1).activeId).toBe('email-1');
    expect(moveActive(activeAt(5), emails, 1).activeId).toBe('email-5');
    expect(moveActive(activeAt(3), emails, Number.POSITIVE_INFINITY).activeId).toBe('email-5');
  });
});

describe('selecting', () => {
  it('takes everything from where the range began', () => {
    const once = extendBy(activeAt(2), emails, 1);
    expect(selected(extendBy(once, emails, 1))).toEqual(['email-2', 'email-3', 'email-4']);
  });

  it('takes a range in either direction from the email ticked last', () => {
    expect(selected(selectRangeTo(toggle(EMPTY_SELECTION, 'email-4'), emails, 'email-2'))).toEqual([
      'email-2',
      'email-3',
      'email-4',
    ]);
  });

  it('takes all that is loaded, and none of it the second time', () => {
    const all = toggleAll(EMPTY_SELECTION, emails);
    expect(selected(all)).toHaveLength(5);
    expect(selected(toggleAll(all, emails))).toEqual([]);
  });
});

describe('acting', () => {
  it('is about the ticked emails, and about the active one when none is ticked', () => {
    expect(toTargets(toggle(activeAt(5), 'email-2'), emails).map((email) => email.id)).toEqual(['email-2']);
    expect(toTargets(activeAt(5), emails).map((email) => email.id)).toEqual(['email-5']);
  });

  it('is never about ticked emails that are not on the list any more', () => {
    const ticked = toggle(toggle(EMPTY_SELECTION, 'email-2'), 'email-9');
    expect(toTargets(ticked, emails).map((email) => email.id)).toEqual(['email-2']);
  });

  it('moves on to the next email that stays, or back when there is none', () => {
    expect(afterRemoval(activeAt(2), emails, new Set(['email-2', 'email-3'])).activeId).toBe('email-4');
    expect(afterRemoval(activeAt(5), emails, new Set(['email-5'])).activeId).toBe('email-4');
  });
});
