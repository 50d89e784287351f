import { readAuthors, writeAuthors } from '@mailsweep/contracts';
import { decodeHeaderText, MAX_SENDER_LENGTH } from './header-text.ts';

/** Longest name that is decoded, in UTF-16 units. */
const MAX_NAME_LENGTH = 16_384;

const decodeName = (text: string): string => decodeHeaderText(text, MAX_NAME_LENGTH);

/**
 * Reads the sender of an email: the authors as `readAuthors` reads their text again. Where programs disagree who they are,
 * the sender is unclear, and the text is for people alone.
 *
 * @param fields - the raw values of all From fields; several leave open which one counts
 */
export const readFrom = (fields: readonly string[]): { from: string; isSenderUnclear: boolean } => {
  const [only = '', ...others] = fields.map((field) => field.trim());
  const authors = others.length > 0 ? [] : readAuthors(only, decodeName);
  const from = writeAuthors(authors, MAX_SENDER_LENGTH);
  const shown = () => decodeHeaderText([only, ...others].join(' / '), MAX_SENDER_LENGTH);
  return { from: from ?? shown(), isSenderUnclear: from === undefined };
};
