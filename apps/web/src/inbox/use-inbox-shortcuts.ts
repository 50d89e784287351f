import { t } from '@lingui/core/macro';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import type { Triage } from './actions/use-triage.ts';

/** Rows that Page Up and Page Down pass over. */
const ROWS_PER_SCREEN = 12;

/** The keys of the inbox. */
export const useInboxShortcuts = (input: {
  triage: Triage;
  isDetailsOpen: boolean;
  setOpenId: (id: string | undefined) => void;
}): void => {
  const { triage, isDetailsOpen, setOpenId } = input;
  const toggleDetails = () => {
    if (isDetailsOpen) setOpenId(undefined);
    else if (triage.selection.activeId !== null) setOpenId(triage.selection.activeId);
  };
  const leave = () => {
    if (isDetailsOpen) setOpenId(undefined);
    else triage.clear();
  };
  useShortcuts([
    { keys: ['j', 'ArrowDown'], label: t`Next email`, group: 'Move', run: () => triage.move(1) },
    { keys: ['k', 'ArrowUp'], label: t`Email before`, group: 'Move', run: () => triage.move(-1) },
    {
      keys: ['PageDown'],
      label: t`Down a screen`,
      group: 'Move',
      run: () => triage.move(ROWS_PER_SCREEN),
      hidden: true,
    },
    {
      keys: ['PageUp'],
      label: t`Up a screen`,
      group: 'Move',
      run: () => triage.move(-ROWS_PER_SCREEN),
      hidden: true,
    },
    { keys: ['Home'], label: t`First email`, group: 'Move', run: () => triage.move(-Infinity), hidden: true },
    {
      keys: ['End'],
      label: t`Last loaded email`,
      group: 'Move',
      run: () => triage.move(Infinity),
      hidden: true,
    },
    {
      keys: ['Enter', 'o'],
      label: t`Show or hide details`,
      group: 'Move',
      run: toggleDetails,
    },
    { keys: ['x', 'Space'], label: t`Select`, group: 'Select', run: triage.toggleActive },
    {
      keys: ['shift+j', 'shift+ArrowDown'],
      label: t`Extend down`,
      group: 'Select',
      run: () => triage.extend(1),
    },
    {
      keys: ['shift+k', 'shift+ArrowUp'],
      label: t`Extend up`,
      group: 'Select',
      run: () => triage.extend(-1),
    },
    { keys: ['a', 'mod+a'], label: t`Select all loaded`, group: 'Select', run: triage.toggleAll },
    { keys: ['s'], label: t`Select all from this sender`, group: 'Select', run: triage.selectSender },
    { keys: ['Escape'], label: t`Close details or clear selection`, group: 'Select', run: leave },
    { keys: ['e'], label: t`Archive`, group: 'Act', run: () => triage.requestForTargets('archive') },
    { keys: ['#', 'Delete'], label: t`Delete`, group: 'Act', run: () => triage.requestForTargets('delete') },
    { keys: ['u'], label: t`Mark unread`, group: 'Act', run: () => triage.requestForTargets('mark_unread') },
  ]);
};
