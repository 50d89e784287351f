/** The part of a keyboard event that decides which shortcut it is. */
export interface KeyPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/**
 * Names a key press as shortcuts are written: `j`, `shift+j`, `#`, `mod+k`, `Enter`, `shift+ArrowDown`.
 * `mod` is Ctrl or Cmd. For signs such as `#` and `?` Shift is not named: the layout decides whether it is needed.
 */
export const toKeyName = (press: KeyPress): string => {
  const isLetter = /^[a-z]$/i.test(press.key);
  const isSign = press.key.length === 1 && !isLetter && press.key !== ' ';
  const key = isLetter ? press.key.toLowerCase() : press.key === ' ' ? 'Space' : press.key;
  const parts = [];
  if (press.ctrlKey || press.metaKey) parts.push('mod');
  if (press.altKey) parts.push('alt');
  if (press.shiftKey && !isSign) parts.push('shift');
  return [...parts, key].join('+');
};

/** Whether a shortcut is one plain character, as WCAG 2.1.4 means it: those can be switched off. */
export const isSingleCharacter = (combination: string): boolean =>
  combination.split(' ').every((key) => !key.startsWith('mod+') && !key.startsWith('alt+')) &&
  combination.split(' ').some((key) => key.replace('shift+', '').length === 1);

const SPOKEN: Record<string, string> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  shift: 'Shift',
  alt: 'Alt',
  Enter: 'Enter',
  Space: 'Space',
};

/** The keys of a combination as the help shows them, for example `['Shift', 'J']`. */
export const toKeyCaps = (combination: string, isApple: boolean): string[] =>
  combination
    .split(' ')
    .flatMap((press) => (press === '+' ? ['+'] : press.split('+')))
    .map((key) => (key === 'mod' ? (isApple ? '⌘' : 'Ctrl') : (SPOKEN[key] ?? key)))
    .map((key) => (/^[a-z]$/.test(key) ? key.toUpperCase() : key));
