import { t } from '@lingui/core/macro';

const toSpoken = (key: string): string => {
  switch (key) {
    case 'ArrowDown':
      return '↓';
    case 'ArrowUp':
      return '↑';
    case 'ArrowLeft':
      return '←';
    case 'ArrowRight':
      return '→';
    case 'Escape':
      return t`Esc`;
    case 'shift':
      return t`Shift`;
    case 'alt':
      return t`Alt`;
    case 'mod':
      return t`Ctrl`;
    case 'Enter':
      return t`Enter`;
    case 'Space':
      return t({ message: 'Space', context: 'key' });
    default:
      return key;
  }
};

/** The keys of a combination as the help shows them, for example `['Shift', 'J']`. */
export const toKeyCaps = (combination: string, isApple: boolean): string[] =>
  combination
    .split(' ')
    .flatMap((press) => (press === '+' ? ['+'] : press.split('+')))
    .map((key) => (key === 'mod' && isApple ? '⌘' : toSpoken(key)))
    .map((key) => (/^[a-z]$/.test(key) ? key.toUpperCase() : key));
