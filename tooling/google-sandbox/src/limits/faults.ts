import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import {
  googleError,
  insufficientScope,
  invalidCredentials,
  notFound,
  oauthError,
  toErrorUrl,
} from '../protocol/google-errors.ts';
import { type Incoming, type Outcome, redirectTo, type SandboxResponse } from '../response.ts';

/** How far ahead Gmail sets the moment of a new attempt (twentyhq/twenty#17850, taers232c/GAMADV-XTD3#337). */
const LONG_WAIT_MS = 15 * 60_000;
const CONSOLE = 'https://console.developers.google.com';
const PROJECT = '481516234200';

interface FaultContext {
  fault: { retryAfterSeconds?: number | undefined };
  request: Pick<Incoming, 'query'>;
  nowMs: number;
}

const DOMAIN = { domain: 'usageLimits' };
const retryAfter = ({ retryAfterSeconds }: FaultContext['fault']) =>
  retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } };

/** The page on which Google itself ends a sign-in; the browser is not sent back. */
const blockedPage = (status: number, error: string, text: string): SandboxResponse => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><title>Error ${status}: ${error}</title><h1>Access blocked</h1><p>${text}</p><p>Error ${status}: ${error}</p>`,
});

const redirectWithError = (query: URLSearchParams, error: string): SandboxResponse =>
  redirectTo(toErrorUrl(query, error) ?? 'about:blank');

const failedPrecondition = (message: string): SandboxResponse =>
  googleError(400, 'failedPrecondition', message, { statusWord: 'FAILED_PRECONDITION' });

/** What a call gets that goes wrong, by the kind of fault. */
const FAULT_RESPONSES = {
  unauthorized: () => invalidCredentials(),
  forbidden: () => googleError(403, 'forbidden', 'Delegation denied'),
  insufficient_scope: () => insufficientScope(),
  rate_limited_403: ({ fault }) =>
    googleError(403, 'userRateLimitExceeded', 'User Rate Limit Exceeded', {
      ...DOMAIN,
      ...retryAfter(fault),
    }),
  rate_limited_429: ({ fault }) =>
    googleError(429, 'rateLimitExceeded', 'Rate Limit Exceeded', { ...DOMAIN, ...retryAfter(fault) }),
  // elie222/inbox-zero#379, mxngls/gmail-cleaner#5
  resource_exhausted: ({ fault }) =>
    googleError(
      429,
      'rateLimitExceeded',
      'Resource has been exhausted (e.g. check quota).',
      retryAfter(fault),
    ),
  // levz0r/gmail-tester#23, taers232c/GAMADV-XTD3#337
  rate_limited_until: ({ fault, nowMs }) => {
    const waitMs = fault.retryAfterSeconds === undefined ? LONG_WAIT_MS : fault.retryAfterSeconds * 1_000;
    const until = new Date(nowMs + waitMs).toISOString();
    return googleError(429, 'rateLimitExceeded', `User-rate limit exceeded.  Retry after ${until}`, DOMAIN);
  },
  // "Resolve errors", 403: Daily limit exceeded
  daily_limit_exceeded: () => googleError(403, 'dailyLimitExceeded', 'Daily Limit Exceeded', DOMAIN),
  // "Resolve errors", 403: Domain policy has disabled Gmail apps
  domain_policy: () =>
    googleError(403, 'domainPolicy', 'The domain administrators have disabled Gmail apps.'),
  // DSchau/gatsby-mail#35
  api_not_enabled: () =>
    googleError(
      403,
      'accessNotConfigured',
      `Gmail API has not been used in project ${PROJECT} before or it is disabled. Enable it by visiting ${CONSOLE}/apis/api/gmail.googleapis.com/overview?project=${PROJECT} then retry. If you enabled this API recently, wait a few minutes for the action to propagate to our systems and retry.`,
      { ...DOMAIN, extendedHelp: CONSOLE },
    ),
  // WPManageNinja/fluent-smtp#152, FlowCrypt/flowcrypt-browser#4838
  mail_service_not_enabled: () => failedPrecondition('Mail service not enabled'),
  // googleapis/google-api-java-client#1648; it may pass: elie222/inbox-zero, apps/web/utils/gmail/retry.ts
  precondition_failed: () => failedPrecondition('Precondition check failed.'),
  server_error: () => googleError(500, 'backendError', 'Internal error encountered.'),
  unavailable: ({ fault }) =>
    googleError(503, 'backendError', 'The service is currently unavailable.', retryAfter(fault)),
  history_expired: () => notFound(),
  invalid_grant: () => oauthError(400, 'invalid_grant', 'Token has been expired or revoked.'),
  // cline/cline#4080, openclaw/gogcli#338
  invalid_rapt: () =>
    oauthError(400, 'invalid_grant', 'reauth related error (invalid_rapt)', {
      error_uri: 'https://support.google.com/a/answer/9368756',
      error_subtype: 'invalid_rapt',
    }),
  // "Using OAuth 2.0 for Web Server Applications", authorization errors
  invalid_client: () => oauthError(401, 'invalid_client', 'The OAuth client was not found.'),
  // websightgmbh/l5-google-cloud-storage#6, xyou365/AutoRclone#98
  deleted_client: () => oauthError(401, 'deleted_client', 'The OAuth client was deleted.'),
  // twentyhq/twenty#25148: an account in Google's Advanced Protection, at a renewal
  policy_enforced: () => oauthError(400, 'policy_enforced', 'Access blocked by an account policy.'),
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

/** Longest response that a fault can hold back, in milliseconds. */
const MAX_DELAY_MS = 120_000;

/** Kinds that let the call through, late or not at all; all others have a response of their own. */
const EFFECT_KINDS = ['delay', 'hang', 'reset', 'lose_history_records'] as const;
const RESPONSE_KINDS = Object.keys(FAULT_RESPONSES) as (keyof typeof FAULT_RESPONSES)[];

const isPattern = (text: string): boolean => {
  try {
    return Boolean(new RegExp(text));
  } catch {
    return false;
  }
};

/** An order that the next calls which fit it go wrong. */
export const FaultSchema = z.strictObject({
  kind: z.enum([...RESPONSE_KINDS, ...EFFECT_KINDS]),
  /** A regular expression that the path has to match; calls within a batch have paths of their own. */
  path: z.string().refine(isPattern, 'must be a regular expression').default('^/gmail/'),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  /** Mail address: only calls with a token of this user go wrong. */
  user: z.email().optional(),
  times: z.number().int().min(1).default(1),
  /** How many calls that fit go well before. */
  after: z.number().int().min(0).default(0),
  /** Value of the Retry-After header, where the kind has one. */
  retryAfterSeconds: z.number().int().min(0).optional(),
  /** How long the kind `delay` holds back the true response. */
  delayMs: z.number().int().min(0).max(MAX_DELAY_MS).default(0),
  /** How many of the history records that the call makes the kind `lose_history_records` loses. */
  records: z.number().int().min(1).default(1),
});
export type Fault = z.infer<typeof FaultSchema>;

export interface FaultEffect {
  lostHistoryRecords: number;
}
const NO_EFFECT: FaultEffect = { lostHistoryRecords: 0 };

/**
 * Keeps the orders to go wrong, and carries them out.
 *
 * @param options.userOf - the mail address of the user whose token a call carries
 */
export const createFaults = ({
  nowMs,
  userOf,
}: {
  nowMs: () => number;
  userOf: (request: Incoming) => string | undefined;
}) => {
  let pending: Fault[] = [];

  const take = (call: Incoming): Fault | undefined => {
    const fault = pending.find(
      ({ path, method, user }) =>
        new RegExp(path).test(call.path) &&
        (method === undefined || method === call.method) &&
        (user === undefined || user === userOf(call)),
    );
    if (fault === undefined) return undefined;
    if (fault.after > 0) {
      fault.after -= 1;
      return undefined;
    }
    fault.times -= 1;
    if (fault.times === 0) pending = pending.filter((other) => other !== fault);
    return fault;
  };

  return {
    add: (fault: Fault) => void pending.push({ ...fault }),
    clear: (user?: string) => {
      pending = user === undefined ? [] : pending.filter((fault) => fault.user !== user);
    },
    /** Those that still have calls to spoil. */
    list: (): Fault[] => pending.map((fault) => ({ ...fault })),
    /** Handles a call by the first matching fault, or lets it through. */
    async around(request: Incoming, respond: (effect: FaultEffect) => Promise<Outcome>): Promise<Outcome> {
      const fault = take(request);
      if (fault === undefined) return await respond(NO_EFFECT);
      const { kind } = fault;
      switch (kind) {
        case 'hang':
        case 'reset':
          return kind;
        case 'delay':
          await delay(fault.delayMs);
          return await respond(NO_EFFECT);
        case 'lose_history_records':
          return await respond({ lostHistoryRecords: fault.records });
        default:
          return FAULT_RESPONSES[kind]({ fault, request, nowMs: nowMs() });
      }
    },
  };
};
export type Faults = ReturnType<typeof createFaults>;
