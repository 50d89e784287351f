import { z } from 'zod';

const EnvironmentSchema = z.object({
  PROPERTY_RUNS: z.coerce.number().int().min(1).optional(),
  PROPERTY_SEED: z.coerce.number().int().optional(),
  PROPERTY_PATH: z.string().optional(),
  PROPERTY_SHRINK: z.literal('true').optional(),
});

/**
 * How a property is tried: the same runs each time, so that no change fails by chance. `PROPERTY_RUNS` asks for so
 * many random ones instead, `PROPERTY_SEED` repeats those of a failure, `PROPERTY_PATH` the failed one alone, and `PROPERTY_SHRINK=true` looks for the smallest
 * failure, which takes long.
 */
export const propertyRuns = ({ numRuns, seed }: { numRuns: number; seed: number }) => {
  const environment = EnvironmentSchema.parse(process.env);
  return {
    numRuns: environment.PROPERTY_RUNS ?? numRuns,
    seed: environment.PROPERTY_SEED ?? (environment.PROPERTY_RUNS === undefined ? seed : undefined),
    path: environment.PROPERTY_PATH ?? '',
    endOnFailure: environment.PROPERTY_SHRINK === undefined,
  };
};
