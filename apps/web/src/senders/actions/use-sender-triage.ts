import { t } from '@lingui/core/macro';
import type { Cleanup, CleanupPlan, InboxAction, Sender } from '@mailsweep/contracts';
import { useContext } from 'react';
import { usePlannedCleanup } from '../../cleanup/use-planned-cleanup.ts';
import { afterRemoval, clearSelection, toggleAll, useSelection } from '../../controls/list/selection.ts';
import { toReadChange } from '../../email/email-actions.ts';
import { describeSender } from '../../email/sender/sender.ts';
import { SenderSheetContext } from '../../email/sender/sender-button.tsx';
import { showToast } from '../../feedback/toasts.tsx';
import { useOfferRule } from '../../rules/offer/rule-offer.ts';
import { type UnsubscribableSender, useUnsubscribe } from '../../unsubscribe/use-unsubscribe.ts';

/** Actions on all email of a sender: in the inbox, or as suggested. */
export type SenderWork = InboxAction | 'accept';

/** Whether a plan leaves no email of its senders. */
const isEmptying = ({ action, isComplete, excluded, selection }: CleanupPlan): boolean =>
  action === 'delete' && isComplete && Object.keys(excluded).length === 0 && selection.except.length === 0;

/** Reports that all of these are protected, if so. */
const leavesAlone = (senders: readonly Sender[]): boolean => {
  if (!senders.every((sender) => sender.protected)) return false;
  showToast({
    title: t`Nothing was changed: protected`,
    detail: t`Nothing is done to all email of a protected sender.`,
    tone: 'failed',
  });
  return true;
};

export const useSenderTriage = (senders: readonly Sender[]) => {
  const { selection, change, selected: selectedSenders, targets, controls } = useSelection(senders);
  const cleanup = usePlannedCleanup();
  const unsubscribing = useUnsubscribe();
  const { offer, withdraw } = useOfferRule();
  const openSheet = useContext(SenderSheetContext);

  /** Removes senders that have no email left. */
  const leave = (ids: readonly string[], plan: CleanupPlan | undefined) => {
    const isLeft = !plan || !isEmptying(plan);
    change(isLeft ? clearSelection : afterRemoval(selection, senders, new Set(ids)));
  };

  /** A rule may repeat what was done to a single sender. */
  const offerRule = (asked: readonly Sender[]) => {
    const [sender] = asked;
    if (sender === undefined || asked.length > 1) return {};
    const { title } = describeSender(sender);
    const group = { by: 'sender' as const, key: sender.id, title, protected: sender.protected };
    return {
      onStart: () => (done?: Cleanup) => {
        if (done) void offer(group, done);
      },
      onUndo: withdraw,
    };
  };

  const request = (work: SenderWork, asked: readonly Sender[], asksFirst = true) => {
    if (asked.length > 0 && leavesAlone(asked)) return;
    const open = asked.filter((sender) => !sender.protected);
    const ids = open.map(({ id }) => id);
    cleanup.start({
      request: { action: work, selection: { type: 'senders', senders: ids, except: [] } },
      count: open.reduce((sum, { mails }) => sum + mails, 0),
      asksFirst,
      onDecided: (plan) => leave(ids, plan),
      ...offerRule(open),
    });
  };

  const askToUnsubscribe = (targets: readonly UnsubscribableSender[]) =>
    unsubscribing.ask({ senders: targets, archives: 0 });

  /** One question for both; the cleanup only asks again if it exceeds what was shown. */
  const askToUnsubscribeAndArchive = (targets: readonly Sender[]) =>
    unsubscribing.ask({
      senders: targets,
      archives: targets.reduce((sum, { inInbox }) => sum + inInbox, 0),
      onYes: () => request('archive', targets, false),
    });

  return {
    selection,
    selectedSenders,
    cleanup,
    unsubscribing,
    askToUnsubscribe,
    askToUnsubscribeAndArchive,
    request,
    /** Whichever changes something for the targets. */
    readChange: toReadChange(targets.map(({ unread }) => ({ isRead: unread === 0 }))),
    requestForTargets: (work: SenderWork) => request(work, targets),
    ...controls,
    /** Ticks all of these, listed before or not. */
    selectAll: (all: readonly Sender[]) => change((current) => toggleAll(current, all)),
    openSender: (id: string) => {
      controls.activate(id);
      const sender = senders.find((one) => one.id === id);
      if (sender) openSheet({ senderId: id, from: sender.from, group: sender.group });
    },
  };
};

export type SenderTriage = ReturnType<typeof useSenderTriage>;
