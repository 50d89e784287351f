import type { Email, InboxAction } from '@mailsweep/contracts';
import { useCallback, useState } from 'react';
import { afterRemoval, selectSender } from '../../controls/list/selection.ts';
import { useSelection } from '../../controls/list/use-selection.ts';
import { isReadChange, toReadChange } from '../../email/email-actions.ts';
import { useInboxActions } from './use-inbox-actions.ts';

/** From this many emails on, deleting asks first. */
const DELETE_CONFIRMATION_FROM = 10;

/** Selection and actions of the list on screen. */
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
    /** Marks read or unread, whichever the emails that a key is about are not. */
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
