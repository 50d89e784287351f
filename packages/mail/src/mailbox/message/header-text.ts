import libmime from 'libmime';

/** A header of a message, with its raw value. */
export interface MessageHeader {
  name: string;
  value: string;
}

/** Longest subject, in UTF-16 units: the longest line a mail may have (RFC 5322, 2.1.1). */
export const MAX_SUBJECT_LENGTH = 998;
export const MAX_SENDER_LENGTH = 512;
export const MAX_SNIPPET_LENGTH = 1_000;
/** How much of a header value is read, in UTF-16 units: far more than any text that is shown needs encoded. */
const MAX_ENCODED_LENGTH = 16_384;

/** The values of all headers with this name, in whatever case. */
export const findHeaders = (headers: readonly MessageHeader[], name: string): string[] =>
  headers.filter((header) => header.name.toLowerCase() === name.toLowerCase()).map(({ value }) => value);

/** The value of the first header with this name, in whatever case; undefined when there is none. */
export const findHeader = (headers: readonly MessageHeader[], name: string): string | undefined =>
  findHeaders(headers, name)[0];

/**
 * The text of a header: unfolded, with its encoded words decoded, also where a character is split across two of
 * them (RFC 2047), and cleaned as {@link toPlainText} does.
 *
 * @param value - the raw value; undefined when the header is missing, which reads as an empty text
 * @param maxLength - longest result in UTF-16 units
 */
export const decodeHeaderText = (value: string | undefined, maxLength: number): string => {
  if (value === undefined) return '';
  const unfolded = value.slice(0, MAX_ENCODED_LENGTH).replace(/\r?\n[ \t]+/g, ' ');
  // Cleaned before and after: libmime marks joints with NUL, and an encoded word can hide controls.
  const decoded = libmime.decodeWords(toPlainText(unfolded, MAX_ENCODED_LENGTH));
  return toPlainText(decoded.trim(), maxLength);
};

/**
 * Makes text from mail fit to store and show: line breaks and tabs become spaces, every other control character
 * goes (a database's JSON refuses NUL), a lone surrogate becomes U+FFFD.
 *
 * @param maxLength - longest result in UTF-16 units; a surrogate pair at the edge is left out whole
 */
export const toPlainText = (text: string, maxLength: number): string => {
  const clean = text
    .replace(/[\t\n\v\f\r]/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .toWellFormed();
  const cutsPair = /[\uD800-\uDBFF]/.test(clean.charAt(maxLength - 1));
  return clean.slice(0, cutsPair ? maxLength - 1 : maxLength);
};
