import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

const SIGNS: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→' };
const NAMES: Record<string, MessageDescriptor> = {
  Escape: msg`Esc`,
  shift: msg`Shift`,
  alt: msg`Alt`,
  mod: msg`Ctrl`,
  Enter: msg`Enter`,
  Space: msg({ message: 'Space', context: 'key' }),
};

const toSpoken = (key: string): string => {
  const name = NAMES[key];
  return name ? i18n._(name) : (SIGNS[key] ?? key);
};

/** The keys of a combination for the help, for example `['Shift', 'J']`. */
export const toKeyCaps = (combination: string, isApple: boolean): string[] =>
  combination
    .split(' ')
    .flatMap((press) => (press === '+' ? ['+'] : press.split('+')))
    .map((key) => (key === 'mod' && isApple ? '⌘' : toSpoken(key)))
    .map((key) => (/^[a-z]$/.test(key) ? key.toUpperCase() : key));
