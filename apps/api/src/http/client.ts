import { UNKNOWN_CLIENT } from '@mailsweep/service-kit';
import Bowser from 'bowser';
import type { Request } from 'express';

/** What the audit trail says about the client of a request. */
export interface Client {
  /** The address as limits count it: IPv4, or the network of an IPv6 address. */
  address: string | null;
  /** Such as "Firefox on Windows". */
  browser: string | null;
}

export type ReadClient = (request: Request) => Client;

/** @param clientAddressOf - the address as limits count it */
export const createReadClient =
  (clientAddressOf: (request: Request) => string): ReadClient =>
  (request) => {
    const address = clientAddressOf(request);
    return {
      address: address === UNKNOWN_CLIENT ? null : address,
      browser: toBrowserName(request.get('user-agent')),
    };
  };

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
