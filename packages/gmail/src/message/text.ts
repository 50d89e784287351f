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
