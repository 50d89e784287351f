import type { GmailRequest } from './gmail-request.ts';

/** Google's own address of the Gmail API. */
export const GMAIL_BASE_URL = 'https://gmail.googleapis.com';

const USER_PATH = '/gmail/v1/users/me/';
// Google compresses its responses only for a client whose name says gzip (Gmail API, "Improve performance").
const USER_AGENT = 'mailsweep (gzip)';

/**
 * The address below which all paths are; a path in it is preserved.
 *
 * @throws {TypeError} when `baseUrl` is no URL
 */
export const toRoot = (baseUrl: string): string => new URL(baseUrl).href.replace(/(?<!\/)\/+$/, '');

/** Path and query of a request, from the root on. */
export const toTarget = ({ path, query }: Pick<GmailRequest<unknown>, 'path' | 'query'>): string =>
  `${USER_PATH}${path}${query === undefined ? '' : `?${query}`}`;

export const toHeaders = (accessToken: string): Record<string, string> => ({
  authorization: `Bearer ${accessToken}`,
  'user-agent': USER_AGENT,
});
