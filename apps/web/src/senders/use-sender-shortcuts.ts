import { t } from '@lingui/core/macro';
import { listShortcuts } from '../controls/list/list-shortcuts.ts';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import type { ScanControl } from '../scan/use-scan.ts';
import type { SenderTriage } from './actions/use-sender-triage.ts';

/** The keys of the senders. */
export const useSenderShortcuts = (triage: SenderTriage, scan: ScanControl): void => {
  const openActive = () => {
    const { activeId } = triage.selection;
    if (activeId !== null) triage.openSender(activeId);
  };
  const { paging, selecting } = listShortcuts(triage);
  useShortcuts([
    { keys: ['j', 'ArrowDown'], label: t`Next sender`, group: 'Move', run: () => triage.move(1) },
    { keys: ['k', 'ArrowUp'], label: t`Sender before`, group: 'Move', run: () => triage.move(-1) },
    ...paging,
    { keys: ['Enter', 'o'], label: t`Open the sender`, group: 'Move', run: openActive },
    ...selecting,
    { keys: ['Escape'], label: t`Clear the selection`, group: 'Select', run: triage.clear },
    { keys: ['e'], label: t`Archive all`, group: 'Act', run: () => triage.requestForTargets('archive') },
    {
      keys: ['#', 'Delete'],
      label: t`Delete all`,
      group: 'Act',
      run: () => triage.requestForTargets('delete'),
    },
    {
      keys: ['u'],
      label: t`Mark all read or unread`,
      group: 'Act',
      run: () => triage.requestForTargets(triage.readChange),
    },
    {
      keys: ['y'],
      label: t`Accept suggestions`,
      group: 'Act',
      run: () => triage.requestForTargets('accept'),
    },
    { keys: ['shift+s'], label: t`Scan my mailbox`, group: 'Act', run: scan.start },
  ]);
};
