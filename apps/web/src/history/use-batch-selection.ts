import { useMemo, useState } from 'react';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import { type HistoryBatch, undoableRecords } from './history-batches.ts';

const toggled = (set: ReadonlySet<string>, key: string): ReadonlySet<string> => {
  const next = new Set(set);
  if (!next.delete(key)) next.add(key);
  return next;
};

const idsOf = (batches: readonly HistoryBatch[]): string[] =>
  batches.flatMap((batch) => undoableRecords(batch).map((record) => record.id));

/** Which entry the keyboard is on, which are ticked, which are open; and their undo. */
export const useBatchSelection = (
  batches: readonly HistoryBatch[],
  undo: (recordIds: readonly string[]) => void,
) => {
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const [selectedKeys, setSelectedKeys] = useState<ReadonlySet<string>>(new Set());
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(new Set());
  const activeIndex = batches.findIndex((batch) => batch.key === activeKey);
  const active = batches[activeIndex];
  const selected = useMemo(
    () => batches.filter((batch) => selectedKeys.has(batch.key)),
    [batches, selectedKeys],
  );
  const selectedRecordIds = useMemo(() => idsOf(selected), [selected]);

  const move = (by: number) => {
    const target = activeIndex < 0 ? 0 : Math.min(batches.length - 1, Math.max(0, activeIndex + by));
    setActiveKey(batches[target]?.key ?? null);
  };
  const toggle = (key: string) => setSelectedKeys((current) => toggled(current, key));
  const toggleOpen = (key: string) => setOpenKeys((current) => toggled(current, key));
  const clear = () => setSelectedKeys(new Set());
  const undoSelected = () => {
    undo(selectedRecordIds.length > 0 ? selectedRecordIds : idsOf(active ? [active] : []));
    clear();
  };

  useShortcuts([
    { keys: ['j', 'ArrowDown'], label: 'Next entry', group: 'Move', run: () => move(1) },
    { keys: ['k', 'ArrowUp'], label: 'Entry before', group: 'Move', run: () => move(-1) },
    {
      keys: ['Enter', 'o'],
      label: 'Show or hide its emails',
      group: 'Move',
      run: () => active && toggleOpen(active.key),
    },
    { keys: ['x'], label: 'Select', group: 'Select', run: () => active && toggle(active.key) },
    { keys: ['Escape'], label: 'Clear the selection', group: 'Select', run: clear },
    { keys: ['shift+z'], label: 'Undo the selected entries', group: 'Act', run: undoSelected },
  ]);

  return {
    activeKey,
    selectedKeys,
    openKeys,
    selectedRecordIds,
    activate: setActiveKey,
    toggle,
    toggleOpen,
    clear,
    undoSelected,
    undoBatch: (batch: HistoryBatch) => undo(idsOf([batch])),
    undoRecord: (recordId: string) => undo([recordId]),
  };
};

export type BatchSelection = ReturnType<typeof useBatchSelection>;
