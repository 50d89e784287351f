import { googleError, insufficientScope, invalidCredentials, notFound } from '../protocol/google-errors.ts';
import { type Incoming, jsonResponse, type SandboxResponse } from '../response.ts';

/** How far ahead Gmail sets the moment of a new attempt (twentyhq/twenty#17850, taers232c/GAMADV-XTD3#337). */
const LONG_WAIT_MS = 15 * 60_000;
const CONSOLE = 'https://console.developers.google.com';
const PROJECT = '481516234200';

interface FaultContext {
  fault: { retryAfterSeconds?: number | undefined };
  request: Pick<Incoming, 'query'>;
  nowMs: number;
}

const retryAfter = ({ retryAfterSeconds }: FaultContext['fault']): Record<string, string> =>
  retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };

const oauthError = (status: number, error: string, more: Record<string, string>): SandboxResponse =>
  jsonResponse(status, { error, ...more }, { 'cache-control': 'no-store' });

/** The page on which Google itself ends a sign-in; the browser is not sent back. */
const blockedPage = (status: number, error: string, text: string): SandboxResponse => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><title>Error ${status}: ${error}</title><h1>Access blocked</h1><p>${text}</p><p>Error ${status}: ${error}</p>`,
});

/** Sends the browser back with an error (RFC 6749, section 4.1.2.1). */
const redirectWithError = (query: URLSearchParams, error: string): SandboxResponse => {
  const url = new URL(query.get('redirect_uri') ?? 'about:blank');
  url.searchParams.set('error', error);
  const state = query.get('state');
  if (state !== null) url.searchParams.set('state', state);
  return { status: 302, headers: { location: url.href }, body: '' };
};

const failedPrecondition = (message: string): SandboxResponse =>
  googleError({ status: 400, reason: 'failedPrecondition', statusWord: 'FAILED_PRECONDITION', message });

/** What a call gets that goes wrong, by the kind of fault. */
export const FAULT_RESPONSES = {
  unauthorized: () => invalidCredentials(),
  forbidden: () => googleError({ status: 403, reason: 'forbidden', message: 'Delegation denied' }),
  insufficient_scope: () => insufficientScope(),
  rate_limited_403: ({ fault }) =>
    googleError(
      {
        status: 403,
        reason: 'userRateLimitExceeded',
        message: 'User Rate Limit Exceeded',
        domain: 'usageLimits',
      },
      retryAfter(fault),
    ),
  rate_limited_429: ({ fault }) =>
    googleError(
      { status: 429, reason: 'rateLimitExceeded', message: 'Rate Limit Exceeded', domain: 'usageLimits' },
      retryAfter(fault),
    ),
  // elie222/inbox-zero#379, mxngls/gmail-cleaner#5
  resource_exhausted: ({ fault }) =>
    googleError(
      {
        status: 429,
        reason: 'rateLimitExceeded',
        message: 'Resource has been exhausted (e.g. check quota).',
      },
      retryAfter(fault),
    ),
  // levz0r/gmail-tester#23, taers232c/GAMADV-XTD3#337
  rate_limited_until: ({ fault, nowMs }) => {
    const waitMs = fault.retryAfterSeconds === undefined ? LONG_WAIT_MS : fault.retryAfterSeconds * 1_000;
    return googleError({
      status: 429,
      reason: 'rateLimitExceeded',
      message: `User-rate limit exceeded.  Retry after ${new Date(nowMs + waitMs).toISOString()}`,
      domain: 'usageLimits',
    });
  },
  // "Resolve errors", 403: Daily limit exceeded
  daily_limit_exceeded: () =>
    googleError({
      status: 403,
      reason: 'dailyLimitExceeded',
      message: 'Daily Limit Exceeded',
      domain: 'usageLimits',
    }),
  // "Resolve errors", 403: Domain policy has disabled Gmail apps
  domain_policy: () =>
    googleError({
      status: 403,
      reason: 'domainPolicy',
      message: 'The domain administrators have disabled Gmail apps.',
    }),
  // DSchau/gatsby-mail#35
  api_not_enabled: () =>
    googleError({
      status: 403,
      reason: 'accessNotConfigured',
      message: `Gmail API has not been used in project ${PROJECT} before or it is disabled. Enable it by visiting ${CONSOLE}/apis/api/gmail.googleapis.com/overview?project=${PROJECT} then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.`,
      domain: 'usageLimits',
      extendedHelp: CONSOLE,
    }),
  // WPManageNinja/fluent-smtp#152, FlowCrypt/flowcrypt-browser#4838
  mail_service_not_enabled: () => failedPrecondition('Mail service not enabled'),
  // googleapis/google-api-java-client#1648; it may pass: elie222/inbox-zero, apps/web/utils/gmail/retry.ts
  precondition_failed: () => failedPrecondition('Precondition check failed.'),
  server_error: () =>
    googleError({ status: 500, reason: 'backendError', message: 'Internal error encountered.' }),
  unavailable: ({ fault }) =>
    googleError(
      { status: 503, reason: 'backendError', message: 'The service is currently unavailable.' },
      retryAfter(fault),
    ),
  history_expired: () => notFound(),
  invalid_grant: () =>
    oauthError(400, 'invalid_grant', { error_description: 'Token has been expired or revoked.' }),
  // cline/cline#4080, openclaw/gogcli#338
  invalid_rapt: () =>
    oauthError(400, 'invalid_grant', {
      error_description: 'reauth related error (invalid_rapt)',
      error_uri: 'https://support.google.com/a/answer/9368756',
      error_subtype: 'invalid_rapt',
    }),
  // "Using OAuth 2.0 for Web Server Applications", authorization errors
  invalid_client: () =>
    oauthError(401, 'invalid_client', { error_description: 'The OAuth client was not found.' }),
  // websightgmbh/l5-google-cloud-storage#6, xyou365/AutoRclone#98
  deleted_client: () =>
    oauthError(401, 'deleted_client', { error_description: 'The OAuth client was deleted.' }),
  // twentyhq/twenty#25148: an account in Google's Advanced Protection, at a renewal
  policy_enforced: () =>
    oauthError(400, 'policy_enforced', { error_description: 'Access blocked by an account policy.' }),
  // GAM-team/got-your-back#284
  admin_policy_page: () =>
    blockedPage(
      400,
      'admin_policy_enforced',
      'Access to your account data is restricted by policies within your organization.',
    ),
  // "Using OAuth 2.0 for Web Server Applications", authorization errors
  admin_policy_redirect: ({ request }) => redirectWithError(request.query, 'admin_policy_enforced'),
  access_denied: ({ request }) => redirectWithError(request.query, 'access_denied'),
  // openclaw/gogcli#567: an account that is no test user of a program in testing
  access_denied_page: () =>
    blockedPage(403, 'access_denied', 'The app is being tested; only its test users have access.'),
} satisfies Record<string, (context: FaultContext) => SandboxResponse>;
