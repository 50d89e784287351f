import { t } from '@lingui/core/macro';
import type { ActionBatch } from '@mailsweep/contracts';
import { useMemo, useState } from 'react';
import { useShortcuts } from '../../keyboard/keyboard-context.tsx';
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
    { keys: ['j', 'ArrowDown'], label: t`Next entry`, group: 'Move', run: () => move(1) },
    { keys: ['k', 'ArrowUp'], label: t`Entry before`, group: 'Move', run: () => move(-1) },
    {
      keys: ['Enter', 'o'],
      label: t`Show or hide its emails`,
      group: 'Move',
      run: () => active && toggleOpen(active.id),
    },
    { keys: ['x'], label: t`Select`, group: 'Select', run: () => active && toggle(active.id) },
    { keys: ['Escape'], label: t`Clear the selection`, group: 'Select', run: clear },
    { keys: ['shift+z'], label: t`Undo the selected entries`, group: 'Act', run: undoSelected },
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
