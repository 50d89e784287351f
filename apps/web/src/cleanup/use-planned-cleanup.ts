import { t } from '@lingui/core/macro';
import {
  type Cleanup,
  type CleanupPlan,
  type CreateCleanupRequest,
  MAX_CLEANUP_EXCEPTIONS,
  MAX_CLEANUP_SENDERS,
} from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { isOffline } from '../api/connection.ts';
import { beginGesture, type Gesture } from '../api/gesture.ts';
import { formatCount } from '../email/counts.ts';
import { hideToast, showToast, toFailure, updateToast } from '../feedback/toasts.tsx';
import { isBeingDone, type KeptWork, keepUntilDone, type WorkToKeep } from '../session/kept-work.ts';
import { describeExclusions, describeStart } from './plan/cleanup-words.ts';
import type { CleanupQuestion } from './plan/plan-dialog.tsx';
import { useRunCleanup } from './use-run-cleanup.ts';

export interface WantedCleanup {
  request: CreateCleanupRequest;
  /** Emails that the screen showed. */
  count: number;
  asksFirst: boolean;
  /** Called once the user has decided. @param plan - if it is made already */
  onDecided?: (plan?: CleanupPlan) => void;
  /** Called at the start; the result is called at the end, or if nothing was done. */
  onStart?: () => (done?: Cleanup) => void;
  onUndo?: () => void;
}

const nothing = () => undefined;
const toUnchanged = (error: unknown) => toFailure(error, (title) => t`${title}; nothing was changed`);

/** A plan may run unconfirmed if it trashes nothing and takes no more than the screen showed. */
const isAsShown = (plan: CleanupPlan, { count }: WantedCleanup): boolean =>
  plan.total <= count && (plan.plannedActions.delete ?? 0) === 0;

/**
 * Whether to show the plan first. Offline there is none: cleanups that trash nothing are kept, and need confirmation
 * only if their plan exceeds what the screen showed.
 */
const showsPlanFirst = ({ asksFirst, request: { action } }: WantedCleanup): boolean =>
  asksFirst && (!isOffline() || action === 'delete' || action === 'accept');

/** Why the API would refuse the request, if it would. */
const toExcess = ({ selection }: CreateCleanupRequest): string | undefined => {
  if (selection.except.length > MAX_CLEANUP_EXCEPTIONS)
    return t`Only ${formatCount(MAX_CLEANUP_EXCEPTIONS)} emails can be unticked`;
  if (selection.type === 'senders' && selection.senders.length > MAX_CLEANUP_SENDERS)
    return t`Only ${formatCount(MAX_CLEANUP_SENDERS)} senders can be cleaned up at once`;
  return undefined;
};

/**
 * Plans cleanups, so that the server names the exact emails. Runs plans that match the screen at once, and others
 * after confirmation.
 */
export const usePlannedCleanup = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const runCleanup = useRunCleanup();
  const [asked, setAsked] = useState<{ question: CleanupQuestion; wanted: WantedCleanup } | null>(null);

  const ask = (wanted: WantedCleanup, plan?: CleanupPlan) =>
    setAsked({ question: { request: wanted.request, ...(plan && { plan }) }, wanted });

  const runAtOnce = async (wanted: WantedCleanup, gesture: Gesture) => {
    const { request, count, onStart = () => nothing, onUndo = nothing } = wanted;
    const kept: WorkToKeep = { kind: 'cleanup', ids: [], action: request.action, request, count };
    if (isBeingDone(kept)) return;
    const onStop = onStart();
    const title = describeStart({ action: request.action, total: count });
    const toast = showToast({ title, tone: 'working' });
    const tryAgain = { label: t`Try again`, run: () => void runAtOnce(wanted, gesture) };
    try {
      const plan = await keepUntilDone(queryClient, gesture, kept, () =>
        client.createCleanup({ body: request, idempotencyKey: gesture.keyOf(0) }),
      );
      if (plan.total > 0 && isAsShown(plan, wanted)) {
        runCleanup(plan, { toast, onStop, onUndo });
        return;
      }
      onStop();
      if (plan.total > 0) {
        hideToast(toast);
        ask(wanted, plan);
      } else {
        const detail = describeExclusions(plan.excluded) || t`Nothing is left to do for these emails.`;
        updateToast(toast, { title: t`Nothing was changed`, detail, tone: 'failed' });
      }
    } catch (error) {
      onStop();
      updateToast(toast, { ...toUnchanged(error), action: tryAgain });
    }
  };

  const goOn = ({ ids, request, count = 0 }: WorkToKeep, earlier?: KeptWork) => {
    const [id] = ids;
    if (request) void runAtOnce({ request, count, asksFirst: false }, beginGesture(earlier?.gestureId));
    else if (id !== undefined)
      void client.getCleanup({ params: { id } }).then(
        (plan) => runCleanup(plan, { gesture: beginGesture(earlier?.gestureId) }),
        (error: unknown) => void showToast(toUnchanged(error)),
      );
  };

  return {
    /** Continues work of an earlier page. @param earlier - work that needs no confirmation */
    goOn,
    question: asked?.question ?? null,
    start: (wanted: WantedCleanup) => {
      if (wanted.count === 0) return;
      const excess = toExcess(wanted.request);
      if (excess) showToast({ title: excess, detail: t`Do it in several parts instead.`, tone: 'failed' });
      else if (showsPlanFirst(wanted)) ask(wanted);
      else {
        wanted.onDecided?.();
        void runAtOnce(wanted, beginGesture());
      }
    },
    runPlan: (plan: CleanupPlan) => {
      if (!asked) return;
      const { onDecided, onStart = () => nothing, onUndo = nothing } = asked.wanted;
      setAsked(null);
      onDecided?.(plan);
      runCleanup(plan, { onStop: onStart(), onUndo });
    },
    cancel: () => setAsked(null),
  };
};
