import { plural, t } from '@lingui/core/macro';
import type { ActionBatch } from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { isReadOnlyAccess, toClause } from '../../api/errors.ts';
import { beginGesture, type Gesture } from '../../api/gesture.ts';
import { changeMailbox } from '../../api/mailbox-change.ts';
import { EMAIL_LISTS_KEY, HISTORY_KEY, refresh, SENDERS_KEY, SUGGESTIONS_KEY } from '../../api/query-keys.ts';
import { countEmails, formatCount } from '../../email/counts.ts';
import { describeFailures } from '../../feedback/failure-reasons.ts';
import { hideToast, showToast, toFailure, updateToast } from '../../feedback/toasts.tsx';
import { inGroup, useShortcuts } from '../../keyboard/keyboard-context.tsx';
import { isBeingDone, type KeptWork, keepUntilDone, type WorkToKeep } from '../../session/kept-work.ts';
import {
  findBatch,
  isBeingUndone,
  isUndone,
  listRecordsToUndo,
  type RecordsOfSender,
  undoBatches,
  undoRecords,
} from '../../undo/undo-requests.ts';

export const countLeft = ({ total, unchanged, undone }: ActionBatch): number => total - unchanged - undone;

export const canUndo = (batch: ActionBatch): boolean => countLeft(batch) > 0 && !isBeingUndone(batch);

/** `reasons` explains what was left out, if known. */
interface Outcome {
  undone: number;
  /** Records that had changed nothing. */
  unchanged: number;
  failed: number;
  reasons: string;
}

type PerformUndo = (gesture: Gesture, onProgress: (undone: number) => void) => Promise<Outcome>;

/** Undoes batches or single records, with progress and outcome. */
export const useUndoHistory = () => {
  const queryClient = useQueryClient();
  const { client } = useApi();

  const run = async (work: WorkToKeep | null, count: number, perform: PerformUndo, gesture: Gesture) => {
    if (work && isBeingDone(work)) return;
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
      const { undone, unchanged, failed, reasons } = await (work
        ? keepUntilDone(queryClient, gesture, work, change)
        : change());
      updateToast(toast, {
        title:
          failed === 0
            ? unchanged === 0
              ? t`Undone for ${countEmails(undone)}`
              : t`Undone for ${{ undone: formatCount(undone) }} of ${{ emails: countEmails(undone + unchanged) }}`
            : `${t`${formatCount(undone)} undone`} · ${plural(failed, { one: '# left as it is', other: '# left as they are' })}`,
        detail: reasons,
        tone: failed === 0 ? 'done' : 'failed',
      });
    } catch (error) {
      // A dialog says so.
      if (isReadOnlyAccess(error)) hideToast(toast);
      else
        updateToast(toast, {
          ...toFailure(error, (title) => t`Not undone: ${{ why: toClause(title) }}`),
          action: { label: t`Try again`, run: () => void run(work, count, perform, gesture) },
        });
    }
    queryClient.removeQueries({ queryKey: EMAIL_LISTS_KEY, type: 'inactive' });
    queryClient.removeQueries({ queryKey: SUGGESTIONS_KEY, type: 'inactive' });
    void refresh(queryClient, SUGGESTIONS_KEY, SENDERS_KEY);
    await refresh(queryClient, HISTORY_KEY);
  };

  const undoByIds = async (ids: readonly string[], gesture: Gesture): Promise<Outcome> => {
    const results = await undoRecords(client, ids, gesture);
    const failed = results.filter((result) => result.status === 'error').length;
    const undone = results.filter(isUndone).length;
    const unchanged = results.length - failed - undone;
    return { undone, unchanged, failed, reasons: describeFailures(results) };
  };

  return {
    undoBatches(batches: readonly ActionBatch[]): void {
      if (batches.length === 0) return;
      const count = batches.reduce((sum, batch) => sum + countLeft(batch), 0);
      const ids = batches.map(({ id }) => id);
      const perform: PerformUndo = (gesture, onProgress) => undoBatches(client, batches, gesture, onProgress);
      void run({ kind: 'undo_batches', ids }, count, perform, beginGesture());
    },
    /** The same for ids. */
    undoBatchesById(ids: readonly string[], earlier?: KeptWork): void {
      const perform: PerformUndo = async (gesture, onProgress) => {
        const batches = await Promise.all(ids.map((id) => findBatch(client, id)));
        const known = batches.filter((batch) => batch !== undefined);
        return undoBatches(client, known, gesture, onProgress);
      };
      void run({ kind: 'undo_batches', ids: [...ids] }, 0, perform, beginGesture(earlier?.gestureId));
    },
    /** @param count - records left to undo */
    undoSender(query: RecordsOfSender, count: number): void {
      // Listed once, so that a retry is the same request.
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

const toggled = (set: ReadonlySet<string>, key: string): ReadonlySet<string> => {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
};

/** The active, ticked and open entries, and their undo. */
export const useBatchSelection = (batches: readonly ActionBatch[], undo: UndoHistory) => {
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set());
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(new Set());
  const activeIndex = batches.findIndex((batch) => batch.id === activeKey);
  const active = batches[activeIndex];
  const selected = useMemo(
    () => batches.filter((batch) => selectedKeys.has(batch.id) && canUndo(batch)),
    [batches, selectedKeys],
  );

  const move = (by: number) => {
    const target = activeIndex < 0 ? 0 : Math.min(batches.length - 1, Math.max(0, activeIndex + by));
    setActiveKey(batches[target]?.id ?? null);
  };
  const toggle = (key: string) => setSelectedKeys((current) => toggled(current, key));
  const toggleOpen = (key: string) => setOpenKeys((current) => toggled(current, key));
  const clear = () => setSelectedKeys(new Set());
  const undoSelected = () => {
    undo.undoBatches(selected.length > 0 ? selected : active && canUndo(active) ? [active] : []);
    clear();
  };

  useShortcuts([
    ...inGroup('Move', [
      [['j', 'ArrowDown'], t`Next entry`, () => move(1)],
      [['k', 'ArrowUp'], t`Entry before`, () => move(-1)],
      [['Enter', 'o'], t`Show or hide its emails`, () => active && toggleOpen(active.id)],
    ]),
    ...inGroup('Select', [
      [['x'], t`Select`, () => active && toggle(active.id)],
      [['Escape'], t`Clear the selection`, clear],
    ]),
    ...inGroup('Act', [[['shift+z'], t`Undo the selected entries`, undoSelected]]),
  ]);

  return {
    activeKey,
    selectedKeys,
    openKeys,
    selected,
    activate: setActiveKey,
    toggle,
    toggleOpen,
    clear,
    undoSelected,
    undoBatch: (batch: ActionBatch) => undo.undoBatches([batch]),
    undoSender: undo.undoSender,
    undoRecord: (recordId: string) => undo.undoRecords([recordId]),
  };
};

export type BatchSelection = ReturnType<typeof useBatchSelection>;
