import {
  PROBLEM_KINDS,
  PROBLEM_MEDIA_TYPE,
  type Problem,
  type ProblemCode,
  ProblemSchema,
  type RouteContract,
} from '@mailsweep/contracts';
import { titleOf } from '@mailsweep/service-kit';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { PROBLEMS_PATH } from './problems-page.ts';

const RETRY_AFTER = {
  'retry-after': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer' as const, minimum: 0 },
    example: 5,
  },
};

/** What `detail` may say, by the code of the problem. */
type ProblemExamples = Partial<Record<ProblemCode, string>>;

/** A problem response; operations refer to one with an id by it. The examples are named by their codes. */
const problem = (
  id: string | undefined,
  description: string,
  examples: ProblemExamples,
  headers?: typeof RETRY_AFTER,
): ZodOpenApiResponseObject => ({
  ...(id && { id }),
  description,
  ...(headers && { headers }),
  content: {
    [PROBLEM_MEDIA_TYPE]: {
      schema: ProblemSchema,
      examples: Object.fromEntries(
        Object.entries(examples).map(([code, detail]) => [
          code,
          { value: toProblem(code as ProblemCode, detail) },
        ]),
      ),
    },
  },
});

const toProblem = (code: ProblemCode, detail: string): Problem => {
  const { status } = PROBLEM_KINDS[code];
  return {
    type: `https://mailsweep.example.com${PROBLEMS_PATH}#${code}`,
    title: titleOf(status),
    status,
    instance: '/api/v1/example',
    requestId: '8e03978e-40d5-43e8-bc93-6894a57f9324',
    code,
    detail,
    ...(code === 'validation_failed' && { errors: [{ path: 'emailIds', message: 'must not be empty' }] }),
  };
};

export const BAD_REQUEST = problem(
  'BadRequest',
  'The request is not valid: `errors` names the fields. An installation may use 422 for `validation_failed`.',
  {
    validation_failed: 'The body is not valid: emailIds must not be empty',
    malformed_json: 'The body is not valid JSON.',
  },
);

export const UNAUTHORIZED = problem(
  'Unauthorized',
  'There is no valid session or token, or the mailbox connection has ended: a new sign-in is needed.',
  {
    unauthorized: 'A valid session or personal access token is needed: sign in at /auth/idp.',
    reauth_required: 'The mailbox connection has ended: sign in again.',
  },
);

export const FORBIDDEN = problem(
  'Forbidden',
  'The token may not do this, the request comes from another site, or the mail provider does not allow it.',
  {
    insufficient_scope: 'This needs a token with the scope act.',
    confirmation_required:
      'Changes with this token need the user’s confirmation: plan a cleanup and run it, and the user confirms it.',
    session_required: 'This takes a session, not a personal access token: sign in at /auth/idp.',
    cross_site_request: 'Requests from other sites are refused.',
    user_changed: 'This is the session of another user than the request is meant for.',
    read_only_access:
      'Nothing was done: the user lets Mailsweep only look, until they allow changes in its settings.',
    forbidden: 'The provider does not allow this.',
  },
);

export const NOT_FOUND = problem('NotFound', 'The user has no such record.', {
  not_found: 'There is no such history record.',
});

const IN_FLIGHT_EXAMPLE = {
  idempotency_request_in_flight: 'The request with this key is still being carried out; try again shortly.',
};
export const IN_FLIGHT = problem(
  'IdempotencyRequestInFlight',
  'A request with the same idempotency key is in flight: retry shortly.',
  IN_FLIGHT_EXAMPLE,
  RETRY_AFTER,
);

/** The 409 of a route with problems of its own. */
export const refused = ({ refuses = {}, idempotent }: RouteContract): ZodOpenApiResponseObject =>
  problem(
    undefined,
    `The state of the user’s data does not allow it, as \`code\` says${idempotent ? ', or a request with the same idempotency key is in flight' : ''}.`,
    { ...refuses, ...(idempotent && IN_FLIGHT_EXAMPLE) },
    idempotent ? RETRY_AFTER : undefined,
  );

export const CONTENT_TOO_LARGE = problem('ContentTooLarge', 'The body is larger than 256 kB.', {
  body_too_large: 'The body is too large.',
});

export const UNSUPPORTED_MEDIA_TYPE = problem('UnsupportedMediaType', 'The body is not JSON in UTF-8.', {
  unsupported_media_type: 'The body must be sent as application/json, in UTF-8.',
});

export const KEY_REUSED = problem(
  'IdempotencyKeyReused',
  'The idempotency key was sent with another request before.',
  {
    idempotency_key_reused:
      'This key was sent with another request before; every request needs a key of its own.',
  },
);

export const TOO_MANY_REQUESTS = problem(
  'TooManyRequests',
  'A limit of the user or of the client’s address is reached.',
  {
    too_many_requests: 'Too many requests: wait before you try again.',
    too_many_requests_in_flight: 'Too many of your requests are in flight.',
  },
  RETRY_AFTER,
);

/** Sent by the HTTP server itself, before a route is found. */
export const HEAD_TOO_LARGE: ZodOpenApiResponseObject = {
  description: 'The address and headers are larger than 16 kB.',
};

export const BAD_GATEWAY = problem(
  'BadGateway',
  'The mail provider refuses what the request needs, and would again.',
  {
    mailbox_refused:
      'The mail provider refused this: mail.example.com responded to Email/get with requestTooLarge.',
    no_inbox: 'The mail server shows no mailbox as the inbox.',
  },
);

export const SERVICE_UNAVAILABLE = problem(
  'ServiceUnavailable',
  'The database or the mail provider is unavailable, the quota there is used up, or the API is overloaded.',
  {
    mailbox_unavailable: 'The provider can’t be reached; try again shortly.',
    rate_limited: 'The provider asks us to slow down; try again shortly.',
    mailbox_busy: 'Other changes of this mailbox are still running; nothing was done. Try again shortly.',
    overloaded: 'The service has too much to do just now; try again shortly.',
    database_unavailable: 'The service can’t reach its database; try again shortly.',
  },
  RETRY_AFTER,
);
