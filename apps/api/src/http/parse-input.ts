import { toFieldErrors } from '@mailsweep/service-kit';
import type { z } from 'zod';
import { createProblem } from './create-problem.ts';

/**
 * Parses a part of a request.
 *
 * @param place - `body`, `query` or `path`
 * @throws ProblemError that names each field that is not valid
 */
export const parseInput = <T extends z.ZodType>(schema: T, value: unknown, place: string): z.output<T> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fieldErrors = toFieldErrors(result.error);
  const detail = `The ${place} is not valid: ${fieldErrors.map(({ path, message }) => `${path || place} ${message}`).join('; ')}`;
  throw createProblem('validation_failed', detail.slice(0, 1_000), {
    fieldErrors: fieldErrors.slice(0, 100),
  });
};
