/** What one kind of problem means to a client of the API. */
export interface ProblemKind {
  status: number;
  /** What to do about it: a sentence in Markdown. */
  remedy: string;
}

const WAIT = 'Wait for `Retry-After` seconds.';
const SEND_VALID_JSON = 'Send valid JSON, each key once, at most 32 levels deep and with at most 1,000 keys.';

const kinds = <const Code extends string>(catalogue: Record<Code, ProblemKind>) => catalogue;

/** Every kind of problem document of the API, by its code. */
export const PROBLEM_KINDS = kinds({
  validation_failed: {
    status: 400,
    remedy: 'Correct the fields that `errors` names. An installation may use the status 422 for this code.',
  },
  malformed_json: { status: 400, remedy: SEND_VALID_JSON },
  duplicate_key: { status: 400, remedy: SEND_VALID_JSON },
  json_too_complex: { status: 400, remedy: SEND_VALID_JSON },
  bad_request: {
    status: 400,
    remedy: 'Send the request again, whole: it could not be read to its end.',
  },
  malformed_path: { status: 400, remedy: 'Percent-encode the parts of the path as UTF-8.' },

  unauthorized: { status: 401, remedy: 'Sign in, or use a personal access token that has not ended.' },
  reauth_required: { status: 401, remedy: 'Sign in again: the mailbox connection has ended.' },
  missing_scope: { status: 401, remedy: 'Sign in again, and tick the box for Gmail on Google’s page.' },
  recent_sign_in_required: {
    status: 401,
    remedy: 'Sign in again, then repeat the request. The session is still valid.',
  },

  insufficient_scope: { status: 403, remedy: 'Use a token with the scope that `detail` names.' },
  confirmation_required: {
    status: 403,
    remedy: 'Plan a cleanup and run it, which the user then confirms.',
  },
  session_required: { status: 403, remedy: 'Sign in: no personal access token is taken here.' },
  cross_site_request: { status: 403, remedy: 'Call from the origin of the front end.' },
  forbidden: { status: 403, remedy: 'Sign in again, and grant access to Gmail: the provider refuses it.' },
  mail_service_disabled: { status: 403, remedy: 'Use another account: this one has no Gmail.' },
  domain_policy: {
    status: 403,
    remedy: 'Ask the administrator of the Google account to trust this app.',
  },

  not_found: {
    status: 404,
    remedy: 'Check the id. What belongs to other users is not found, either, nor what was deleted.',
  },
  route_not_found: { status: 404, remedy: 'Check method and path.' },
  method_not_allowed: { status: 405, remedy: 'Send the method that `Allow` names.' },

  idempotency_request_in_flight: {
    status: 409,
    remedy: 'Wait for `Retry-After` seconds, then send the same request with the same key again.',
  },
  wrong_state: {
    status: 409,
    remedy:
      'Read its state again: the cleanup is not in one that allows it, or a run of the rule is in flight.',
  },
  label_gone: { status: 409, remedy: 'Try again: the label was deleted in the mailbox meanwhile.' },
  unsubscribe_not_offered: { status: 409, remedy: 'No email of this sender says how to unsubscribe.' },
  push_unavailable: {
    status: 409,
    remedy: 'Offer no notifications in the browser: the operator has not set up Web Push.',
  },
  too_many_protections: {
    status: 409,
    remedy: 'A user protects at most 1,000 senders: end the protection of another one.',
  },
  too_many_rules: { status: 409, remedy: 'A user has at most 100 rules: delete another one.' },
  too_many_tokens: { status: 409, remedy: 'Revoke a token that is not used any more.' },
  too_many_subscriptions: {
    status: 409,
    remedy: 'End the subscription of a browser that is not used any more.',
  },

  body_too_large: { status: 413, remedy: 'Send at most 256 kB in one request.' },
  unsupported_media_type: { status: 415, remedy: 'Send `content-type: application/json`, in UTF-8.' },
  idempotency_key_reused: { status: 422, remedy: 'Use a new key for another request.' },

  too_many_requests: { status: 429, remedy: WAIT },
  too_many_requests_in_flight: {
    status: 429,
    remedy: 'Wait for the responses to your other requests. Of exports, one is in flight at a time.',
  },
  too_many_scans: { status: 429, remedy: `A user starts at most 20 scans a minute. ${WAIT}` },
  too_many_plans: { status: 429, remedy: `A user makes at most 60 plans a minute. ${WAIT}` },
  too_many_tests: { status: 429, remedy: `A user sends a few test notifications at a time. ${WAIT}` },

  internal_error: { status: 500, remedy: 'Report the `requestId` to the operator.' },

  overloaded: { status: 503, remedy: WAIT },
  database_unavailable: { status: 503, remedy: WAIT },
  mailbox_busy: { status: 503, remedy: WAIT },
  mailbox_unavailable: { status: 503, remedy: WAIT },
  rate_limited: { status: 503, remedy: WAIT },
  daily_limit_exceeded: {
    status: 503,
    remedy:
      'Wait: the daily quota of the Google project begins again at midnight Pacific time, which `Retry-After` names.',
  },
  gmail_api_disabled: { status: 503, remedy: 'The operator enables the Gmail API, and waits some minutes.' },
  provider_configuration: {
    status: 503,
    remedy: 'The operator finds in the log why Google does not accept the OAuth client.',
  },
});

/** Stable name of a kind of problem. */
export type ProblemCode = keyof typeof PROBLEM_KINDS;
