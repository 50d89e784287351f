import type { Cleanup, CleanupPlan, ConfirmAction, Sender } from '@mailsweep/contracts';
import { useMemo, useState } from 'react';
import { usePlannedCleanup } from '../../cleanup/use-planned-cleanup.ts';
import { parseSender } from '../../email/sender/sender.ts';
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
} from '../../inbox/actions/selection.ts';
import { useOfferRule } from '../../rules/offer/rule-offer.ts';
import { useConfirm } from '../../suggestions/confirming/use-confirm.ts';
import { type UnsubscribableSender, useUnsubscribe } from '../../unsubscribe/use-unsubscribe.ts';
import { countTrashed, type SenderWork, toAffected, toCleanupRequest } from './sender-work.ts';
import type { OpenSender } from './use-open-sender.ts';

/** Whether no email is left of the senders of a plan once it has run. */
const isEmptying = ({ action, isComplete, excluded, selection }: CleanupPlan): boolean =>
  action === 'delete' && isComplete && Object.keys(excluded).length === 0 && selection.except.length === 0;

/** Selection in the list of senders, and what is done to all of their email. */
export const useSenderTriage = (input: {
  senders: readonly Sender[];
  open: OpenSender;
  setOpenId: (id: string | undefined) => void;
}) => {
  const { senders, open, setOpenId } = input;
  const [selection, setSelection] = useState(EMPTY_SELECTION);
  const cleanup = usePlannedCleanup();
  const confirm = useConfirm();
  const unsubscribing = useUnsubscribe();
  const { offer, withdraw } = useOfferRule();
  const selectedSenders = useMemo(
    () => senders.filter((sender) => selection.selectedIds.has(sender.id)),
    [senders, selection.selectedIds],
  );

  /** The keyboard takes the open sender along. */
  const goTo = (next: typeof selection) => {
    setSelection(next);
    if (open.id !== undefined && next.activeId !== null) setOpenId(next.activeId);
  };

  /** Senders that have no email left then make way for the next one. */
  const leave = (ids: readonly string[], plan: CleanupPlan | undefined) => {
    if (!plan || !isEmptying(plan)) {
      setSelection(clearSelection);
      return;
    }
    const emptied = new Set(ids);
    const next = afterRemoval(selection, senders, emptied);
    setSelection(next);
    if (open.id !== undefined && emptied.has(open.id)) setOpenId(next.activeId ?? undefined);
  };

  /** What was done to all email of one sender may go on by a rule. */
  const offerRule = (targets: readonly Sender[]) => {
    const [sender] = targets;
    if (sender === undefined || targets.length > 1) return {};
    const { name: title } = parseSender(sender.from);
    const group = { by: 'sender' as const, key: sender.id, title, protected: sender.protected };
    return {
      onStart: () => (done?: Cleanup) => {
        if (done) void offer(group, done);
      },
      onUndo: withdraw,
    };
  };

  /** The numbers beside the list are the preview; only what goes to the trash is asked about once more. */
  const requestForChosen = (work: SenderWork) => {
    const { id, chosen, leftOut } = open;
    if (id === undefined) return;
    const concerned = toAffected(work, chosen);
    cleanup.start({
      request: toCleanupRequest(work, [id], leftOut),
      count: concerned.length,
      asksFirst: countTrashed(work, concerned) > 0,
      onDecided: (plan) => leave([id], plan),
      ...(leftOut.size === 0 && offerRule(senders.filter((sender) => sender.id === id))),
    });
  };

  const request = (work: SenderWork, targets: readonly Sender[], asksFirst = true) => {
    const ids = targets.map(({ id }) => id);
    cleanup.start({
      request: toCleanupRequest(work, ids),
      count: targets.reduce((sum, { mails }) => sum + mails, 0),
      asksFirst,
      onDecided: (plan) => leave(ids, plan),
      ...offerRule(targets),
    });
  };

  const askToUnsubscribe = (targets: readonly UnsubscribableSender[]) =>
    unsubscribing.ask({ senders: targets, archives: 0 });

  /** One question for both; the cleanup asks again only where it would take more than was shown. */
  const askToUnsubscribeAndArchive = (targets: readonly Sender[]) =>
    unsubscribing.ask({
      senders: targets,
      archives: targets.reduce((sum, { inInbox }) => sum + inInbox, 0),
      onYes: () => request('archive', targets, false),
    });

  const activate = (id: string) => setSelection((current) => ({ ...current, activeId: id, anchorId: id }));

  return {
    selection,
    selectedSenders,
    question: cleanup.question,
    runPlan: cleanup.runPlan,
    cancelQuestion: cleanup.cancel,
    unsubscribing,
    askToUnsubscribe,
    askToUnsubscribeAndArchive,
    request,
    requestForChosen,
    requestForTargets: (work: SenderWork) => {
      if (selectedSenders.length === 0 && open.id !== undefined) requestForChosen(work);
      else request(work, toTargets(selection, senders));
    },
    confirmChosen: (action: ConfirmAction) => {
      if (action === 'accept') requestForChosen('accept');
      else {
        const ids = toAffected('accept', open.chosen).map((email) => email.id);
        if (ids.length > 0) confirm('reject', { emailIds: ids });
      }
    },
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
