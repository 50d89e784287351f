import { t } from '@lingui/core/macro';
import type { ActionBatch } from '@mailsweep/contracts';
import { useMemo, useState } from 'react';
import { useShortcuts } from '../../keyboard/keyboard-context.tsx';
import { inGroup } from '../../keyboard/shortcut.ts';
import { canUndo } from './history-batches.ts';
import type { UndoHistory } from './use-undo-history.ts';

const toggled = (set: ReadonlySet<string>, key: string): ReadonlySet<string> => {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
};

/** Which entry the keyboard is on, which are ticked, which are open; and their undo. */
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
