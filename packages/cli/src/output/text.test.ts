import { describe, expect, it } from 'vitest';
import { clean, countOf, toDuration, toJson, toSize } from './text.ts';

describe('a text of a stranger', () => {
  it.each([
    ['an escape sequence', '\u001b[2J\u001b]0;title\u0007Sale', '[2J]0;titleSale'],
    ['a control sequence in one character', 'Sale\u009b31m', 'Sale31m'],
    ['line breaks of all kinds', 'one\r\ntwo\u0085three\u2028four\tfive', 'one two three four five'],
    ['marks that turn the direction of writing', 'invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['backspaces and the null character', 'no\b\b\u0000yes', 'noyes'],
    ['nothing to be removed', 'Grüße 👩‍💻 山田', 'Grüße 👩‍💻 山田'],
  ])('has %s', (_what, text, cleaned) => {
    expect(clean(text)).toBe(cleaned);
  });

  it('is the same in JSON, with nothing that a terminal obeys', () => {
    const value = { subject: '\u001b[2J\u009b31m\u202e \u{e0001}x' };
    const text = toJson(value);
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(text)).toEqual(value);
  });
});

it('spells numbers as people read them', () => {
  expect([countOf(1, 'email'), countOf(3_362, 'email')]).toEqual(['1 email', '3,362 emails']);
  expect([toSize(0), toSize(999), toSize(48_210), toSize(1_240_000), toSize(12_400_000)]).toEqual([
    '0 B',
    '999 B',
    '48 kB',
    '1.2 MB',
    '12 MB',
  ]);
  expect([toDuration(16), toDuration(940), toDuration(5_400)]).toEqual(['16 s', '16 min', '1 h 30 min']);
});
