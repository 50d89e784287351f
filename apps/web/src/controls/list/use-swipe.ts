import { type PointerEvent, useRef } from 'react';

/** What swiping a row to either side does; `name` is shown behind the row. */
export interface SwipeActions {
  right: { name: string; run: () => void };
  left: { name: string; run: () => void };
}

/** So far a finger moves before it is clear that it swipes and does not tap or scroll. Unit: pixels. */
const STARTS_AT = 12;
/** From here on letting go acts. Unit: pixels. */
const ACTS_AT = 96;

/**
 * Handlers for a row that fingers can swipe. The row needs `touch-action: pan-y`, so that the browser leaves sideways
 * movements to it. `data-swipe` says which side was reached, `data-swipe-name` what letting go there does.
 */
export const useSwipe = (actions: SwipeActions | undefined) => {
  const start = useRef<{ id: number; x: number; y: number; isSwipe: boolean } | null>(null);

  const end = (row: HTMLElement) => {
    start.current = null;
    row.style.translate = '';
    delete row.dataset.swipe;
    delete row.dataset.swipeName;
  };

  if (actions === undefined) return {};
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType !== 'touch' || !event.isPrimary) return;
      start.current = { id: event.pointerId, x: event.clientX, y: event.clientY, isSwipe: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = start.current;
      if (from === null || event.pointerId !== from.id) return;
      const row = event.currentTarget;
      const moved = event.clientX - from.x;
      if (!from.isSwipe) {
        if (Math.abs(moved) < STARTS_AT) return;
        from.isSwipe = true;
        row.setPointerCapture(from.id);
      }
      row.style.translate = `${moved}px 0`;
      row.dataset.swipe = moved > 0 ? 'right' : 'left';
      row.dataset.swipeName =
        Math.abs(moved) >= ACTS_AT ? (moved > 0 ? actions.right : actions.left).name : '';
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const from = start.current;
      if (from === null || event.pointerId !== from.id) return;
      const moved = event.clientX - from.x;
      end(event.currentTarget);
      if (from.isSwipe && Math.abs(moved) >= ACTS_AT) (moved > 0 ? actions.right : actions.left).run();
    },
    // The browser scrolls instead.
    onPointerCancel: (event: PointerEvent<HTMLElement>) => end(event.currentTarget),
  };
};
