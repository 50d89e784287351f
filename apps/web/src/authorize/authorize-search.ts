import type { AuthorizationError } from '@mailsweep/contracts';
import { readChoice, type Search } from '../address/read-search.ts';

const ERRORS = [
  'unknown_client',
  'unknown_redirect',
  'invalid_request',
] as const satisfies AuthorizationError[];

/** What the authorization endpoint hands over: a request to decide, or what is wrong with it. */
export interface AuthorizeSearch {
  request?: string | undefined;
  error?: AuthorizationError | undefined;
}

export const readAuthorizeSearch = (search: Search): AuthorizeSearch => ({
  request: typeof search.request === 'string' ? search.request : undefined,
  error: readChoice(search.error, ERRORS),
});
