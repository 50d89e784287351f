import { t } from '@lingui/core/macro';
import {
  type Cleanup,
  type CleanupPlan,
  type CreateCleanupRequest,
  MAX_CLEANUP_EXCEPTIONS,
  MAX_CLEANUP_SENDERS,
} from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { isOffline } from '../api/connection.ts';
import { describeError, isReadOnlyAccess } from '../api/errors.ts';
import { beginGesture, type Gesture } from '../api/gesture.ts';
import { changeMailbox } from '../api/mailbox-change.ts';
import { formatCount } from '../email/counts.ts';
import { describeWork } from '../email/email-words.ts';
import { hideToast, showToast, toFailure, updateToast } from '../feedback/toasts.tsx';
import { isBeingDone, type KeptWork, keepUntilDone, type WorkToKeep } from '../session/kept-work.ts';
import { notePayoff } from '../session/payoff.ts';
import { type UndoableAction, useUndo } from '../undo/undo-context.tsx';
import { findBatch, undoBatches } from '../undo/undo-requests.ts';
import { FOLLOW_MS, followedCleanupsQuery, isInProgress, refreshAfterCleanup } from './cleanup-query.ts';
import {
  describeExclusions,
  describeProgress,
  describeReason,
  describeResult,
} from './plan/cleanup-words.ts';
import type { CleanupQuestion } from './plan/plan-dialog.tsx';

interface Following {
  /** The gesture that started it, on an earlier page. */
  gesture?: Gesture;
  toast?: string;
  /** Called when the server has stopped and the lists are current. @param done - the outcome, if known */
  onStop?: (done?: Cleanup) => void;
  onUndo?: () => void;
}

const pause = () =>
  new Promise((resolve) => setTimeout(resolve, FOLLOW_MS[document.hidden ? 'hidden' : 'visible']));

/**
 * Executes plans, with progress and outcome in a toast that can cancel, resume and undo. The server continues when
 * the app is closed.
 */
export const useRunCleanup = (): ((plan: Cleanup, following?: Following) => void) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const undo = useUndo();
  return useCallback(
    (plan, { toast: shownToast, onStop, onUndo, gesture = beginGesture() }: Following = {}) => {
      const params = { id: plan.id };
      const kept = { kind: 'cleanup' as const, ids: [plan.id], action: plan.action, count: plan.total };
      if (isBeingDone(kept)) return;
      // One gesture, so that a retry of the undo is the same request.
      const undoGesture = beginGesture();
      const title = describeWork(plan.action, plan.total);
      let toast = shownToast ?? showToast({ title, tone: 'working' });
      const refresh = () => refreshAfterCleanup(queryClient);
      const follow = (isFollowed: boolean) =>
        queryClient.setQueryData(followedCleanupsQuery.queryKey, (ids = []) => [
          ...ids.filter((id) => id !== plan.id),
          ...(isFollowed ? [plan.id] : []),
        ]);
      const cancel = () => void client.cancelCleanup({ params });
      const showProgress = (cleanup: Cleanup) =>
        updateToast(toast, {
          title,
          detail: [describeProgress(cleanup), describeReason(cleanup)].filter(Boolean).join(' · '),
          tone: 'working',
          action: { label: t`Cancel`, run: cancel, isKeptOpen: true },
        });
      const undoable: UndoableAction = {
        label: title,
        undo: async () => {
          hideToast(toast);
          onUndo?.();
          const batch = await findBatch(client, plan.batchId);
          const undone = await changeMailbox(queryClient, () =>
            undoBatches(client, batch ? [batch] : [], undoGesture, () => undefined),
          );
          void refresh();
          return { undone: undone.undone, failures: undone.reasons };
        },
      };
      const showOutcome = (done: Cleanup) => {
        undo.remove(undoable);
        if (done.changed > 0) undo.push(undoable);
        const words = describeResult(done);
        const undoAction = { label: t`Undo`, keyCap: 'Z', run: () => void undo.run(undoable) };
        if (done.state === 'paused') {
          updateToast(toast, {
            title: t`Paused at ${describeProgress(done)}`,
            detail: describeReason(done) || t`Nothing more is changed until you resume it.`,
            tone: 'failed',
            isLasting: true,
            action: { label: t`Resume`, run: resume },
          });
          return;
        }
        const stopped = done.state === 'completed' ? '' : t`It stopped at ${describeProgress(done)}.`;
        const reason = done.state === 'failed' ? describeReason(done) : '';
        updateToast(toast, {
          title: words.title,
          detail: [words.detail, stopped, reason].filter(Boolean).join(' · '),
          tone: done.state === 'completed' ? 'done' : 'failed',
          ...(done.changed > 0 && { action: undoAction }),
        });
      };
      const run = () =>
        keepUntilDone(queryClient, gesture, kept, () =>
          client.runCleanup({ params, idempotencyKey: gesture.keyOf(0) }),
        );
      const execute = async (start: () => Promise<Cleanup>) => {
        notePayoff(queryClient, describeExclusions(plan.excluded));
        follow(true);
        let done: Cleanup | undefined;
        try {
          done = await changeMailbox(queryClient, async () => {
            let cleanup = await start();
            while (isInProgress(cleanup)) {
              showProgress(cleanup);
              await pause();
              cleanup = await client.getCleanup({ params });
            }
            return cleanup;
          });
          showOutcome(done);
        } catch (error) {
          const { title: problem, advice } = describeError(error);
          // A dialog says so.
          if (isReadOnlyAccess(error)) hideToast(toast);
          else
            updateToast(toast, {
              title: problem,
              detail: t`${advice} What the server has begun goes on: see the history.`,
              tone: 'failed',
            });
        } finally {
          await refresh().catch(() => undefined);
          follow(false);
          onStop?.(done);
        }
      };
      const resume = () => {
        toast = showToast({ title, tone: 'working' });
        void execute(() => client.resumeCleanup({ params }));
      };
      void execute(run);
    },
    [client, queryClient, undo],
  );
};

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
    const title = describeWork(request.action, count);
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

export type PlannedCleanup = ReturnType<typeof usePlannedCleanup>;
