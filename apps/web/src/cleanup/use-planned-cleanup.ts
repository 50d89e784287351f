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
import { beginGesture, type Gesture } from '../api/gesture.ts';
import { formatCount } from '../email/counts.ts';
import { hideToast, showToast, toFailure, updateToast } from '../feedback/toasts.tsx';
import { type KeptWork, keepUntilDone, type WorkToKeep } from '../session/kept-work.ts';
import { describeExclusions, describeStart } from './plan/cleanup-words.ts';
import type { CleanupQuestion } from './plan/plan-dialog.tsx';
import { useRunCleanup } from './use-run-cleanup.ts';

/** A cleanup that the user asks for. */
export interface WantedCleanup {
  request: CreateCleanupRequest;
  /** Emails that the screen shows as concerned. */
  count: number;
  /** Whether the plan is shown for confirmation, where it can be made now. */
  asksFirst: boolean;
  /** Called once the user has decided, so that something else may take its place. @param plan - where it is made already */
  onDecided?: (plan?: CleanupPlan) => void;
  /** Called when it starts; what it returns, when the server has stopped, or nothing was done. */
  onStart?: () => (done?: Cleanup) => void;
  /** Called when the user takes it back. */
  onUndo?: () => void;
}

const nothing = () => undefined;
const toUnchanged = (error: unknown) => toFailure(error, (title) => t`${title}; nothing was changed`);

/** A plan may be run without a question while it moves nothing to the trash and no more than was shown. */
const isAsShown = (plan: CleanupPlan, { count }: WantedCleanup): boolean =>
  plan.total <= count && (plan.plannedActions.delete ?? 0) === 0;

/**
 * Whether the plan is shown before anything else. Without a connection there is none: what moves nothing to the trash is
 * then kept, and confirmed only if its plan takes more than the screen showed.
 */
const showsPlanFirst = ({ asksFirst, request: { action } }: WantedCleanup): boolean =>
  asksFirst && (navigator.onLine || action === 'delete' || action === 'accept');

/** Why the API would not take the request; undefined where it does. */
const toExcess = ({ selection }: CreateCleanupRequest): string | undefined => {
  if (selection.except.length > MAX_CLEANUP_EXCEPTIONS)
    return t`Only ${formatCount(MAX_CLEANUP_EXCEPTIONS)} emails can be unticked`;
  if (selection.type === 'senders' && selection.senders.length > MAX_CLEANUP_SENDERS)
    return t`Only ${formatCount(MAX_CLEANUP_SENDERS)} senders can be cleaned up at once`;
  return undefined;
};

/**
 * Plans cleanups, so that the server says exactly which emails they concern, and runs them: at once where the plan is
 * what the screen shows, and otherwise once the user agrees.
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
    const onStop = onStart();
    const title = describeStart({ action: request.action, total: count });
    const toast = showToast({ title, tone: 'working' });
    const kept: WorkToKeep = { kind: 'cleanup', ids: [], action: request.action, request, count };
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
    /** Does what was asked for on an earlier page. @param earlier - the same, where the user need not ask again */
    goOn,
    /** What `PlanDialog` asks. */
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
    /** Runs the plan that the user has confirmed. */
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
