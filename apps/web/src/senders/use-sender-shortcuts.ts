import { t } from '@lingui/core/macro';
import { listShortcuts } from '../controls/list/list-shortcuts.ts';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import type { ScanControl } from '../scan/use-scan.ts';
import type { SenderTriage } from './actions/use-sender-triage.ts';

/** The keys of the senders. */
export const useSenderShortcuts = (input: {
  triage: SenderTriage;
  scan: ScanControl;
  openId: string | undefined;
  setOpenId: (id: string | undefined) => void;
}): void => {
  const { triage, scan, openId, setOpenId } = input;
  const toggleOpen = () => {
    if (openId !== undefined) setOpenId(undefined);
    else if (triage.selection.activeId !== null) setOpenId(triage.selection.activeId);
  };
  const leave = () => {
    if (openId !== undefined) setOpenId(undefined);
    else triage.clear();
  };
  const { paging, selecting } = listShortcuts(triage);
  useShortcuts([
    { keys: ['j', 'ArrowDown'], label: t`Next sender`, group: 'Move', run: () => triage.move(1) },
    { keys: ['k', 'ArrowUp'], label: t`Sender before`, group: 'Move', run: () => triage.move(-1) },
    ...paging,
    { keys: ['Enter', 'o'], label: t`Open or close the sender`, group: 'Move', run: toggleOpen },
    ...selecting,
    { keys: ['Escape'], label: t`Close the sender or clear selection`, group: 'Select', run: leave },
    { keys: ['e'], label: t`Archive all`, group: 'Act', run: () => triage.requestForTargets('archive') },
    {
      keys: ['#', 'Delete'],
      label: t`Delete all`,
      group: 'Act',
      run: () => triage.requestForTargets('delete'),
    },
    {
      keys: ['u'],
      label: t`Mark all unread`,
      group: 'Act',
      run: () => triage.requestForTargets('mark_unread'),
    },
    {
      keys: ['y'],
      label: t`Accept suggestions`,
      group: 'Act',
      run: () => triage.requestForTargets('accept'),
    },
    {
      keys: ['n'],
      label: t`Reject suggestions of the open sender`,
      group: 'Act',
      run: () => triage.confirmChosen('reject'),
    },
    { keys: ['shift+s'], label: t`Scan my mailbox`, group: 'Act', run: scan.start },
  ]);
};
