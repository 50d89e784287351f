import { jsonResponse, type SandboxResponse } from '../response.ts';

/** The `status` word that goes with an HTTP status (Google Cloud API design guide, "Errors"). */
const STATUS_WORDS: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** A refusal in the form of the Gmail API (Gmail API guide, "Resolve errors"). */
export const googleError = (
  status: number,
  reason: string,
  message: string,
  more: {
    domain?: string;
    /** Instead of the word that goes with the status. */
    statusWord?: string;
    /** Where the list of errors words it differently. */
    shortMessage?: string;
    extendedHelp?: string;
    details?: object[];
    headers?: Record<string, string>;
  } = {},
): SandboxResponse => {
  const { domain = 'global', extendedHelp, details } = more;
  const entry = { message: more.shortMessage ?? message, domain, reason };
  const error = {
    code: status,
    message,
    errors: [extendedHelp === undefined ? entry : { ...entry, extendedHelp }],
    status: more.statusWord ?? STATUS_WORDS[status] ?? 'UNKNOWN',
    ...(details && { details }),
  };
  return jsonResponse(status, { error }, more.headers);
};

export const notFound = (): SandboxResponse =>
  googleError(404, 'notFound', 'Requested entity was not found.');

export const invalidArgument = (message: string): SandboxResponse =>
  googleError(400, 'invalidArgument', message);

export const invalidCredentials = (): SandboxResponse =>
  googleError(401, 'authError', 'Invalid Credentials', {
    headers: { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
  });

/** A token that lacks the scope, as googleworkspace/php-samples#123 shows it. */
export const insufficientScope = (): SandboxResponse =>
  googleError(403, 'insufficientPermissions', 'Request had insufficient authentication scopes.', {
    shortMessage: 'Insufficient Permission',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT',
        domain: 'googleapis.com',
        metadata: { service: 'gmail.googleapis.com' },
      },
    ],
  });

/** A refusal of the OAuth endpoints (RFC 6749, section 5.2). */
export const oauthError = (
  status: number,
  error: string,
  description: string,
  more: Record<string, string> = {},
): SandboxResponse =>
  jsonResponse(status, { error, error_description: description, ...more }, { 'cache-control': 'no-store' });

/** Where the browser goes with an error (RFC 6749, section 4.1.2.1); undefined where the query names no address. */
export const toErrorUrl = (query: URLSearchParams, error: string): string | undefined => {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!URL.canParse(redirectUri)) return undefined;
  const url = new URL(redirectUri);
  url.searchParams.set('error', error);
  const state = query.get('state');
  if (state) url.searchParams.set('state', state);
  return url.href;
};
