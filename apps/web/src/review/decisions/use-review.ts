import type { Cleanup, ConfirmAction, CreateCleanupRequest } from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type SuggestionView, toGroupFilter } from '../../api/suggestions-query.ts';
import { usePlannedCleanup } from '../../cleanup/use-planned-cleanup.ts';
import { useOfferRule } from '../../rules/offer/rule-offer.ts';
import {
  beginDecision,
  type DecidedGroup,
  isReady,
  type OtherAction,
  toChange,
} from '../../suggestions/confirming/decisions.ts';
import { useConfirm } from '../../suggestions/confirming/use-confirm.ts';
import { isOnlyAdvice, toConsequences } from '../../suggestions/consequences.ts';
import { type SuggestedEmail, toAcceptance } from '../../suggestions/suggested-email.ts';
import { countWithout, hasEmail, type QueueGroup } from '../queue/queue-group.ts';
import type { Queue } from '../queue/use-queue.ts';

/** A group, or everything shown, to accept. */
interface Acceptance extends DecidedGroup {
  /** Emails that the screen shows as chosen. */
  count: number;
  trashed: number;
  /** Replaces the suggested action. */
  other?: OtherAction | undefined;
  onDone?: (done: Cleanup) => void;
  onUndo?: () => void;
}

const toRequest = ({ group, minAcceptance, leftOut, other }: Acceptance): CreateCleanupRequest => ({
  action: other?.action ?? 'accept',
  ...(other?.action === 'label' && { label: other.label.trim() }),
  selection: {
    type: 'suggestions',
    ...(group && toGroupFilter(group)),
    ...(minAcceptance > 0 && { minAcceptance }),
    except: leftOut.map(({ id }) => id),
  },
});

/**
 * Accepts suggestions as a cleanup. Asks first for everything shown, for moves to the trash, and for plans that
 * differ from the screen.
 *
 * @param onDecided - called once decided, so that another group may take its place
 */
const useAccept = (onDecided: (acceptance: Acceptance) => void) => {
  const queryClient = useQueryClient();
  const { start, ...planned } = usePlannedCleanup();
  return {
    ...planned,
    accept: (acceptance: Acceptance) =>
      start({
        request: toRequest(acceptance),
        count: acceptance.count,
        asksFirst: acceptance.group === null || acceptance.trashed > 0,
        // Emails may have been unticked in the plan.
        onDecided: (plan) => onDecided({ ...acceptance, count: plan?.total ?? acceptance.count }),
        onStart: () => {
          const endDecision = beginDecision(queryClient, acceptance);
          return (done) => {
            endDecision();
            if (done) acceptance.onDone?.(done);
          };
        },
        ...(acceptance.onUndo && { onUndo: acceptance.onUndo }),
      }),
  };
};

/** The active group, its unticked emails, and the decisions on them. */
export const useReview = (input: {
  queue: Pick<Queue, 'groups' | 'emails' | 'actions'>;
  view: SuggestionView;
  /** Called when the user begins to work: the list must keep its order from then on. */
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
  const chosenOfAll = isOnlyAdvice(queue.actions) ? {} : countWithout(queue.actions, shownUnticked);

  /** The action that the user chose for a group or an email. */
  const otherOf = (id: string) => (chosenOther?.of === id ? chosenOther.other : undefined);
  const activeOther = active && otherOf(active.key);
  /** Whether accepting does something: advice alone does not, unless the user chose another action. */
  const canAccept = (id: string, actions: Readonly<Record<string, number>>) => {
    const other = otherOf(id);
    return isReady(other) && (other !== undefined || !isOnlyAdvice(actions));
  };
  const canAcceptOne = ({ id, suggestion }: SuggestedEmail) => canAccept(id, { [suggestion.action]: 1 });

  /** Keeps the groups' places, and the active group. */
  const holdActive = () => {
    hold();
    if (active && activeKey === null) setActiveKey(active.key);
  };
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
  /** The next group becomes active; after the last, the one before. */
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
    /** Ticked emails of the active group. */
    chosenCount,
    /** The same by suggested action. */
    chosenActions,
    otherOf,
    canAcceptOne,
    setOther: (id: string, other: OtherAction | undefined) => {
      holdActive();
      setChosenOther(other && { of: id, other });
    },
    /** Ticked emails of all groups by suggested action; none if all of it is advice. */
    chosenOfAll,
    cleanup: accepting,
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
      const { total } = toConsequences(chosenOfAll);
      if (total === 0) return;
      accepting.accept({
        group: null,
        minAcceptance: view.minAcceptance,
        leftOut: shownUnticked,
        count: total,
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
