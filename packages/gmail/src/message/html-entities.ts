const NAMED_CHARACTERS = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00A0'],
]);
const LAST_CODE_POINT = 0x10ffff;
const REPLACEMENT_CHARACTER = '\uFFFD';

const toCharacter = (codePoint: number): string =>
  codePoint <= LAST_CODE_POINT ? String.fromCodePoint(codePoint).toWellFormed() : REPLACEMENT_CHARACTER;

/**
 * Turns the character references of an HTML-escaped text into characters, each once: `&amp;lt;` reads `&lt;`.
 * Covers numeric references and the names that escaping produces (HTML Living Standard, 13.1.4); others stay.
 */
export const decodeHtmlEntities = (html: string): string =>
  html.replace(
    /&(?:#x([0-9a-f]{1,8})|#(\d{1,9})|([a-z]{2,4}));/gi,
    (reference: string, hex?: string, decimal?: string, name?: string) => {
      if (hex !== undefined) return toCharacter(Number.parseInt(hex, 16));
      if (decimal !== undefined) return toCharacter(Number.parseInt(decimal, 10));
      return NAMED_CHARACTERS.get(name ?? '') ?? reference;
    },
  );
