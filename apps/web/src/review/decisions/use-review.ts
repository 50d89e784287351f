import type { ConfirmAction } from '@mailsweep/contracts';
import { useState } from 'react';
import type { SuggestionView } from '../../queries/suggestions-query.ts';
import { useOfferRule } from '../../rules/offer/rule-offer.ts';
import { isReady, type OtherAction, toChange } from '../../suggestions/confirming/other-action.ts';
import { useConfirm } from '../../suggestions/confirming/use-confirm.ts';
import { isOnlyAdvice } from '../../suggestions/consequences.ts';
import { type SuggestedEmail, toAcceptance } from '../../suggestions/suggested-email.ts';
import { countWithout, hasEmail, type QueueGroup } from '../queue/queue-group.ts';
import type { Queue } from '../queue/use-queue.ts';
import { type Acceptance, useAccept } from './use-accept.ts';

/** Which group is being looked at, which emails are unticked, and the decisions on them. */
export const useReview = (input: {
  queue: Pick<Queue, 'groups' | 'emails' | 'actions'>;
  view: SuggestionView;
  /** Called when the user begins to work with the list, which has to keep its order from then on. */
  hold: () => void;
}) => {
  const { queue, view, hold } = input;
  const { groups } = queue;
  const confirm = useConfirm();
  const { offer, withdraw } = useOfferRule();
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const [unticked, setUnticked] = useState<ReadonlyMap<string, SuggestedEmail>>(new Map());

  const [chosenOther, setChosenOther] = useState<{ of: string; other: OtherAction }>();

  const foundIndex = groups.findIndex((group) => group.key === activeKey);
  const activeIndex = foundIndex < 0 && groups.length > 0 ? 0 : foundIndex;
  const active = groups[activeIndex];

  const untickedIn = (group: QueueGroup) =>
    [...unticked.values()].filter((email) => hasEmail(group, view, email));
  const activeUnticked = active ? untickedIn(active) : [];
  const chosenCount = active ? Math.max(0, active.emails - activeUnticked.length) : 0;
  const chosenActions = active ? countWithout(active.actions, activeUnticked) : {};
  const shownUnticked = [...unticked.values()].filter(
    ({ suggestion }) => toAcceptance(suggestion) >= view.minAcceptance,
  );
  const chosenOfAll = isOnlyAdvice(queue.actions) ? 0 : Math.max(0, queue.emails - shownUnticked.length);

  /** What the user chose for a group, by its key, or for an email, instead of what is suggested. */
  const otherOf = (id: string) => (chosenOther?.of === id ? chosenOther.other : undefined);
  const activeOther = active && otherOf(active.key);
  /** Whether there is something to carry out: advice alone has nothing, unless the user chose another action. */
  const canAccept = (id: string, actions: Readonly<Record<string, number>>) => {
    const other = otherOf(id);
    return isReady(other) && (other !== undefined || !isOnlyAdvice(actions));
  };
  const canAcceptOne = ({ id, suggestion }: SuggestedEmail) => canAccept(id, { [suggestion.action]: 1 });

  /** Keeps the groups in their places, and the active one active. */
  const holdActive = () => {
    hold();
    if (active && activeKey === null) setActiveKey(active.key);
  };
  /** Ticks these emails, or unticks them. */
  const tickAll = (emails: readonly SuggestedEmail[], isTicked: boolean) => {
    hold();
    setUnticked((current) => {
      const next = new Map(current);
      for (const email of emails) {
        if (isTicked) next.delete(email.id);
        else next.set(email.id, email);
      }
      return next;
    });
  };
  const activate = (key: string | null) => {
    hold();
    setActiveKey(key);
  };
  /** After a whole group is decided, the next one becomes active; after the last group, the one before. */
  const leave = (count: number) => {
    if (active && count >= active.emails)
      activate((groups[activeIndex + 1] ?? groups[activeIndex - 1])?.key ?? null);
  };
  const accepting = useAccept(({ group, count }: Acceptance) => {
    if (group) leave(count);
  });

  return {
    active,
    activeIndex,
    unticked,
    /** Emails of the active group that are ticked. */
    chosenCount,
    /** The same by suggested action. */
    chosenActions,
    otherOf,
    canAcceptOne,
    setOther: (id: string, other: OtherAction | undefined) => {
      holdActive();
      setChosenOther(other && { of: id, other });
    },
    /** Emails that are ticked in any group; none where all of it is advice. */
    chosenOfAll,
    question: accepting.question,
    runPlan: accepting.runPlan,
    cancelQuestion: accepting.cancel,
    activate,
    hold: holdActive,
    move: (by: number) => {
      const target = Math.min(groups.length - 1, Math.max(0, activeIndex + by));
      activate(groups[target]?.key ?? null);
    },
    tickAll,
    toggleEmail: (email: SuggestedEmail) => tickAll([email], unticked.has(email.id)),
    acceptGroup: () => {
      if (!active || !canAccept(active.key, chosenActions)) return;
      const group = active;
      const other = toChange(activeOther, chosenActions);
      const isWhole = activeUnticked.length === 0;
      accepting.accept({
        group,
        minAcceptance: view.minAcceptance,
        leftOut: activeUnticked,
        count: chosenCount,
        trashed: other ? (other.action === 'delete' ? chosenCount : 0) : (chosenActions.delete ?? 0),
        other,
        ...(isWhole && { onDone: (done) => void offer(group, done), onUndo: withdraw }),
      });
    },
    rejectGroup: () => {
      if (!active || chosenCount === 0) return;
      const group = active;
      const leftOut = activeUnticked;
      leave(chosenCount);
      const { by, key } = group;
      const except = leftOut.map(({ id }) => id);
      confirm('reject', {
        group: { by, key, minAcceptance: view.minAcceptance, except },
        count: chosenCount,
        leftOut,
      });
    },
    acceptAll: () => {
      if (chosenOfAll === 0) return;
      accepting.accept({
        group: null,
        minAcceptance: view.minAcceptance,
        leftOut: shownUnticked,
        count: chosenOfAll,
        trashed: queue.actions.delete ?? 0,
      });
    },
    decideOne: (action: ConfirmAction, email: SuggestedEmail) => {
      if (action === 'accept' && !canAcceptOne(email)) return;
      const chosen = action === 'accept' ? otherOf(email.id) : undefined;
      hold();
      if (active?.emails === 1) leave(1);
      const other = toChange(chosen, { [email.suggestion.action]: 1 });
      confirm(action, { emailIds: [email.id], emails: [email] }, other);
    },
  };
};

export type Review = ReturnType<typeof useReview>;
