import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeHeaderText, findHeader, toPlainText } from './header-text.ts';

const decode = (value: string): string => decodeHeaderText(value, 998);

describe('finding a header', () => {
  it('takes the first of its name, in whatever case', () => {
    const headers = [
      { name: 'Received', value: 'r' },
      { name: 'SUBJECT', value: 'first' },
      { name: 'Subject', value: 'second' },
    ];
    expect(findHeader(headers, 'Subject')).toBe('first');
    expect(findHeader(headers, 'From')).toBeUndefined();
  });
});

describe('the text of a header', () => {
  it('reads encoded words in base64 and quoted-printable, in old character sets too', () => {
    expect(decode('=?utf-8?B?w6Q=?= =?ISO-8859-1?Q?=F6_u?= x')).toBe('äö u x');
    expect(decode('=?koi8-r?B?8NLJ18XU?=')).toBe('Привет');
    expect(decode('=?ISO-2022-JP?B?GyRCRnxLXDhsGyhC?=')).toBe('日本語');
    expect(decode('=?gb18030?B?xOO6ww==?=')).toBe('你好');
  });

  it('joins a character whose bytes are split across two encoded words', () => {
    expect(decode('=?utf-8?Q?=C3?=\r\n =?utf-8?Q?=A4?=')).toBe('ä');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), fc.nat(), (text, cut) => {
        const bytes = Buffer.from(text);
        const at = cut % bytes.length;
        const words = [bytes.subarray(0, at), bytes.subarray(at)].map(
          (part) => `=?utf-8?B?${part.toString('base64')}?=`,
        );
        expect(decode(words.join('\r\n '))).toBe(toPlainText(text.trim(), 998));
      }),
    );
  });

  it('leaves encoded words that are broken as they are', () => {
    expect(decode('=?utf-8?Q?no end')).toBe('=?utf-8?Q?no end');
    expect(decode('=?no-such-charset?Q?abc?=')).toBe('abc');
  });

  it('unfolds long values and trims them', () => {
    expect(decode(' a\r\n b\n\tc ')).toBe('a b c');
  });

  it('keeps 8-bit junk readable as far as it is', () => {
    expect(decode('caf\u00C3\u00A9 \uFFFD')).toBe('caf\u00C3\u00A9 \uFFFD');
  });

  it('drops controls, also those hidden in an encoded word', () => {
    expect(decode('a\0b =?utf-8?Q?c=00d=0D=0Ae?=')).toBe('ab cd  e');
  });

  it('reads a missing header as an empty text', () => {
    expect(decodeHeaderText(undefined, 998)).toBe('');
  });

  it('cuts long values, 100 kB ones too', () => {
    expect(decode('x'.repeat(100_000))).toHaveLength(998);
    expect(decode('=?utf-8?B?8J+YgA==?= '.repeat(5_000)).isWellFormed()).toBe(true);
  });

  it('never throws and never lets a control or a lone surrogate through', () => {
    const pieces = fc.constantFrom(
      '=?',
      '?=',
      '?Q?',
      '?B?',
      'utf-8',
      '=C3',
      'w6Q=',
      ' ',
      '\r\n ',
      '\0',
      '\uD83D',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (parts) => {
        const text = decode(parts.join(''));
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});
