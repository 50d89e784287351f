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

interface ProblemExample extends Pick<Problem, 'detail' | 'errors'> {
  code: ProblemCode;
}

/** A problem response; operations refer to one with an id by it. The examples are named by their codes. */
const problem = (options: {
  id?: string;
  description: string;
  examples: ProblemExample[];
  headers?: typeof RETRY_AFTER;
}): ZodOpenApiResponseObject => ({
  ...(options.id ? { id: options.id } : {}),
  description: options.description,
  ...(options.headers ? { headers: options.headers } : {}),
  content: {
    [PROBLEM_MEDIA_TYPE]: {
      schema: ProblemSchema,
      examples: Object.fromEntries(
        options.examples.map((example) => [example.code, { value: toProblem(example) }]),
      ),
    },
  },
});

const toProblem = (example: ProblemExample): Problem => {
  const { status } = PROBLEM_KINDS[example.code];
  return {
    type: `https://mailsweep.example.com${PROBLEMS_PATH}#${example.code}`,
    title: titleOf(status),
    status,
    instance: '/api/v1/example',
    requestId: '8e03978e-40d5-43e8-bc93-6894a57f9324',
    ...example,
  };
};

export const BAD_REQUEST = problem({
  id: 'BadRequest',
  description:
    'The request is not valid: `errors` names the fields. An installation may use 422 for `validation_failed`.',
  examples: [
    {
      code: 'validation_failed',
      detail: 'The body is not valid: emailIds must not be empty',
      errors: [{ path: 'emailIds', message: 'must not be empty' }],
    },
    { code: 'malformed_json', detail: 'The body is not valid JSON.' },
  ],
});

export const UNAUTHORIZED = problem({
  id: 'Unauthorized',
  description:
    'There is no valid session or token, or the mailbox connection has ended: a new sign-in is needed.',
  examples: [
    {
      code: 'unauthorized',
      detail: 'A valid session or personal access token is needed: sign in at /auth/idp.',
    },
    { code: 'reauth_required', detail: 'The mailbox connection has ended: sign in again.' },
  ],
});

export const FORBIDDEN = problem({
  id: 'Forbidden',
  description:
    'The token may not do this, the request comes from another site, or the mail provider does not allow it.',
  examples: [
    { code: 'insufficient_scope', detail: 'This needs a token with the scope act.' },
    {
      code: 'confirmation_required',
      detail:
        'Changes with this token need the user’s confirmation: plan a cleanup and run it, and the user confirms it.',
    },
    {
      code: 'session_required',
      detail: 'This takes a session, not a personal access token: sign in at /auth/idp.',
    },
    { code: 'cross_site_request', detail: 'Requests from other sites are refused.' },
    { code: 'forbidden', detail: 'The provider does not allow this.' },
  ],
});

export const NOT_FOUND = problem({
  id: 'NotFound',
  description: 'The user has no such record.',
  examples: [{ code: 'not_found', detail: 'There is no such history record.' }],
});

const IN_FLIGHT_EXAMPLE: ProblemExample = {
  code: 'idempotency_request_in_flight',
  detail: 'The request with this key is still being carried out; try again shortly.',
};
export const IN_FLIGHT = problem({
  id: 'IdempotencyRequestInFlight',
  description: 'A request with the same idempotency key is in flight: retry shortly.',
  headers: RETRY_AFTER,
  examples: [IN_FLIGHT_EXAMPLE],
});

/** The 409 of a route with problems of its own. */
export const refused = ({ refuses = {}, idempotent }: RouteContract): ZodOpenApiResponseObject =>
  problem({
    description: `The state of the user’s data does not allow it, as \`code\` says${idempotent ? ', or a request with the same idempotency key is in flight' : ''}.`,
    ...(idempotent ? { headers: RETRY_AFTER } : {}),
    examples: [
      ...Object.entries(refuses).map(([code, detail]) => ({ code: code as ProblemCode, detail })),
      ...(idempotent ? [IN_FLIGHT_EXAMPLE] : []),
    ],
  });

export const CONTENT_TOO_LARGE = problem({
  id: 'ContentTooLarge',
  description: 'The body is larger than 256 kB.',
  examples: [{ code: 'body_too_large', detail: 'The body is too large.' }],
});

export const UNSUPPORTED_MEDIA_TYPE = problem({
  id: 'UnsupportedMediaType',
  description: 'The body is not JSON in UTF-8.',
  examples: [
    { code: 'unsupported_media_type', detail: 'The body must be sent as application/json, in UTF-8.' },
  ],
});

export const KEY_REUSED = problem({
  id: 'IdempotencyKeyReused',
  description: 'The idempotency key was sent with another request before.',
  examples: [
    {
      code: 'idempotency_key_reused',
      detail: 'This key was sent with another request before; every request needs a key of its own.',
    },
  ],
});

export const TOO_MANY_REQUESTS = problem({
  id: 'TooManyRequests',
  description: 'A limit of the user or of the client’s address is reached.',
  headers: RETRY_AFTER,
  examples: [
    { code: 'too_many_requests', detail: 'Too many requests: wait before you try again.' },
    { code: 'too_many_requests_in_flight', detail: 'Too many of your requests are in flight.' },
  ],
});

/** Sent by the HTTP server itself, before a route is found. */
export const HEAD_TOO_LARGE: ZodOpenApiResponseObject = {
  description: 'The address and headers are larger than 16 kB.',
};

export const SERVICE_UNAVAILABLE = problem({
  id: 'ServiceUnavailable',
  description:
    'The database or the mail provider is unavailable, the quota there is used up, or the API is overloaded.',
  headers: RETRY_AFTER,
  examples: [
    { code: 'mailbox_unavailable', detail: 'The provider can’t be reached; try again shortly.' },
    { code: 'rate_limited', detail: 'The provider asks us to slow down; try again shortly.' },
    {
      code: 'mailbox_busy',
      detail: 'Other changes of this mailbox are still running; nothing was done. Try again shortly.',
    },
    { code: 'overloaded', detail: 'The service has too much to do just now; try again shortly.' },
    {
      code: 'database_unavailable',
      detail: 'The service can’t reach its database; try again shortly.',
    },
  ],
});
