import { describe, expect, it } from 'vitest';
import { toKeyCaps } from './key-caps.ts';
import { isSingleCharacter, type KeyPress, toKeyName } from './key-combination.ts';

describe('the name of a key press', () => {
  it.each<[string, Partial<KeyPress> & { key: string }]>([
    ['j', { key: 'j' }],
    ['shift+j', { key: 'J', shiftKey: true }],
    ['j', { key: 'J' }],
    ['#', { key: '#', shiftKey: true }],
    ['?', { key: '?', shiftKey: true }],
    ['mod+k', { key: 'k', ctrlKey: true }],
    ['mod+k', { key: 'k', metaKey: true }],
    ['shift+ArrowDown', { key: 'ArrowDown', shiftKey: true }],
    ['Space', { key: ' ' }],
  ])('is %s for %o', (name, press) => {
    expect(toKeyName({ shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...press })).toBe(
      name,
    );
  });
});

it('counts letters, signs and their sequences as single-character shortcuts, but no other keys', () => {
  expect(['j', '#', 'g i', 'shift+j'].every(isSingleCharacter)).toBe(true);
  expect(['mod+k', 'Enter', 'ArrowDown', 'Escape'].some(isSingleCharacter)).toBe(false);
});

it('shows keys as they are printed on the keyboard', () => {
  expect(toKeyCaps('mod+k', true)).toEqual(['⌘', 'K']);
  expect(toKeyCaps('mod+k', false)).toEqual(['Ctrl', 'K']);
  expect(toKeyCaps('g i', false)).toEqual(['G', 'I']);
});
