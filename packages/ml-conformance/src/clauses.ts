import type { Exchange } from './service.ts';

/** What a check found; only an error means that the service does not conform. */
export interface Finding {
  clause: Clause;
  severity: 'error' | 'warning' | 'info';
  /** What is wrong, in a sentence; the same for all emails that have the fault. */
  what: string;
  /** The ids of the emails that it is about; empty where it is about the whole request. */
  emails: readonly string[];
  change: string;
  exchange: Exchange;
}

export interface Check {
  clause: Clause;
  name: string;
  run(): Promise<Finding[]>;
}

export const describeResponse = ({ response, failure }: Exchange): string =>
  response === undefined ? `no response (${failure})` : `${response.status}`;

/** The clauses of the contract, each a heading of `docs/ML-CONTRACT.md`, which says more. */
export const CLAUSES = {
  'request-fields': 'A request is a JSON array of emails with seven fields; a valid one gets 200.',
  'request-unknown-fields': 'Fields that the contract does not name are ignored.',
  'request-text': 'Senders and subjects hold any text.',
  'request-dates': 'Dates are ISO 8601 with any offset, of any year.',
  'request-empty': 'An empty list gets 200 and no suggestions.',
  'request-limit': 'A request has at most 1,000 emails.',
  'request-invalid': 'A body that is no list of emails gets 400.',
  'token-required': 'A request without a token gets 401.',
  'token-signature': 'A token that was signed with another secret gets 401.',
  'token-algorithm': 'HS256 is the only algorithm; any other gets 401.',
  'token-expiry': 'A token that has expired, or never does, gets 401.',
  'token-audience': 'The audience of a token is `ml`; any other gets 401.',
  'token-issuer': 'The issuer of a token is `mailsweep-api`; any other gets 401.',
  'response-json': 'A response is JSON with the media type application/json.',
  'response-form': 'A response is a list of `{ id, suggestions }`, or a map from id to suggestions.',
  'response-ids': 'A response has each email of its own request once, and no other.',
  'response-suggestion': 'A suggestion has an action, a classification and a confidence from 0 to 1.',
  'response-size': 'An email has at most ten suggestions.',
  'response-stable':
    'The suggestions for an email do not depend on the other emails, their order, or earlier requests.',
  'time-budget': 'A response of up to 1,000 emails takes at most 5 seconds.',
  'time-abandoned': 'A request that its caller has given up does not delay others.',
} as const;

export type Clause = keyof typeof CLAUSES;
