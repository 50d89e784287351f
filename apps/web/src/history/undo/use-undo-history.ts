import { plural, t } from '@lingui/core/macro';
import type { ActionBatch } from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { toClause } from '../../api/describe-error.ts';
import { beginGesture, type Gesture } from '../../api/gesture.ts';
import { countEmails, formatCount } from '../../email/counts.ts';
import { describeFailures } from '../../feedback/failure-reasons.ts';
import { showToast, toFailure, updateToast } from '../../feedback/toasts.tsx';
import { changeMailbox } from '../../queries/mailbox-change.ts';
import { EMAIL_LISTS_KEY, HISTORY_KEY, SENDERS_KEY, SUGGESTIONS_KEY } from '../../queries/query-keys.ts';
import { type KeptWork, keepUntilDone, type WorkToKeep } from '../../session/kept-work.ts';
import { findBatch, undoBatches } from '../../undo/undo-batches.ts';
import { listRecordsToUndo, type RecordsOfSender, undoRecords } from '../../undo/undo-records.ts';
import { countLeft } from './history-batches.ts';

/** How an undo went; `reasons` says why some were left as they are, where that is known. */
interface Outcome {
  undone: number;
  failed: number;
  reasons: string;
}

type PerformUndo = (gesture: Gesture, onProgress: (undone: number) => void) => Promise<Outcome>;

/** Undoes whole batches or single records, and shows progress and outcome. */
export const useUndoHistory = () => {
  const queryClient = useQueryClient();
  const { client } = useApi();

  const run = async (work: WorkToKeep | null, count: number, perform: PerformUndo, gesture: Gesture) => {
    const title = count > 0 ? t`Undoing ${countEmails(count)}…` : t`Undoing…`;
    const toast = showToast({ title, tone: 'working' });
    const onProgress = (undone: number) => {
      const detail =
        count > 0
          ? t`${formatCount(undone)} of ${formatCount(count)} put back`
          : t`${formatCount(undone)} put back`;
      updateToast(toast, { title, detail, tone: 'working' });
      void queryClient.invalidateQueries({ queryKey: HISTORY_KEY });
    };
    try {
      const change = () => changeMailbox(queryClient, () => perform(gesture, onProgress));
      const { undone, failed, reasons } = await (work
        ? keepUntilDone(queryClient, gesture, work, change)
        : change());
      updateToast(toast, {
        title:
          failed === 0
            ? t`Undone for ${countEmails(undone)}`
            : `${t`${formatCount(undone)} undone`} · ${plural(failed, { one: '# left as it is', other: '# left as they are' })}`,
        detail: reasons,
        tone: failed === 0 ? 'done' : 'failed',
      });
    } catch (error) {
      updateToast(toast, {
        ...toFailure(error, (title) => t`Not undone: ${{ why: toClause(title) }}`),
        action: { label: t`Try again`, run: () => void run(work, count, perform, gesture) },
      });
    }
    queryClient.removeQueries({ queryKey: EMAIL_LISTS_KEY, type: 'inactive' });
    queryClient.removeQueries({ queryKey: SUGGESTIONS_KEY, type: 'inactive' });
    void queryClient.invalidateQueries({ queryKey: SENDERS_KEY });
    await queryClient.invalidateQueries({ queryKey: HISTORY_KEY });
  };

  const undoByIds = async (ids: readonly string[], gesture: Gesture): Promise<Outcome> => {
    const results = await undoRecords(client, ids, gesture);
    const failed = results.filter((result) => result.status === 'error').length;
    return { undone: results.length - failed, failed, reasons: describeFailures(results) };
  };

  return {
    undoBatches(batches: readonly ActionBatch[]): void {
      if (batches.length === 0) return;
      const count = batches.reduce((sum, batch) => sum + countLeft(batch), 0);
      const ids = batches.map(({ id }) => id);
      const perform: PerformUndo = (gesture, onProgress) => undoBatches(client, batches, gesture, onProgress);
      void run({ kind: 'undo_batches', ids }, count, perform, beginGesture());
    },
    /** The same for batches that are known by their ids alone. */
    undoBatchesById(ids: readonly string[], earlier?: KeptWork): void {
      const perform: PerformUndo = async (gesture, onProgress) => {
        const batches = await Promise.all(ids.map((id) => findBatch(client, id)));
        const known = batches.filter((batch) => batch !== undefined);
        return undoBatches(client, known, gesture, onProgress);
      };
      void run({ kind: 'undo_batches', ids: [...ids] }, 0, perform, beginGesture(earlier?.gestureId));
    },
    /** @param count - how many are left to undo */
    undoSender(query: RecordsOfSender, count: number): void {
      // Listed once: a retry is the same request.
      let ids: string[] | undefined;
      const perform: PerformUndo = async (gesture) => {
        ids ??= await listRecordsToUndo(client, query);
        return await undoByIds(ids, gesture);
      };
      void run(null, count, perform, beginGesture());
    },
    undoRecords(ids: readonly string[], earlier?: KeptWork): void {
      const perform: PerformUndo = (gesture) => undoByIds(ids, gesture);
      const gesture = beginGesture(earlier?.gestureId);
      void run({ kind: 'undo', ids: [...ids] }, ids.length, perform, gesture);
    },
  };
};

export type UndoHistory = ReturnType<typeof useUndoHistory>;
