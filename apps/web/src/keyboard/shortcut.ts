/** Headings of the help, in its order. */
export const SHORTCUT_GROUPS = ['Go to', 'Move', 'Select', 'Act', 'Everywhere'] as const;
export type ShortcutGroup = (typeof SHORTCUT_GROUPS)[number];

/** One thing that the keyboard can do on the screen at hand. */
export interface Shortcut {
  /** Any of these, as `toKeyName` writes them; a sequence has a space, for example `g i`. */
  keys: string[];
  label: string;
  group: ShortcutGroup;
  run: () => void;
  /** Left out of the help, for second ways to the same thing. */
  hidden?: boolean;
}

/** Shortcuts under one heading. */
export const inGroup = (
  group: ShortcutGroup,
  shortcuts: readonly (readonly [keys: string[], label: string, run: () => void])[],
): Shortcut[] => shortcuts.map(([keys, label, run]) => ({ keys, label, group, run }));
