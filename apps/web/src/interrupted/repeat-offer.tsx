import { t } from '@lingui/core/macro';
import { useEffect, useRef } from 'react';
import { countEmails, formatCount } from '../email/counts.ts';
import { showToast } from '../feedback/toasts.tsx';
import { useUndoHistory } from '../history/undo/use-undo-history.ts';
import { useInboxActions } from '../inbox/actions/use-inbox-actions.ts';
import { type InterruptedWork, takeRememberedWork } from '../session/interrupted-work.ts';
import { useMe } from '../session/me-query.ts';
import { useConfirm } from '../suggestions/confirming/use-confirm.ts';

const WORDS: Record<
  InterruptedWork['kind'],
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

/** Offers to do what was asked for before the page was left for a sign-in or a new version. */
export const RepeatOffer = () => {
  const { data: me } = useMe();
  const act = useInboxActions();
  const confirm = useConfirm();
  const undo = useUndoHistory();
  const run = useRef<(work: InterruptedWork) => void>(() => undefined);
  run.current = ({ kind, ids }) => {
    if (kind === 'undo') undo.undoRecords(ids);
    else if (kind === 'undo_batches') undo.undoBatchesById(ids);
    else if (kind === 'accept' || kind === 'reject') confirm(kind, { emailIds: ids });
    else act(kind, ids);
  };
  const userId = me?.userId;
  useEffect(() => {
    const work = userId === undefined ? undefined : takeRememberedWork(userId);
    if (!work) return;
    const { title, repeat } = WORDS[work.kind];
    showToast({
      title: title(countEmails(work.ids.length)),
      detail: t`This was interrupted. Nothing happens until you say so.`,
      tone: 'failed',
      isLasting: true,
      action: { label: repeat(formatCount(work.ids.length)), run: () => run.current(work) },
    });
  }, [userId]);
  return null;
};
