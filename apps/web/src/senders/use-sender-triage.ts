import type { ConfirmAction, KeptEmail, Sender } from '@mailsweep/contracts';
import { useMemo, useState } from 'react';
import {
  afterRemoval,
  clearSelection,
  EMPTY_SELECTION,
  extendBy,
  moveActive,
  selectRangeTo,
  toggle,
  toggleAll,
  toTargets,
} from '../inbox/selection.ts';
import { useInboxActions } from '../inbox/use-inbox-actions.ts';
import { useConfirm } from '../suggestions/use-confirm.ts';
import { type SenderWork, toConcerned, toSuggestedPlan } from './sender-work.ts';
import type { OpenSender } from './use-open-sender.ts';

/** Work that waits for a yes. */
export interface PendingWork {
  work: SenderWork;
  senders: readonly Sender[];
  /** The emails where they are chosen already; all of the senders' emails otherwise. */
  emails?: readonly KeptEmail[];
}

/** From so many emails for the trash on, accepting asks first. */
const TRASH_CONFIRMATION_FROM = 10;

const countTrashed = (emails: readonly KeptEmail[]): number =>
  toSuggestedPlan(emails).counts.find(({ action }) => action === 'delete')?.count ?? 0;

/** Selection in the list of senders, and what is done to all of their email. */
export const useSenderTriage = (input: {
  senders: readonly Sender[];
  open: OpenSender;
  setOpenId: (id: string | undefined) => void;
}) => {
  const { senders, open, setOpenId } = input;
  const [selection, setSelection] = useState(EMPTY_SELECTION);
  const [pending, setPending] = useState<PendingWork | null>(null);
  const performInboxAction = useInboxActions();
  const confirm = useConfirm();
  const selectedSenders = useMemo(
    () => senders.filter((sender) => selection.selectedIds.has(sender.id)),
    [senders, selection.selectedIds],
  );

  /** The keyboard takes the open sender along. */
  const goTo = (next: typeof selection) => {
    setSelection(next);
    if (open.id !== undefined && next.activeId !== null) setOpenId(next.activeId);
  };

  /** Does the work to exactly these emails. @param emptied - senders that have no email left then */
  const carryOut = (work: SenderWork, emails: readonly KeptEmail[], emptied: ReadonlySet<string>) => {
    const ids = toConcerned(work, emails).map((email) => email.id);
    if (ids.length === 0) return;
    if (emptied.size > 0) {
      const next = afterRemoval(selection, senders, emptied);
      setSelection(next);
      if (open.id !== undefined && emptied.has(open.id)) setOpenId(next.activeId ?? undefined);
    } else setSelection(clearSelection);
    if (work === 'accept') confirm('accept', ids);
    else performInboxAction(work, ids);
  };

  /** The numbers beside the list are the preview; only what goes to the trash is asked about once more. */
  const requestForChosen = (work: SenderWork) => {
    const emails = toConcerned(work, open.chosen);
    if (emails.length === 0) return;
    if (work === 'delete' || (work === 'accept' && countTrashed(emails) >= TRASH_CONFIRMATION_FROM)) {
      setPending({ work, senders: senders.filter(({ id }) => id === open.id), emails: open.chosen });
    } else carryOut(work, emails, new Set());
  };

  const request = (work: SenderWork, targets: readonly Sender[]) => {
    if (targets.length > 0) setPending({ work, senders: targets });
  };

  const activate = (id: string) => setSelection((current) => ({ ...current, activeId: id, anchorId: id }));

  return {
    selection,
    selectedSenders,
    pending,
    request,
    requestForChosen,
    requestForTargets: (work: SenderWork) => {
      if (selectedSenders.length === 0 && open.id !== undefined) requestForChosen(work);
      else request(work, toTargets(selection, senders));
    },
    confirmChosen: (action: ConfirmAction) => {
      if (action === 'accept') requestForChosen('accept');
      else {
        const ids = toConcerned('accept', open.chosen).map((email) => email.id);
        if (ids.length > 0) confirm('reject', ids);
      }
    },
    /** @param emails - the emails that the preview showed */
    confirmPending: (emails: readonly KeptEmail[]) => {
      if (!pending) return;
      const isAll = pending.emails === undefined || pending.emails.length === open.emails.length;
      const emptied = pending.work === 'delete' && isAll ? pending.senders.map(({ id }) => id) : [];
      carryOut(pending.work, emails, new Set(emptied));
      setPending(null);
    },
    cancelPending: () => setPending(null),
    move: (by: number) => goTo(moveActive(selection, senders, by)),
    extend: (by: number) => goTo(extendBy(selection, senders, by)),
    toggle: (id: string) => setSelection((current) => toggle(current, id)),
    toggleActive: () =>
      setSelection((current) => (current.activeId ? toggle(current, current.activeId) : current)),
    selectRangeTo: (id: string) => setSelection((current) => selectRangeTo(current, senders, id)),
    toggleAll: () => setSelection((current) => toggleAll(current, senders)),
    clear: () => setSelection(clearSelection),
    activate,
    openSender: (id: string) => {
      activate(id);
      setOpenId(id);
    },
  };
};

export type SenderTriage = ReturnType<typeof useSenderTriage>;
