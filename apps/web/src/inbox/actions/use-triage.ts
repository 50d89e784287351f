import type { Email, InboxAction } from '@mailsweep/contracts';
import { useCallback, useState } from 'react';
import { afterRemoval, type Selection, useSelection } from '../../controls/list/selection.ts';
import { isReadChange, toReadChange } from '../../email/email-actions.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { useInboxActions } from './use-inbox-actions.ts';

/** Deleting this many asks first. */
const DELETE_CONFIRMATION_FROM = 10;

/** Also ticks every loaded email of the active email's sender. */
export const selectSender = (selection: Selection, emails: readonly Email[]): Selection => {
  const active = emails.find((email) => email.id === selection.activeId);
  if (!active || active.isSenderUnclear) return selection;
  const { key } = parseSender(active.from);
  const ids = emails
    .filter((email) => !email.isSenderUnclear && parseSender(email.from).key === key)
    .map((email) => email.id);
  return { ...selection, selectedIds: new Set([...selection.selectedIds, ...ids]) };
};

export const useTriage = (emails: readonly Email[]) => {
  const { selection, change, selected: selectedEmails, targets, controls } = useSelection(emails);
  const [toConfirm, setToConfirm] = useState<Email[]>([]);
  const perform = useInboxActions();

  const act = useCallback(
    (action: InboxAction, targets: readonly Email[]) => {
      const ids = targets.map((email) => email.id);
      if (ids.length === 0) return;
      const removed = new Set(isReadChange(action) ? [] : ids);
      change((current) => afterRemoval(current, emails, removed));
      perform(action, ids);
    },
    [emails, perform, change],
  );

  const request = useCallback(
    (action: InboxAction, targets: readonly Email[]) => {
      if (action === 'delete' && targets.length >= DELETE_CONFIRMATION_FROM) setToConfirm([...targets]);
      else act(action, targets);
    },
    [act],
  );

  return {
    selection,
    selectedEmails,
    toConfirm,
    requestForTargets: (action: InboxAction) => request(action, targets),
    requestForSelected: (action: InboxAction) => request(action, selectedEmails),
    /** Whichever changes something for the targets. */
    readChange: toReadChange(targets),
    request,
    confirmDelete: () => {
      act('delete', toConfirm);
      setToConfirm([]);
    },
    cancelDelete: () => setToConfirm([]),
    selectSender: () => change((current) => selectSender(current, emails)),
    ...controls,
  };
};

export type Triage = ReturnType<typeof useTriage>;
