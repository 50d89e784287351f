/** Control and format characters, and letters that show nothing: they hide, reorder or imitate what is around them. */
const UNSEEN = /[\p{Cc}\p{Cf}\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/gu;

/**
 * Makes a name that comes from outside (a program's, a user's, a server's) fit to store and show on one line.
 *
 * @param maxLength - longest result in characters
 * @returns empty where nothing is left to show
 */
export const toPlainName = (text: string, maxLength: number): string =>
  [...text.toWellFormed().replace(/\s/g, ' ').replaceAll(UNSEEN, '')].slice(0, maxLength).join('').trim();
