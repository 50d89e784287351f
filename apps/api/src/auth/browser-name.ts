import Bowser from 'bowser';

/** Longest part of a User-Agent header that is parsed, in characters; real ones are shorter. */
const MAX_USER_AGENT_LENGTH = 512;
const BROWSER_NAMES = new Set<string>(Object.values(Bowser.BROWSER_MAP));
const SYSTEM_NAMES = new Set<string>(Object.values(Bowser.OS_MAP));

/**
 * A readable name for the browser that sent a User-Agent header, such as "Firefox on Windows". For an unknown client
 * the library takes a name out of the header itself; only names of its own lists are passed on, so that a client
 * cannot choose the text.
 *
 * @returns null when the browser is not known
 */
export const toBrowserName = (userAgent: string | undefined): string | null => {
  if (userAgent === undefined || userAgent === '') return null;
  const { browser, os } = Bowser.parse(userAgent.slice(0, MAX_USER_AGENT_LENGTH));
  if (browser.name === undefined || !BROWSER_NAMES.has(browser.name)) return null;
  return os.name !== undefined && SYSTEM_NAMES.has(os.name) ? `${browser.name} on ${os.name}` : browser.name;
};
