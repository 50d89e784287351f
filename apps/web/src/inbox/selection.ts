import type { Email } from '@mailsweep/contracts';
import { parseSender } from '../mail/sender.ts';

/** Which row the keyboard is on, and which mails are ticked. */
export interface Selection {
  activeId: string | null;
  /** Where a range starts. */
  anchorId: string | null;
  selectedIds: ReadonlySet<string>;
}

export const EMPTY_SELECTION: Selection = { activeId: null, anchorId: null, selectedIds: new Set() };

const indexOf = (emails: readonly Email[], id: string | null): number =>
  id === null ? -1 : emails.findIndex((email) => email.id === id);

const idsBetween = (emails: readonly Email[], from: number, to: number): string[] =>
  emails.slice(Math.min(from, to), Math.max(from, to) + 1).map((email) => email.id);

/** Moves the active row by some rows; stops at both ends. */
export const moveActive = (selection: Selection, emails: readonly Email[], by: number): Selection => {
  const index = indexOf(emails, selection.activeId);
  const target = index < 0 ? 0 : Math.min(emails.length - 1, Math.max(0, index + by));
  return { ...selection, activeId: emails[target]?.id ?? null };
};

/** Moves the active row and ticks everything from where the range began. */
export const extendBy = (selection: Selection, emails: readonly Email[], by: number): Selection => {
  const anchorId = selection.anchorId ?? selection.activeId;
  const moved = moveActive(selection, emails, by);
  const from = indexOf(emails, anchorId);
  const to = indexOf(emails, moved.activeId);
  if (from < 0 || to < 0) return moved;
  return {
    ...moved,
    anchorId,
    selectedIds: new Set([...selection.selectedIds, ...idsBetween(emails, from, to)]),
  };
};

/** Ticks or unticks one mail; a later range starts here. */
export const toggle = (selection: Selection, id: string): Selection => {
  const selectedIds = new Set(selection.selectedIds);
  if (!selectedIds.delete(id)) selectedIds.add(id);
  return { activeId: id, anchorId: id, selectedIds };
};

/** Ticks everything between the start of the range and a mail. */
export const selectRangeTo = (selection: Selection, emails: readonly Email[], id: string): Selection => {
  const from = indexOf(emails, selection.anchorId ?? selection.activeId);
  const to = indexOf(emails, id);
  if (from < 0 || to < 0) return toggle(selection, id);
  return {
    ...selection,
    activeId: id,
    selectedIds: new Set([...selection.selectedIds, ...idsBetween(emails, from, to)]),
  };
};

/** Ticks every mail that is loaded, or none when all were ticked. */
export const toggleAll = (selection: Selection, emails: readonly Email[]): Selection => {
  const isAll = emails.length > 0 && emails.every((email) => selection.selectedIds.has(email.id));
  return { ...selection, anchorId: null, selectedIds: new Set(isAll ? [] : emails.map((email) => email.id)) };
};

/** Ticks every loaded mail of the active mail's sender as well. */
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
});

/** The mails that an action is about: the ticked ones that are on the list, else the active one. */
export const toTargets = (selection: Selection, emails: readonly Email[]): Email[] => {
  const selected = emails.filter((email) => selection.selectedIds.has(email.id));
  return selected.length > 0 ? selected : emails.filter((email) => email.id === selection.activeId);
};

/** Where the keyboard goes when some mails leave the list: to the next one that stays, else to the one before. */
export const afterRemoval = (
  selection: Selection,
  emails: readonly Email[],
  removed: ReadonlySet<string>,
): Selection => {
  const index = indexOf(emails, selection.activeId);
  const stays = (email: Email) => !removed.has(email.id);
  const next =
    emails.slice(Math.max(0, index)).find(stays) ?? emails.slice(0, Math.max(0, index)).findLast(stays);
  return { activeId: next?.id ?? null, anchorId: null, selectedIds: new Set() };
};
