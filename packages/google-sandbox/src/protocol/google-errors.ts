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
  fault: {
    status: number;
    reason: string;
    message: string;
    domain?: string;
    /** Instead of the word that goes with the status. */
    statusWord?: string;
    /** Where the list of errors words it differently. */
    shortMessage?: string;
    extendedHelp?: string;
    details?: object[];
  },
  headers: Record<string, string> = {},
): SandboxResponse => {
  const { status, reason, message, domain = 'global', extendedHelp, details } = fault;
  const entry = { message: fault.shortMessage ?? message, domain, reason };
  const error = {
    code: status,
    message,
    errors: [extendedHelp === undefined ? entry : { ...entry, extendedHelp }],
    status: fault.statusWord ?? STATUS_WORDS[status] ?? 'UNKNOWN',
    ...(details && { details }),
  };
  return jsonResponse(status, { error }, headers);
};

export const notFound = (): SandboxResponse =>
  googleError({ status: 404, reason: 'notFound', message: 'Requested entity was not found.' });

export const invalidArgument = (message: string): SandboxResponse =>
  googleError({ status: 400, reason: 'invalidArgument', message });

export const invalidCredentials = (): SandboxResponse =>
  googleError(
    { status: 401, reason: 'authError', message: 'Invalid Credentials' },
    { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
  );

/** A token that lacks the scope, as googleworkspace/php-samples#123 shows it. */
export const insufficientScope = (): SandboxResponse =>
  googleError({
    status: 403,
    reason: 'insufficientPermissions',
    message: 'Request had insufficient authentication scopes.',
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
