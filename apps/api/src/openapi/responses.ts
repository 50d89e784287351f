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
import texts from './problem-responses.json' with { type: 'json' };
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

/** What operations have in common, by the id under which they refer to it. */
export const RESPONSES = Object.fromEntries(
  Object.entries(texts).map(([id, { description, examples, ...more }]) => [
    id,
    problem(id, description, examples, 'retryAfter' in more ? RETRY_AFTER : undefined),
  ]),
) as Record<keyof typeof texts, ZodOpenApiResponseObject>;

/** The 409 of a route with problems of its own. */
export const refused = ({ refuses = {}, idempotent }: RouteContract): ZodOpenApiResponseObject =>
  problem(
    undefined,
    `The state of the user’s data does not allow it, as \`code\` says${idempotent ? ', or a request with the same idempotency key is in flight' : ''}.`,
    { ...refuses, ...(idempotent && texts.IdempotencyRequestInFlight.examples) },
    idempotent ? RETRY_AFTER : undefined,
  );

/** Sent by the HTTP server itself, before a route is found. */
export const HEAD_TOO_LARGE: ZodOpenApiResponseObject = {
  description: 'The address and headers are larger than 16 kB.',
};
