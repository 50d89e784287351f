import type { AuthorizationError, UnknownClientReason } from '@mailsweep/contracts';
import { readChoice, type Search } from '../address/read-search.ts';

const ERRORS = [
  'unknown_client',
  'unknown_redirect',
  'invalid_request',
] as const satisfies AuthorizationError[];

const REASONS = ['invalid_id', 'unreachable', 'invalid', 'other_id'] as const satisfies UnknownClientReason[];

/** The authorization endpoint passes a request to decide, or an error. */
export interface AuthorizeSearch {
  request?: string | undefined;
  error?: AuthorizationError | undefined;
  reason?: UnknownClientReason | undefined;
}

export const readAuthorizeSearch = (search: Search): AuthorizeSearch => ({
  request: typeof search.request === 'string' ? search.request : undefined,
  error: readChoice(search.error, ERRORS),
  reason: readChoice(search.reason, REASONS),
});
