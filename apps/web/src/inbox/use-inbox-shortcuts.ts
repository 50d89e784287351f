import { t } from '@lingui/core/macro';
import { listShortcuts } from '../controls/list/list-shortcuts.ts';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import type { Triage } from './actions/use-triage.ts';

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
  const { paging, selecting } = listShortcuts(triage);
  useShortcuts([
    { keys: ['j', 'ArrowDown'], label: t`Next email`, group: 'Move', run: () => triage.move(1) },
    { keys: ['k', 'ArrowUp'], label: t`Email before`, group: 'Move', run: () => triage.move(-1) },
    ...paging,
    {
      keys: ['Enter', 'o'],
      label: t`Show or hide details`,
      group: 'Move',
      run: toggleDetails,
    },
    ...selecting,
    { keys: ['s'], label: t`Select all from this sender`, group: 'Select', run: triage.selectSender },
    { keys: ['Escape'], label: t`Close details or clear selection`, group: 'Select', run: leave },
    { keys: ['e'], label: t`Archive`, group: 'Act', run: () => triage.requestForTargets('archive') },
    { keys: ['#', 'Delete'], label: t`Delete`, group: 'Act', run: () => triage.requestForTargets('delete') },
    {
      keys: ['u'],
      label: t`Mark read or unread`,
      group: 'Act',
      run: () => triage.requestForTargets(triage.readChange),
    },
  ]);
};
