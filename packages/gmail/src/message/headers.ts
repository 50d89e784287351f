import libmime from 'libmime';
import type { MessageHeader } from '../gmail-schemas.ts';
import { toPlainText } from './text.ts';

/** How much of a header value is read, in UTF-16 units: far more than any text that is shown needs encoded. */
const MAX_ENCODED_LENGTH = 16_384;

/** The value of the first header with this name, in whatever case; undefined when there is none. */
export const findHeader = (headers: readonly MessageHeader[], name: string): string | undefined =>
  headers.find((header) => header.name.toLowerCase() === name.toLowerCase())?.value;

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
