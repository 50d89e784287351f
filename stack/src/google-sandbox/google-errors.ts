import { type Answer, jsonAnswer } from './answer.ts';

/** The `status` word that goes with an HTTP status (Google Cloud API design guide, "Errors"). */
const STATUS_WORDS: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** A refusal in the form of the Gmail API (Gmail API guide, "Resolve errors"). */
export const googleError = (
  fault: { status: number; reason: string; message: string; domain?: string },
  headers: Record<string, string> = {},
): Answer => {
  const { status, reason, message, domain = 'global' } = fault;
  const error = {
    code: status,
    message,
    errors: [{ message, domain, reason }],
    status: STATUS_WORDS[status] ?? 'UNKNOWN',
  };
  return jsonAnswer(status, { error }, headers);
};

export const notFound = (): Answer =>
  googleError({ status: 404, reason: 'notFound', message: 'Requested entity was not found.' });

export const invalidArgument = (message: string): Answer =>
  googleError({ status: 400, reason: 'invalidArgument', message });

export const invalidCredentials = (): Answer =>
  googleError(
    { status: 401, reason: 'authError', message: 'Invalid Credentials' },
    { 'www-authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
  );
