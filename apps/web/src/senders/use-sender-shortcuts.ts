import { t } from '@lingui/core/macro';
import { listShortcuts } from '../controls/list/list-shortcuts.ts';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import { inGroup } from '../keyboard/shortcut.ts';
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
    ...inGroup('Move', [
      [['j', 'ArrowDown'], t`Next sender`, () => triage.move(1)],
      [['k', 'ArrowUp'], t`Sender before`, () => triage.move(-1)],
      [['Enter', 'o'], t`Open the sender`, openActive],
    ]),
    ...paging,
    ...selecting,
    ...inGroup('Select', [[['Escape'], t`Clear the selection`, triage.clear]]),
    ...inGroup('Act', [
      [['e'], t`Archive all`, () => triage.requestForTargets('archive')],
      [['#', 'Delete'], t`Delete all`, () => triage.requestForTargets('delete')],
      [['u'], t`Mark all read or unread`, () => triage.requestForTargets(triage.readChange)],
      [['y'], t`Accept suggestions`, () => triage.requestForTargets('accept')],
      [['shift+s'], t`Scan my mailbox`, scan.start],
    ]),
  ]);
};
