import { z } from 'zod';

/** Media type of every error response (RFC 9457). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** A problem document (RFC 9457). `code` is stable snake_case; `errors` names the invalid fields. */
export const ProblemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int().min(400).max(599),
    detail: z.string(),
    instance: z.string(),
    code: z.string().regex(/^[a-z_]+$/),
    requestId: z.string(),
    traceId: z
      .string()
      .regex(/^[\da-f]{32}$/)
      .optional()
      .meta({ description: 'Id of the OpenTelemetry trace; only where the operator has tracing enabled.' }),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof ProblemSchema>;
