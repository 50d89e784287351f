/** What one kind of problem means to a client of the API. */
export interface ProblemKind {
  status: number;
  /** What to do about it: a sentence in Markdown. */
  remedy: string;
}

const WAIT = 'Wait for `Retry-After` seconds.';
const SEND_VALID_JSON = 'Send valid JSON, each key once, at most 32 levels deep and with at most 1,000 keys.';

const ofStatus = <const Code extends string>(status: number, remedies: Record<Code, string>) =>
  Object.fromEntries(Object.entries(remedies).map(([code, remedy]) => [code, { status, remedy }])) as Record<
    Code,
    ProblemKind
  >;

export const PROBLEM_KINDS = {
  ...ofStatus(400, {
    validation_failed:
      'Correct the fields that `errors` names. An installation may use the status 422 for this code.',
    malformed_json: SEND_VALID_JSON,
    duplicate_key: SEND_VALID_JSON,
    json_too_complex: SEND_VALID_JSON,
    bad_request: 'Send the request again, whole: it could not be read to its end.',
    malformed_path: 'Percent-encode the parts of the path as UTF-8.',
  }),
  ...ofStatus(401, {
    unauthorized: 'Sign in, or use a personal access token that has not ended.',
    reauth_required: 'Sign in again: the mailbox connection has ended.',
    missing_scope: 'Sign in again, and tick the box for Gmail on Google’s page.',
    recent_sign_in_required: 'Sign in again, then repeat the request. The session is still valid.',
  }),
  ...ofStatus(403, {
    insufficient_scope: 'Use a token with the scope that `detail` names.',
    confirmation_required: 'Plan a cleanup and run it, which the user then confirms.',
    session_required: 'Sign in: no personal access token is taken here.',
    cross_site_request: 'Call from the origin of the front end.',
    user_changed:
      'Load the page again: another user has signed in to this browser than `Mailsweep-User` names.',
    mailbox_not_reachable:
      'Name a mailbox of `GET /api/v1/me/mailboxes`, or none: `Mailsweep-Mailbox` names one that this session or token is not for.',
    forbidden: 'Sign in again, and grant access to Gmail: the provider refuses it.',
    read_only_access:
      'Send the browser to `/auth/idp?renew=true&access=change`: the user has only let Mailsweep look, as `canChange` of `GET /api/v1/me` says.',
    not_permitted: 'Ask who shares the mailbox for the rights to change it.',
    mail_service_disabled: 'Use another account: this one has no Gmail.',
    domain_policy: 'Ask the administrator of the Google account to trust this app.',
  }),
  ...ofStatus(404, {
    not_found: 'Check the id. What belongs to other users is not found, either, nor what was deleted.',
    route_not_found: 'Check method and path.',
  }),
  ...ofStatus(405, {
    method_not_allowed: 'Send the method that `Allow` names.',
  }),
  ...ofStatus(409, {
    idempotency_request_in_flight:
      'Wait for `Retry-After` seconds, then send the same request with the same key again.',
    wrong_state:
      'Read its state again: the cleanup is not in one that allows it, or a run of the rule is in flight.',
    changed_since: 'Read the email again: another program changed it meanwhile.',
    too_many_mailboxes: 'Move the email out of a mailbox first: the mail server keeps an email in so few.',
    label_gone: 'Try again: the label was deleted in the mailbox meanwhile.',
    label_refused: 'Choose another name for the label: the provider refuses it.',
    unsubscribe_not_offered: 'No email of this sender says how to unsubscribe.',
    unsubscribe_changed:
      'Show the user where a request goes now, and ask again: an email named another host, or none.',
    mailbox_limit: 'Remove a mailbox first: an owner has at most 20.',
    mailbox_taken: 'Sign in to the mailbox, and take it out of those that it is with.',
    push_unavailable: 'Offer no notifications in the browser: the operator has not set up Web Push.',
    too_many_protections: 'A user protects at most 1,000 senders: end the protection of another one.',
    too_many_rules: 'A user has at most 100 rules: delete another one.',
    too_many_tokens: 'Revoke a token that is not used any more.',
    too_many_subscriptions: 'End the subscription of a browser that is not used any more.',
  }),
  ...ofStatus(413, {
    body_too_large: 'Send at most 256 kB in one request.',
  }),
  ...ofStatus(415, {
    unsupported_media_type: 'Send `content-type: application/json`, in UTF-8.',
  }),
  ...ofStatus(422, {
    idempotency_key_reused: 'Use a new key for another request.',
  }),
  ...ofStatus(429, {
    too_many_requests: WAIT,
    too_many_requests_in_flight:
      'Wait for the responses to your other requests. Of exports, one is in flight at a time.',
    too_many_scans: `A user starts at most 20 scans a minute, and none within 30 seconds of cancelling one. ${WAIT}`,
    too_many_plans: `A user makes at most 60 plans a minute. ${WAIT}`,
    too_many_tests: `A user sends a few test notifications at a time. ${WAIT}`,
  }),
  ...ofStatus(500, {
    internal_error: 'Report the `requestId` to the operator.',
  }),
  ...ofStatus(502, {
    mailbox_refused:
      'Report `detail` to the operator: it names the mail server, and what it refused. Another attempt is no use.',
    no_inbox: 'Give a mailbox of the account the role `inbox`, or call it Inbox, with another mail program.',
  }),
  ...ofStatus(503, {
    overloaded: WAIT,
    database_unavailable: WAIT,
    mailbox_busy: WAIT,
    mailbox_unavailable: WAIT,
    rate_limited: WAIT,
    daily_limit_exceeded:
      'Wait: the daily quota of the Google project begins again at midnight Pacific time, which `Retry-After` names.',
    gmail_api_disabled: 'The operator enables the Gmail API, and waits some minutes.',
    provider_configuration: 'The operator finds in the log why Google does not accept the OAuth client.',
  }),
};

export type ProblemCode = keyof typeof PROBLEM_KINDS;
