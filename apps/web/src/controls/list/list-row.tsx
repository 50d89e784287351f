// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight exist, placed one by one; a table cannot be that
// biome-ignore-all lint/a11y/useFocusableInteractive: the row takes the focus for its cells (ARIA grid pattern)

import { t } from '@lingui/core/macro';
import type { Icon } from '@tabler/icons-react';
import { type MouseEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import shapes from '../../shapes.module.css';
import classes from './list-row.module.css';
import type { RowPlace } from './row-grid.tsx';
import type { Selection } from './selection.ts';

/** The parts of a selection that a row changes. */
interface RowTriage {
  selection: Pick<Selection, 'isSelecting' | 'selectedIds'>;
  activate: (id: string) => void;
  toggle: (id: string) => void;
  selectRangeTo: (id: string) => void;
}

/**
 * Shift selects a range, Ctrl one more row. While selecting, so does a tap, or any click if the user asked for it.
 * Other clicks open the row.
 */
export const toRowClick =
  (list: Omit<RowTriage, 'activate'>, open: (id: string) => void) =>
  (event: MouseEvent, id: string): void => {
    const { isSelecting, selectedIds } = list.selection;
    const isTap = (event.nativeEvent as globalThis.PointerEvent).pointerType === 'touch';
    if (event.shiftKey) list.selectRangeTo(id);
    else if (event.metaKey || event.ctrlKey || isSelecting || (isTap && selectedIds.size > 0))
      list.toggle(id);
    else open(id);
  };

/** Actions for swiping a row; `name` shows behind it. */
interface SwipeActions {
  right: { name: string; run: () => void };
  left: { name: string; run: () => void };
}

/** A finger that moves further swipes; less is a tap or a scroll. Unit: pixels. */
const STARTS_AT = 12;
/** Releasing beyond this acts. Unit: pixels. */
const ACTS_AT = 96;

/**
 * Handlers for a row that fingers can swipe. The row needs `touch-action: pan-y`, which leaves sideways movements to
 * it. `data-swipe` is the side reached, `data-swipe-name` the action there.
 */
const useSwipe = (actions: SwipeActions | undefined) => {
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

/** For the skeleton of a row. */
export const listRowClasses = { row: classes.row, mark: classes.mark };

/** Selects the row; with Shift, the range to it. */
const Tick = (props: { name: string; isSelected: boolean; onToggle: (isRange: boolean) => void }) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the checkbox inside takes the keys
  <label className={classes.tick} onClick={(event) => event.stopPropagation()}>
    <input
      type="checkbox"
      tabIndex={-1}
      checked={props.isSelected}
      readOnly
      onClick={(event) => props.onToggle(event.shiftKey)}
      aria-label={t`Select ${props.name}`}
    />
  </label>
);

/** An action of a row, shown under the pointer; the label names its key. */
export const RowAction = (props: {
  label: string;
  icon: Icon;
  isDisabled?: boolean;
  onClick: () => void;
}) => (
  <button
    type="button"
    className={`${shapes.iconButton} ${classes.action}`}
    tabIndex={-1}
    aria-label={props.label}
    title={props.label}
    aria-disabled={props.isDisabled}
    onClick={(event) => {
      event.stopPropagation();
      if (!props.isDisabled) props.onClick();
    }}
  >
    <props.icon size={17} />
  </button>
);

/**
 * One row of a `RowGrid`. It takes the focus for its cells.
 *
 * @param props.row - its id, a name for the checkbox, the picture that the checkbox replaces
 * @param props.className - the columns of the row
 * @param props.actions - rendered under the pointer
 */
export const ListRow = (props: {
  row: { id: string; name: string; picture: ReactNode; isUnread?: boolean };
  place: RowPlace;
  triage: RowTriage;
  className: string | undefined;
  actions: ReactNode;
  swipe?: SwipeActions;
  onOpen: (id: string) => void;
  children: ReactNode;
}) => {
  const { place, triage } = props;
  const { id, name, picture, isUnread } = props.row;
  // A screen of rows has a hundred buttons, and most are never needed.
  const [isPointedAt, setIsPointedAt] = useState(false);
  const swipe = useSwipe(props.swipe);
  const onClick = toRowClick(triage, props.onOpen);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the grid are handled for the whole screen
    <div
      role="row"
      aria-rowindex={place.rowIndex}
      aria-selected={place.isSelected}
      tabIndex={place.isTabStop ? 0 : -1}
      data-row-id={id}
      data-active={place.isActive || undefined}
      data-selected={place.isSelected || undefined}
      data-unread={isUnread || undefined}
      className={`${classes.row} ${props.className}`}
      style={{ position: 'absolute', top: 0, insetInline: 0, transform: `translateY(${place.top}px)` }}
      onPointerEnter={() => setIsPointedAt(true)}
      {...swipe}
      // The focus would move the start of the range, and the browser would select text.
      onMouseDown={(event) => {
        if (event.shiftKey) event.preventDefault();
      }}
      onClick={(event) => onClick(event, id)}
      onFocus={() => {
        if (!place.isActive) triage.activate(id);
      }}
    >
      <span role="gridcell" className={classes.mark}>
        {picture}
        <Tick
          name={name}
          isSelected={place.isSelected}
          onToggle={(isRange) => (isRange ? triage.selectRangeTo(id) : triage.toggle(id))}
        />
      </span>
      {props.children}
      <span role="gridcell" className={classes.actions}>
        {isPointedAt && props.actions}
      </span>
    </div>
  );
};
