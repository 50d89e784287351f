import type { Email, InboxAction } from '@mailsweep/contracts';
import { useCallback, useMemo, useState } from 'react';
import {
  afterRemoval,
  clearSelection,
  EMPTY_SELECTION,
  extendBy,
  moveActive,
  selectRangeTo,
  selectSender,
  toggle,
  toggleAll,
  toTargets,
} from './selection.ts';
import { useInboxActions } from './use-inbox-actions.ts';

/** From this many emails on, deleting asks first. */
const DELETE_CONFIRMATION_FROM = 10;

/** Selection and actions of the list on screen. */
export const useTriage = (emails: readonly Email[]) => {
  const [selection, setSelection] = useState(EMPTY_SELECTION);
  const [toConfirm, setToConfirm] = useState<Email[]>([]);
  const perform = useInboxActions();

  const act = useCallback(
    (action: InboxAction, targets: readonly Email[]) => {
      const ids = targets.map((email) => email.id);
      if (ids.length === 0) return;
      const removed = new Set(action === 'mark_unread' ? [] : ids);
      setSelection((current) => afterRemoval(current, emails, removed));
      perform(action, ids);
    },
    [emails, perform],
  );

  const request = useCallback(
    (action: InboxAction, targets: readonly Email[]) => {
      if (action === 'delete' && targets.length >= DELETE_CONFIRMATION_FROM) setToConfirm([...targets]);
      else act(action, targets);
    },
    [act],
  );

  const selectedEmails = useMemo(
    () => emails.filter((email) => selection.selectedIds.has(email.id)),
    [emails, selection.selectedIds],
  );

  return {
    selection,
    selectedEmails,
    toConfirm,
    requestForTargets: (action: InboxAction) => request(action, toTargets(selection, emails)),
    requestForSelected: (action: InboxAction) => request(action, selectedEmails),
    request,
    confirmDelete: () => {
      act('delete', toConfirm);
      setToConfirm([]);
    },
    cancelDelete: () => setToConfirm([]),
    move: (by: number) => setSelection((current) => moveActive(current, emails, by)),
    extend: (by: number) => setSelection((current) => extendBy(current, emails, by)),
    toggle: (id: string) => setSelection((current) => toggle(current, id)),
    toggleActive: () =>
      setSelection((current) => (current.activeId ? toggle(current, current.activeId) : current)),
    selectRangeTo: (id: string) => setSelection((current) => selectRangeTo(current, emails, id)),
    toggleAll: () => setSelection((current) => toggleAll(current, emails)),
    selectSender: () => setSelection((current) => selectSender(current, emails)),
    clear: () => setSelection(clearSelection),
    activate: (id: string) => setSelection((current) => ({ ...current, activeId: id, anchorId: id })),
  };
};

export type Triage = ReturnType<typeof useTriage>;
