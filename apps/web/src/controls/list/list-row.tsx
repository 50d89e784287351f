// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight exist, placed one by one; a table cannot be that
// biome-ignore-all lint/a11y/useFocusableInteractive: the row takes the focus for its cells (ARIA grid pattern)

import { t } from '@lingui/core/macro';
import type { Icon } from '@tabler/icons-react';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { SenderAvatar } from '../../email/sender/sender-avatar.tsx';
import shapes from '../../shapes.module.css';
import classes from './list-row.module.css';
import { type SwipeActions, useSwipe } from './use-swipe.ts';

/** A row that is still loading has grey shapes in these places. */
export const listRowClasses = { row: classes.row, mark: classes.mark };

/** The checkbox of a row that takes keys and clicks of its own; with Shift it means the range to this row. */
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

/** An action of a row, shown under the pointer; its label names the key that does the same. */
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
 * One row of a list that is worked through by keys and pointer. The row takes the focus; what it holds is reached by
 * keys and by pointer.
 *
 * @param props.rowIndex - place in the grid, counted from 1, a row of column names included
 * @param props.top - place in the list, in pixels
 * @param props.name - what the checkbox selects
 * @param props.from - whose picture is shown in place of the checkbox
 * @param props.className - the columns of the row
 * @param props.swipe - what fingers can do with the row
 */
export const ListRow = (props: {
  id: string;
  rowIndex: number;
  top: number;
  name: string;
  from: string;
  isActive: boolean;
  isTabStop: boolean;
  isSelected: boolean;
  isUnread?: boolean;
  className: string | undefined;
  actions: ReactNode;
  swipe?: SwipeActions;
  children: ReactNode;
  onClick: (event: MouseEvent, id: string) => void;
  triage: Record<'activate' | 'toggle' | 'selectRangeTo', (id: string) => void>;
}) => {
  const { id, isSelected, triage } = props;
  // Most rows never need their buttons, and a screen of rows has a hundred of them.
  const [isPointedAt, setIsPointedAt] = useState(false);
  const swipe = useSwipe(props.swipe);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the grid are handled for the whole screen
    <div
      role="row"
      aria-rowindex={props.rowIndex}
      aria-selected={isSelected}
      tabIndex={props.isTabStop ? 0 : -1}
      data-row-id={id}
      data-active={props.isActive || undefined}
      data-selected={isSelected || undefined}
      data-unread={props.isUnread || undefined}
      className={`${classes.row} ${props.className}`}
      style={{ position: 'absolute', top: 0, insetInline: 0, transform: `translateY(${props.top}px)` }}
      onPointerEnter={() => setIsPointedAt(true)}
      {...swipe}
      // The focus would move the start of the range, and the browser would select text.
      onMouseDown={(event) => {
        if (event.shiftKey) event.preventDefault();
      }}
      onClick={(event) => props.onClick(event, id)}
      onFocus={() => {
        if (!props.isActive) triage.activate(id);
      }}
    >
      <span role="gridcell" className={classes.mark}>
        <SenderAvatar from={props.from} />
        <Tick
          name={props.name}
          isSelected={isSelected}
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
