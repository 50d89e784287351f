import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeHtmlEntities } from './html-entities.ts';

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

describe('HTML character references', () => {
  it('reads decimal, hexadecimal and named references', () => {
    expect(decodeHtmlEntities('It&#39;s &lt;b&gt; &amp; &quot;x&quot; &apos;y&apos; &#x1F600;')).toBe(
      `It's <b> & "x" 'y' 😀`,
    );
    expect(decodeHtmlEntities('a&nbsp;b')).toBe('a\u00A0b');
  });

  it('reads each reference once', () => {
    expect(decodeHtmlEntities('&amp;lt; &amp;#39;')).toBe('&lt; &#39;');
  });

  it('leaves alone what is no reference that it knows', () => {
    expect(decodeHtmlEntities('AT&T &copy; &; &#; &#x; & amp;')).toBe('AT&T &copy; &; &#; &#x; & amp;');
  });

  it('reads references to no character as the replacement character', () => {
    expect(decodeHtmlEntities('&#xD83D; &#999999999; &#x110000;')).toBe('\uFFFD \uFFFD \uFFFD');
  });

  it('undoes escaping', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeHtmlEntities(escapeHtml(text))).toBe(text);
      }),
    );
  });
});
