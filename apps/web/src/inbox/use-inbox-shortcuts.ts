import { t } from '@lingui/core/macro';
import { listShortcuts } from '../controls/list/list-shortcuts.ts';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import { inGroup } from '../keyboard/shortcut.ts';
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
    ...inGroup('Move', [
      [['j', 'ArrowDown'], t`Next email`, () => triage.move(1)],
      [['k', 'ArrowUp'], t`Email before`, () => triage.move(-1)],
      [['Enter', 'o'], t`Show or hide details`, toggleDetails],
    ]),
    ...paging,
    ...selecting,
    ...inGroup('Select', [
      [['s'], t`Select all from this sender`, triage.selectSender],
      [['Escape'], t`Close details or clear selection`, leave],
    ]),
    ...inGroup('Act', [
      [['e'], t`Archive`, () => triage.requestForTargets('archive')],
      [['#', 'Delete'], t`Delete`, () => triage.requestForTargets('delete')],
      [['u'], t`Mark read or unread`, () => triage.requestForTargets(triage.readChange)],
    ]),
  ]);
};
