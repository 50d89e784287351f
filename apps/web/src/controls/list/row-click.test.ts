import type { MouseEvent } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { toRowClick } from './list-row.tsx';

const did = vi.fn();
const click = (
  list: { isSelecting?: boolean; selected?: string[] },
  event: { shiftKey?: boolean; ctrlKey?: boolean; pointerType?: string },
) => {
  const { isSelecting = false, selected = [] } = list;
  const { pointerType = 'mouse', ...keys } = event;
  const onClick = toRowClick(
    {
      selection: { isSelecting, selectedIds: new Set(selected) },
      selectRangeTo: () => did('range'),
      toggle: () => did('select'),
    },
    () => did('open'),
  );
  onClick(
    { shiftKey: false, ctrlKey: false, ...keys, nativeEvent: { pointerType } } as never as MouseEvent,
    'a',
  );
};
beforeEach(() => did.mockClear());

test.each([
  ['open', {}, {}],
  ['open', {}, { pointerType: 'touch' }],
  ['select', {}, { ctrlKey: true }],
  ['range', { selected: ['b'] }, { shiftKey: true }],
  // A mouse can use checkboxes, and opens emails while others are ticked.
  ['open', { selected: ['b'] }, {}],
  ['select', { selected: ['b'] }, { pointerType: 'touch' }],
  ['select', { isSelecting: true }, {}],
  ['select', { isSelecting: true }, { pointerType: 'touch' }],
])('does: %s, where the list is %o and the click %o', (expected, list, event) => {
  click(list, event);
  expect(did.mock.calls).toEqual([[expected]]);
});
