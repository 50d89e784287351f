import { t } from '@lingui/core/macro';
import { inGroup, type Shortcut } from '../../keyboard/shortcut.ts';

/** Rows that Page Up and Page Down pass over. */
const ROWS_PER_SCREEN = 10;

/** The keys that every list has, in the order of the help. */
export const listShortcuts = (list: {
  move: (by: number) => void;
  extend: (by: 1 | -1) => void;
  toggleActive: () => void;
  toggleAll: () => void;
}): { paging: Shortcut[]; selecting: Shortcut[] } => {
  const steps = { PageDown: ROWS_PER_SCREEN, PageUp: -ROWS_PER_SCREEN, Home: -Infinity, End: Infinity };
  return {
    paging: Object.entries(steps).map(([key, by]) => ({
      keys: [key],
      label: key,
      group: 'Move',
      run: () => list.move(by),
      hidden: true,
    })),
    selecting: inGroup('Select', [
      [['x', 'Space'], t`Select`, list.toggleActive],
      [['shift+j', 'shift+ArrowDown'], t`Extend down`, () => list.extend(1)],
      [['shift+k', 'shift+ArrowUp'], t`Extend up`, () => list.extend(-1)],
      [['a', 'mod+a'], t`Select all loaded`, list.toggleAll],
    ]),
  };
};
