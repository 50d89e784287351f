import type { Email } from '@mailsweep/contracts';
import { parseSender } from '../../email/sender/sender.ts';

/** What a list shows as a row: an email, or a sender. */
export interface Row {
  id: string;
}

/** Which row the keyboard is on, and which rows are ticked. */
export interface Selection {
  activeId: string | null;
  /** Where a range starts. */
  anchorId: string | null;
  selectedIds: ReadonlySet<string>;
  /** Whether a click on a row selects it, as the user has asked for. */
  isSelecting?: boolean;
}

export const EMPTY_SELECTION: Selection = { activeId: null, anchorId: null, selectedIds: new Set() };

const indexOf = (rows: readonly Row[], id: string | null): number =>
  id === null ? -1 : rows.findIndex((row) => row.id === id);

const idsBetween = (rows: readonly Row[], from: number, to: number): string[] =>
  rows.slice(Math.min(from, to), Math.max(from, to) + 1).map((row) => row.id);

/** Moves the active row by some rows; stops at both ends. */
export const moveActive = (selection: Selection, rows: readonly Row[], by: number): Selection => {
  const index = indexOf(rows, selection.activeId);
  const target = index < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, index + by));
  return { ...selection, activeId: rows[target]?.id ?? null };
};

/** Moves the active row and ticks everything from where the range began. */
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

/** Ticks or unticks one row; a later range starts here. */
export const toggle = (selection: Selection, id: string): Selection => {
  const selectedIds = new Set(selection.selectedIds);
  if (!selectedIds.delete(id)) selectedIds.add(id);
  return { ...selection, activeId: id, anchorId: id, selectedIds };
};

/** From now on a click on a row selects it, until the selection is cleared. */
export const beginSelecting = (selection: Selection): Selection => ({ ...selection, isSelecting: true });

/** Ticks everything between the start of the range and a row. */
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

/** Ticks every row that is loaded, or none when all were ticked. */
export const toggleAll = (selection: Selection, rows: readonly Row[]): Selection => {
  const isAll = rows.length > 0 && rows.every((row) => selection.selectedIds.has(row.id));
  return { ...selection, anchorId: null, selectedIds: new Set(isAll ? [] : rows.map((row) => row.id)) };
};

/** Ticks every loaded email of the active email's sender as well. */
export const selectSender = (selection: Selection, emails: readonly Email[]): Selection => {
  const active = emails.find((email) => email.id === selection.activeId);
  if (!active) return selection;
  const { key } = parseSender(active.from);
  const ids = emails.filter((email) => parseSender(email.from).key === key).map((email) => email.id);
  return { ...selection, selectedIds: new Set([...selection.selectedIds, ...ids]) };
};

export const clearSelection = (selection: Selection): Selection => ({
  ...selection,
  anchorId: null,
  selectedIds: new Set(),
  isSelecting: false,
});

/** The rows that an action is about: the ticked ones that are on the list, else the active one. */
export const toTargets = <R extends Row>(selection: Selection, rows: readonly R[]): R[] => {
  const selected = rows.filter((row) => selection.selectedIds.has(row.id));
  return selected.length > 0 ? selected : rows.filter((row) => row.id === selection.activeId);
};

/** Where the keyboard goes when some rows leave the list: to the next one that stays, else to the one before. */
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
