import { t } from '@lingui/core/macro';
import type { CleanupAction } from '@mailsweep/contracts';
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useEffectEvent } from 'react';
import { PlanDialog } from '../cleanup/plan/plan-dialog.tsx';
import { usePlannedCleanup } from '../cleanup/use-planned-cleanup.ts';
import { countEmails, formatCount } from '../email/counts.ts';
import { TO_DO } from '../email/email-words.ts';
import { showToast } from '../feedback/toasts.tsx';
import { useUndoHistory } from '../history/undo/use-undo-history.ts';
import { useInboxActions } from '../inbox/actions/use-inbox-actions.ts';
import { type KeptWork, takeWork, type WorkToKeep } from '../session/kept-work.ts';
import { useMe } from '../session/use-mailbox.ts';
import { useConfirm } from '../suggestions/confirming/use-confirm.ts';

const TITLES: Record<Exclude<WorkToKeep['kind'], 'cleanup'> | CleanupAction, (emails: string) => string> = {
  archive: (emails) => t`${emails} not archived yet`,
  delete: (emails) => t`${emails} not moved to Trash yet`,
  mark_unread: (emails) => t`${emails} not marked unread yet`,
  mark_read: (emails) => t`${emails} not marked read yet`,
  label: (emails) => t`${emails} not labelled yet`,
  accept: (emails) => t`Suggestions for ${emails} not accepted yet`,
  reject: (emails) => t`Suggestions for ${emails} not rejected yet`,
  undo: (emails) => t`Not undone yet for ${emails}`,
  undo_batches: () => t`Not undone yet`,
};

const offer = (work: KeptWork, run: () => void): void => {
  const action = work.action ?? work.other?.action ?? (work.kind === 'cleanup' ? 'accept' : work.kind);
  const count = work.count ?? work.ids.length;
  showToast({
    title: TITLES[action](countEmails(count)),
    detail: t`This was interrupted. Nothing happens until you say so.`,
    tone: 'failed',
    isLasting: true,
    action: { label: action === 'undo_batches' ? t`Undo` : TO_DO[action](formatCount(count)), run },
  });
};

/**
 * Continues work of earlier pages that waited for the network, or for the user to allow changes; offers work older than a day, or interrupted by a
 * sign-in or a new version.
 */
export const RepeatOffer = () => {
  const { userId, mailbox } = useMe().data ?? {};
  const act = useInboxActions();
  const confirm = useConfirm();
  const undo = useUndoHistory();
  const cleanup = usePlannedCleanup();
  const run = useEffectEvent((work: KeptWork, earlier?: KeptWork) => {
    const { kind, ids, group, count = 0, other } = work;
    if (kind === 'cleanup') cleanup.goOn(work, earlier);
    else if (kind === 'undo') undo.undoRecords(ids, earlier);
    else if (kind === 'undo_batches') undo.undoBatchesById(ids, earlier);
    else if (kind === 'accept' || kind === 'reject')
      confirm(kind, group ? { group, count } : { emailIds: ids }, other, earlier);
    else act(kind, ids, earlier);
  });
  const take = useEffectEvent(async () => {
    for (const work of userId === undefined ? [] : await takeWork(userId)) {
      if (work.needsAccess && mailbox?.canChange) run(work);
      else if (work.isOffered) offer(work, () => run(work));
      else run(work, work);
    }
  });
  useEffect(() => void take(), [userId]);
  // Another tab may have kept work and closed.
  useWindowEvent('online', () => void take());
  const { question } = cleanup;
  return question && <PlanDialog question={question} onClose={cleanup.cancel} onYes={cleanup.runPlan} />;
};
