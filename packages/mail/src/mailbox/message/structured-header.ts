/** One character of a header that means what it says: outside of comments, and of quoted strings. */
interface Plain {
  text: string;
  isQuoted: boolean;
}

/**
 * Reads a structured header (RFC 5322, 3.2): leaves comments out, which may nest, and tells what was quoted.
 *
 * @returns undefined where a comment or a quoted string does not end
 */
const readPlain = (value: string): Plain[] | undefined => {
  const plain: Plain[] = [];
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < value.length; index += 1) {
    const character = value.charAt(index);
    if (character === '\\' && (depth > 0 || isQuoted)) {
      index += 1;
      if (depth === 0) plain.push({ text: value.charAt(index), isQuoted: true });
    } else if (character === '"' && depth === 0) isQuoted = !isQuoted;
    else if (character === '(' && !isQuoted) depth += 1;
    else if (character === ')' && !isQuoted && depth > 0) depth -= 1;
    else if (depth === 0) plain.push({ text: character, isQuoted });
  }
  return depth > 0 || isQuoted ? undefined : plain;
};

/**
 * Splits a structured header at a separator, without its comments. A separator in quotes separates nothing.
 *
 * @returns trimmed parts, without their quotes; undefined where the header is malformed
 */
export const splitHeader = (value: string, separator: string): string[] | undefined => {
  const plain = readPlain(value);
  if (plain === undefined) return undefined;
  const parts = [''];
  for (const { text, isQuoted } of plain) {
    if (text === separator && !isQuoted) parts.push('');
    else parts[parts.length - 1] += text;
  }
  return parts.map((part) => part.replace(/\s+/g, ' ').trim());
};
