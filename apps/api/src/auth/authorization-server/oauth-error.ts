import { ProblemError, translateHttpError } from '@mailsweep/service-kit';
import type { ErrorRequestHandler } from 'express';
import { translateError } from '../../http/translate-error.ts';

/** Codes of RFC 6749 (5.2), RFC 7009 (2.2.1) and RFC 8707 (2). */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_target';

/** An error that a client receives as RFC 6749 has it. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

const codeOf = (status: number): string => {
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status < 500 ? 'invalid_request' : 'server_error';
};

/** Responds to errors of the token endpoint in the form of RFC 6749; those that nobody expected are left to be logged. */
export const sendOAuthError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  response.set('cache-control', 'no-store');
  if (error instanceof OAuthError) {
    const isUnauthorized = error.code === 'invalid_client';
    if (isUnauthorized) response.set('www-authenticate', 'Basic realm="oauth"');
    response.status(isUnauthorized ? 401 : 400).json({ error: error.code, error_description: error.message });
    return;
  }
  const problem =
    error instanceof ProblemError ? error : (translateError(error) ?? translateHttpError(error));
  if (problem === undefined) return next(error);
  response
    .status(problem.status)
    .set(problem.headers)
    .json({ error: codeOf(problem.status), error_description: problem.message });
};
