import type { MouseEvent } from 'react';

interface ClickedList {
  selection: { isSelecting?: boolean; selectedIds: ReadonlySet<string> };
  selectRangeTo: (id: string) => void;
  toggle: (id: string) => void;
}

/**
 * What a click on a row does: with Shift it selects a range, with Ctrl one more row. Where rows are being selected, so does a
 * tap, or any click if the user has asked for it. Else the row is opened.
 */
export const toRowClick =
  (list: ClickedList, open: (id: string) => void) =>
  (event: MouseEvent, id: string): void => {
    const { isSelecting, selectedIds } = list.selection;
    const isTap = (event.nativeEvent as PointerEvent).pointerType === 'touch';
    if (event.shiftKey) list.selectRangeTo(id);
    else if (event.metaKey || event.ctrlKey || isSelecting || (isTap && selectedIds.size > 0))
      list.toggle(id);
    else open(id);
  };
