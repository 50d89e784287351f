import { randomUUID } from 'node:crypto';
import { PROBLEM_MEDIA_TYPE, type Problem } from '@mailsweep/contracts';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Logger } from '../logger.ts';
import { currentTraceId } from '../tracing/spans.ts';

export interface FieldError {
  path: string;
  message: string;
}

export interface ProblemOptions {
  fieldErrors?: FieldError[];
  headers?: Record<string, string>;
  isExpected?: boolean;
  cause?: unknown;
}

/** An error that the client receives as a problem document (RFC 9457). */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** Stable snake_case identifier of the kind of error. */
  readonly code: string;
  readonly fieldErrors: FieldError[] | undefined;
  /** Header lines that go with the response, such as `retry-after`. */
  readonly headers: Record<string, string>;
  /** Whether it belongs to normal operation although the status is 5xx: not logged as an error. */
  readonly isExpected: boolean;

  constructor(status: number, code: string, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.fieldErrors = options.fieldErrors;
    this.headers = options.headers ?? {};
    this.isExpected = options.isExpected ?? false;
  }
}

type DescribedProblem = Pick<Problem, 'type' | 'status'>;

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Content too large',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  429: 'Too many requests',
  503: 'Service unavailable',
};

export const titleOf = (status: number): string => TITLES[status] ?? 'Internal server error';

/** The fields that a failed parse names, with paths such as `emailIds.3`. */
export const toFieldErrors = (error: z.ZodError): FieldError[] =>
  error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'is not known here' }))
      : [{ path: issue.path.join('.'), message: describeIssue(issue) }],
  );

const NOUNS: Record<string, string> = { array: 'a list', object: 'an object', int: 'a whole number' };
const PARTS: Record<string, string> = { string: 'characters', array: 'entries' };

/** Goes on from the name of the field. Only what the schema itself says nothing about is put into words here. */
const describeIssue = (issue: z.core.$ZodIssue): string => {
  if (!/^(Invalid|Too (small|big))/.test(issue.message)) return issue.message;
  if (issue.message.endsWith('received undefined')) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${NOUNS[issue.expected] ?? `a ${issue.expected}`}`;
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'invalid_format':
      return issue.format === 'regex' ? 'does not have the right form' : `must be a valid ${issue.format}`;
    case 'too_small':
    case 'too_big': {
      const [bound, limit] =
        issue.code === 'too_small' ? (['least', issue.minimum] as const) : (['most', issue.maximum] as const);
      const part = PARTS[issue.origin];
      return part === undefined ? `must be at ${bound} ${limit}` : `must have at ${bound} ${limit} ${part}`;
    }
    case 'invalid_union':
      return 'has none of the known forms';
    default:
      return issue.message;
  }
};

/** Gives every request an id, taken over from `x-request-id` when it looks like one, and responds with it. */
export const requestId: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const id = given !== undefined && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
  response.locals.requestId = id;
  response.set('x-request-id', id);
  next();
};

/** The id that {@link requestId} gave the request. */
export const requestIdOf = (response: Response): string => String(response.locals.requestId ?? '');

const toProblem = (
  { type, status }: DescribedProblem,
  problem: ProblemError,
  request: Request,
  response: Response,
): Problem => {
  const traceId = currentTraceId();
  return {
    type,
    title: titleOf(status),
    status,
    detail: problem.message,
    instance: request.path,
    code: problem.code,
    requestId: requestIdOf(response),
    ...(traceId && { traceId }),
    ...(problem.fieldErrors ? { errors: problem.fieldErrors } : {}),
  };
};

export const routeNotFound: RequestHandler = (request) => {
  throw new ProblemError(404, 'route_not_found', `There is no ${request.method} ${request.path} here.`);
};

/** Errors of Express's body parsers and routers, as problems. */
export const translateHttpError = (error: unknown): ProblemError | undefined => {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  if (error.status < 400 || error.status >= 500) return undefined;
  // The router could not decode a parameter of the path.
  if (error instanceof URIError) {
    return new ProblemError(400, 'malformed_path', 'The path is not UTF-8 in percent-encoding.', {
      fieldErrors: [{ path: 'path', message: 'is not UTF-8 in percent-encoding' }],
    });
  }
  const kind = 'type' in error ? error.type : '';
  if (kind === 'entity.parse.failed')
    return new ProblemError(400, 'malformed_json', 'The body is not valid JSON.');
  if (kind === 'entity.too.large') return new ProblemError(413, 'body_too_large', 'The body is too large.');
  const code = error.status === 415 ? 'unsupported_media_type' : 'bad_request';
  return new ProblemError(error.status, code, 'The request could not be read.');
};

/**
 * The one place where errors become responses. Errors that are not the client's are logged, and the response holds
 * a general sentence: no detail of an internal error is sent.
 *
 * @param options.translate - turns an application's own errors into problems; undefined for the unknown
 * @param options.describe - tells where a problem's kind is documented, and with which status it is sent
 */
export const createErrorHandler =
  (options: {
    logger: Logger;
    translate?: (error: unknown) => ProblemError | undefined;
    describe?: (problem: ProblemError) => DescribedProblem;
  }): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    const known =
      error instanceof ProblemError ? error : (options.translate?.(error) ?? translateHttpError(error));
    const problem =
      known ??
      new ProblemError(500, 'internal_error', 'Something went wrong on our side. It has been logged.');
    if (problem.status >= 500 && !problem.isExpected) {
      options.logger.error(
        { err: error, requestId: requestIdOf(response), path: request.path },
        'request failed',
      );
    }
    if (response.headersSent) return next(error);
    const described = options.describe?.(problem) ?? { type: 'about:blank', status: problem.status };
    response
      .status(described.status)
      .set({ 'cache-control': 'no-store', ...problem.headers })
      .type(PROBLEM_MEDIA_TYPE)
      .send(JSON.stringify(toProblem(described, problem, request, response)));
  };
