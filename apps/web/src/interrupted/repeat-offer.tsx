import { t } from '@lingui/core/macro';
import type { CleanupAction } from '@mailsweep/contracts';
import { useCallback, useEffect, useRef } from 'react';
import { PlanDialog } from '../cleanup/plan/plan-dialog.tsx';
import { usePlannedCleanup } from '../cleanup/use-planned-cleanup.ts';
import { countEmails, formatCount } from '../email/counts.ts';
import { showToast } from '../feedback/toasts.tsx';
import { useUndoHistory } from '../history/undo/use-undo-history.ts';
import { useInboxActions } from '../inbox/actions/use-inbox-actions.ts';
import { useWhenOnline } from '../parts/use-when-online.ts';
import { type KeptWork, takeWork, type WorkToKeep } from '../session/kept-work.ts';
import { useMe } from '../session/me-query.ts';
import { useConfirm } from '../suggestions/confirming/use-confirm.ts';

const WORDS: Record<
  Exclude<WorkToKeep['kind'], 'cleanup'> | CleanupAction,
  { title: (emails: string) => string; repeat: (count: string) => string }
> = {
  archive: { title: (emails) => t`${emails} not archived yet`, repeat: (count) => t`Archive ${count}` },
  delete: {
    title: (emails) => t`${emails} not moved to Trash yet`,
    repeat: (count) => t`Move ${count} to Trash`,
  },
  mark_unread: {
    title: (emails) => t`${emails} not marked unread yet`,
    repeat: (count) => t`Mark ${count} unread`,
  },
  mark_read: {
    title: (emails) => t`${emails} not marked read yet`,
    repeat: (count) => t`Mark ${count} read`,
  },
  label: { title: (emails) => t`${emails} not labelled yet`, repeat: (count) => t`Label ${count}` },
  accept: {
    title: (emails) => t`Suggestions for ${emails} not accepted yet`,
    repeat: (count) => t`Accept ${count}`,
  },
  reject: {
    title: (emails) => t`Suggestions for ${emails} not rejected yet`,
    repeat: (count) => t`Reject ${count}`,
  },
  undo: { title: (emails) => t`Not undone yet for ${emails}`, repeat: (count) => t`Undo ${count}` },
  undo_batches: { title: () => t`Not undone yet`, repeat: () => t`Undo` },
};

const offer = (work: KeptWork, run: () => void): void => {
  const { title, repeat } =
    WORDS[work.action ?? work.other?.action ?? (work.kind === 'cleanup' ? 'accept' : work.kind)];
  const count = work.count ?? work.ids.length;
  showToast({
    title: title(countEmails(count)),
    detail: t`This was interrupted. Nothing happens until you say so.`,
    tone: 'failed',
    isLasting: true,
    action: { label: repeat(formatCount(count)), run },
  });
};

/**
 * Does what was asked for on an earlier page and waited for the network; offers what is older than a day, or was
 * interrupted by a sign-in or a new version.
 */
export const RepeatOffer = () => {
  const userId = useMe().data?.userId;
  const act = useInboxActions();
  const confirm = useConfirm();
  const undo = useUndoHistory();
  const cleanup = usePlannedCleanup();
  const run = (work: KeptWork, earlier?: KeptWork) => {
    const { kind, ids, group, count = 0, other } = work;
    if (kind === 'cleanup') cleanup.goOn(work, earlier);
    else if (kind === 'undo') undo.undoRecords(ids, earlier);
    else if (kind === 'undo_batches') undo.undoBatchesById(ids, earlier);
    else if (kind === 'accept' || kind === 'reject')
      confirm(kind, group ? { group, count } : { emailIds: ids }, other, earlier);
    else act(kind, ids, earlier);
  };
  const latest = useRef(run);
  latest.current = run;
  const take = useCallback(async () => {
    for (const work of userId === undefined ? [] : await takeWork(userId)) {
      if (work.isOffered) offer(work, () => latest.current(work));
      else latest.current(work, work);
    }
  }, [userId]);
  useEffect(() => void take(), [take]);
  // Another tab may have kept work, and been closed.
  useWhenOnline(() => void take());
  return <PlanDialog question={cleanup.question} onClose={cleanup.cancel} onYes={cleanup.runPlan} />;
};
