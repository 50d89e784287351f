/** The relevant part of a keyboard event. */
export interface KeyPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/**
 * Names a key press as shortcuts do: `j`, `shift+j`, `#`, `mod+k`, `Enter`, `shift+ArrowDown`. `mod` is Ctrl or Cmd.
 * Signs such as `#` omit Shift, as layouts differ.
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

/** Whether a shortcut is a plain character (WCAG 2.1.4), which can be switched off. */
export const isSingleCharacter = (combination: string): boolean =>
  combination.split(' ').every((key) => !key.startsWith('mod+') && !key.startsWith('alt+')) &&
  combination.split(' ').some((key) => key.replace('shift+', '').length === 1);
