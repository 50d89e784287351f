import type { MouseEvent } from 'react';

interface ClickedList {
  selection: { isSelecting?: boolean; selectedIds: ReadonlySet<string> };
  selectRangeTo: (id: string) => void;
  toggle: (id: string) => void;
}

/**
 * Shift selects a range, Ctrl one more row. While selecting, so does a tap, or any click if the user asked for it.
 * Other clicks open the row.
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
