import { t } from '@lingui/core/macro';
import { useMemo, useState } from 'react';
import { inGroup, type Shortcut } from '../../keyboard/keyboard-context.tsx';

/** A row of a list: an email or a sender. */
export interface Row {
  id: string;
}

export interface Selection {
  activeId: string | null;
  /** Where a range starts. */
  anchorId: string | null;
  selectedIds: ReadonlySet<string>;
  /** Whether clicks select rows. */
  isSelecting?: boolean;
}

export const EMPTY_SELECTION: Selection = { activeId: null, anchorId: null, selectedIds: new Set() };

const indexOf = (rows: readonly Row[], id: string | null): number =>
  id === null ? -1 : rows.findIndex((row) => row.id === id);

const idsBetween = (rows: readonly Row[], from: number, to: number): string[] =>
  rows.slice(Math.min(from, to), Math.max(from, to) + 1).map((row) => row.id);

/** Moves the active row; stops at both ends. */
export const moveActive = (selection: Selection, rows: readonly Row[], by: number): Selection => {
  const index = indexOf(rows, selection.activeId);
  const target = index < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, index + by));
  return { ...selection, activeId: rows[target]?.id ?? null };
};

/** Moves the active row and ticks the range from the anchor. */
export const extendBy = (selection: Selection, rows: readonly Row[], by: number): Selection => {
  const anchorId = selection.anchorId ?? selection.activeId;
  const moved = moveActive(selection, rows, by);
  const from = indexOf(rows, anchorId);
  const to = indexOf(rows, moved.activeId);
  if (from < 0 || to < 0) return moved;
  return {
    ...moved,
    anchorId,
    selectedIds: new Set([...selection.selectedIds, ...idsBetween(rows, from, to)]),
  };
};

/** Ticks or unticks a row, and anchors a later range there. */
export const toggle = (selection: Selection, id: string): Selection => {
  const selectedIds = new Set(selection.selectedIds);
  if (!selectedIds.delete(id)) selectedIds.add(id);
  return { ...selection, activeId: id, anchorId: id, selectedIds };
};

/** Lets clicks select rows until the selection is cleared. */
const beginSelecting = (selection: Selection): Selection => ({ ...selection, isSelecting: true });

/** Ticks the range from the anchor to a row. */
export const selectRangeTo = (selection: Selection, rows: readonly Row[], id: string): Selection => {
  const from = indexOf(rows, selection.anchorId ?? selection.activeId);
  const to = indexOf(rows, id);
  if (from < 0 || to < 0) return toggle(selection, id);
  return {
    ...selection,
    activeId: id,
    selectedIds: new Set([...selection.selectedIds, ...idsBetween(rows, from, to)]),
  };
};

/** Ticks all loaded rows, or none if all were ticked. */
export const toggleAll = (selection: Selection, rows: readonly Row[]): Selection => {
  const isAll = rows.length > 0 && rows.every((row) => selection.selectedIds.has(row.id));
  return { ...selection, anchorId: null, selectedIds: new Set(isAll ? [] : rows.map((row) => row.id)) };
};

export const clearSelection = (selection: Selection): Selection => ({
  ...selection,
  anchorId: null,
  selectedIds: new Set(),
  isSelecting: false,
});

/** The rows to act on: the ticked ones in the list, or the active one. */
export const toTargets = <R extends Row>(selection: Selection, rows: readonly R[]): R[] => {
  const selected = rows.filter((row) => selection.selectedIds.has(row.id));
  return selected.length > 0 ? selected : rows.filter((row) => row.id === selection.activeId);
};

/** Moves on when rows leave: to the next row that stays, or the one before. */
export const afterRemoval = (
  selection: Selection,
  rows: readonly Row[],
  removed: ReadonlySet<string>,
): Selection => {
  const index = indexOf(rows, selection.activeId);
  const stays = (row: Row) => !removed.has(row.id);
  const next =
    rows.slice(Math.max(0, index)).find(stays) ?? rows.slice(0, Math.max(0, index)).findLast(stays);
  return { activeId: next?.id ?? null, anchorId: null, selectedIds: new Set() };
};

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

const ROWS_PER_SCREEN = 10;

/** Keys of every list, in the order of the help. */
export const listShortcuts = (list: {
  move: (by: number) => void;
  extend: (by: 1 | -1) => void;
  toggleActive: () => void;
  toggleAll: () => void;
}): { paging: Shortcut[]; selecting: Shortcut[] } => {
  const steps = { PageDown: ROWS_PER_SCREEN, PageUp: -ROWS_PER_SCREEN, Home: -Infinity, End: Infinity };
  return {
    paging: Object.entries(steps).map(([key, by]) => ({
      keys: [key],
      label: key,
      group: 'Move',
      run: () => list.move(by),
      hidden: true,
    })),
    selecting: inGroup('Select', [
      [['x', 'Space'], t`Select`, list.toggleActive],
      [['shift+j', 'shift+ArrowDown'], t`Extend down`, () => list.extend(1)],
      [['shift+k', 'shift+ArrowUp'], t`Extend up`, () => list.extend(-1)],
      [['a', 'mod+a'], t`Select all loaded`, list.toggleAll],
    ]),
  };
};
