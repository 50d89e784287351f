import { t } from '@lingui/core/macro';
import type { Shortcut } from '../../keyboard/shortcut.ts';

/** Rows that Page Up and Page Down pass over. */
const ROWS_PER_SCREEN = 10;

/** The keys that every list has, in the order of the help. */
export const listShortcuts = (list: {
  move: (by: number) => void;
  extend: (by: 1 | -1) => void;
  toggleActive: () => void;
  toggleAll: () => void;
}): { paging: Shortcut[]; selecting: Shortcut[] } => {
  const page = (key: string, by: number): Shortcut => ({
    keys: [key],
    label: key,
    group: 'Move',
    run: () => list.move(by),
    hidden: true,
  });
  return {
    paging: [
      page('PageDown', ROWS_PER_SCREEN),
      page('PageUp', -ROWS_PER_SCREEN),
      page('Home', -Infinity),
      page('End', Infinity),
    ],
    selecting: [
      { keys: ['x', 'Space'], label: t`Select`, group: 'Select', run: list.toggleActive },
      {
        keys: ['shift+j', 'shift+ArrowDown'],
        label: t`Extend down`,
        group: 'Select',
        run: () => list.extend(1),
      },
      {
        keys: ['shift+k', 'shift+ArrowUp'],
        label: t`Extend up`,
        group: 'Select',
        run: () => list.extend(-1),
      },
      { keys: ['a', 'mod+a'], label: t`Select all loaded`, group: 'Select', run: list.toggleAll },
    ],
  };
};
