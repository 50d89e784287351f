import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../testing/any-text.ts';
import { toPlainText } from './header-text.ts';

describe('text from mail', () => {
  it('turns tabs and line breaks into spaces', () => {
    expect(toPlainText('a\tb\nc\rd\ve\ff', 100)).toBe('a b c d e f');
  });

  it('drops NUL and all other control characters', () => {
    expect(toPlainText('a\0b\u0007c\u001Bd\u007Fe\u0085f', 100)).toBe('abcdef');
  });

  it('replaces lone surrogates', () => {
    expect(toPlainText('a\uD83Db\uDE00c', 100)).toBe('a\uFFFDb\uFFFDc');
  });

  it('cuts a long text without splitting a surrogate pair', () => {
    expect(toPlainText('abcd', 3)).toBe('abc');
    expect(toPlainText('ab😀', 3)).toBe('ab');
    expect(toPlainText('ab😀', 4)).toBe('ab😀');
  });

  it('keeps right-to-left marks and every other printable character', () => {
    expect(toPlainText('\u200Fשלום\u200E ½ 日本', 100)).toBe('\u200Fשלום\u200E ½ 日本');
  });

  it('is well-formed, free of controls and short enough, whatever comes in', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 12 }), (text, maxLength) => {
        const plain = toPlainText(text, maxLength);
        expect(plain.isWellFormed()).toBe(true);
        expect(plain).not.toMatch(/\p{Cc}/u);
        expect(plain.length).toBeLessThanOrEqual(maxLength);
        expect(toPlainText(plain, maxLength)).toBe(plain);
      }),
    );
  });
});
