import { t } from '@lingui/core/macro';
import { useShortcuts } from '../keyboard/keyboard-context.tsx';
import type { ScanControl } from '../scan/use-scan.ts';
import type { SenderTriage } from './actions/use-sender-triage.ts';

/** Rows that Page Up and Page Down pass over. */
const ROWS_PER_SCREEN = 10;

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
  useShortcuts([
    { keys: ['j', 'ArrowDown'], label: t`Next sender`, group: 'Move', run: () => triage.move(1) },
    { keys: ['k', 'ArrowUp'], label: t`Sender before`, group: 'Move', run: () => triage.move(-1) },
    ...(
      [
        ['PageDown', ROWS_PER_SCREEN],
        ['PageUp', -ROWS_PER_SCREEN],
        ['Home', -Infinity],
        ['End', Infinity],
      ] as const
    ).map(([key, by]) => ({
      keys: [key],
      label: key,
      group: 'Move' as const,
      run: () => triage.move(by),
      hidden: true,
    })),
    { keys: ['Enter', 'o'], label: t`Open or close the sender`, group: 'Move', run: toggleOpen },
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
