import { useMemo, useState } from 'react';
import {
  beginSelecting,
  clearSelection,
  EMPTY_SELECTION,
  extendBy,
  moveActive,
  type Row,
  selectRangeTo,
  toggle,
  toggleAll,
  toTargets,
} from './selection.ts';

/** The active row and the ticked rows of a list, and the ways to change them. */
export const useSelection = <R extends Row>(rows: readonly R[]) => {
  const [selection, change] = useState(EMPTY_SELECTION);
  const selected = useMemo(
    () => rows.filter(({ id }) => selection.selectedIds.has(id)),
    [rows, selection.selectedIds],
  );
  return {
    selection,
    change,
    selected,
    targets: toTargets(selection, rows),
    /** What keys, clicks and the bar of the selection do. */
    controls: {
      move: (by: number) => change((current) => moveActive(current, rows, by)),
      extend: (by: number) => change((current) => extendBy(current, rows, by)),
      toggle: (id: string) => change((current) => toggle(current, id)),
      toggleActive: () =>
        change((current) => (current.activeId ? toggle(current, current.activeId) : current)),
      selectRangeTo: (id: string) => change((current) => selectRangeTo(current, rows, id)),
      toggleAll: () => change((current) => toggleAll(current, rows)),
      beginSelecting: () => change(beginSelecting),
      clear: () => change(clearSelection),
      activate: (id: string) => change((current) => ({ ...current, activeId: id, anchorId: id })),
    },
  };
};
