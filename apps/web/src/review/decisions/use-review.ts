import { type ConfirmAction, MAX_PER_PAGE } from '@mailsweep/contracts';
import { useState } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { type SuggestionView, toGroupFilter } from '../../queries/suggestions-query.ts';
import { useOfferRule } from '../../rules/offer/rule-offer.ts';
import { useConfirm } from '../../suggestions/confirming/use-confirm.ts';
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
  const { client } = useApi();
  const confirm = useConfirm();
  const { offer, withdraw } = useOfferRule();
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const [unticked, setUnticked] = useState<ReadonlyMap<string, SuggestedEmail>>(new Map());

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
  const chosenOfAll = Math.max(0, queue.emails - shownUnticked.length);

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

  const findIds = async (group: QueueGroup, left: readonly SuggestedEmail[]) => {
    const ids = new Set<string>();
    for (let page = 1, isLast = false; !isLast; page += 1) {
      const { minAcceptance } = view;
      const response = await client.listStoredSuggestions({
        query: {
          ...toGroupFilter(group),
          ...(minAcceptance > 0 && { minAcceptance }),
          page,
          perPage: MAX_PER_PAGE,
        },
      });
      for (const { id } of response.data) ids.add(id);
      isLast = page * MAX_PER_PAGE >= response.total;
    }
    for (const { id } of left) ids.delete(id);
    return [...ids];
  };

  return {
    active,
    activeIndex,
    unticked,
    /** Emails of the active group that are ticked. */
    chosenCount,
    /** The same by suggested action. */
    chosenActions,
    /** Emails that are ticked in any group. */
    chosenOfAll,
    question: accepting.question,
    runPlan: accepting.runPlan,
    cancelQuestion: accepting.cancel,
    activate,
    /** Keeps the groups in their places, and the active one active. */
    hold: () => {
      hold();
      if (active && activeKey === null) setActiveKey(active.key);
    },
    move: (by: number) => {
      const target = Math.min(groups.length - 1, Math.max(0, activeIndex + by));
      activate(groups[target]?.key ?? null);
    },
    toggleEmail: (email: SuggestedEmail) => {
      hold();
      setUnticked((current) => {
        const next = new Map(current);
        if (!next.delete(email.id)) next.set(email.id, email);
        return next;
      });
    },
    acceptGroup: () => {
      if (!active) return;
      const group = active;
      const isWhole = activeUnticked.length === 0;
      accepting.accept({
        group,
        minAcceptance: view.minAcceptance,
        leftOut: activeUnticked,
        count: chosenCount,
        trashed: chosenActions.delete ?? 0,
        ...(isWhole && { onDone: (done) => void offer(group, done), onUndo: withdraw }),
      });
    },
    rejectGroup: () => {
      if (!active || chosenCount === 0) return;
      const group = active;
      const leftOut = activeUnticked;
      leave(chosenCount);
      confirm('reject', {
        group: { group, minAcceptance: view.minAcceptance, leftOut },
        count: chosenCount,
        findIds: () => findIds(group, leftOut),
      });
    },
    acceptAll: () =>
      accepting.accept({
        group: null,
        minAcceptance: view.minAcceptance,
        leftOut: shownUnticked,
        count: chosenOfAll,
        trashed: queue.actions.delete ?? 0,
      }),
    decideOne: (action: ConfirmAction, email: SuggestedEmail) => {
      hold();
      if (active?.emails === 1) leave(1);
      confirm(action, { emailIds: [email.id], emails: [email] });
    },
  };
};

export type Review = ReturnType<typeof useReview>;
