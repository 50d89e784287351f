import { z } from 'zod';

const EnvironmentSchema = z.object({
  PROPERTY_RUNS: z.coerce.number().int().min(1).optional(),
  PROPERTY_SEED: z.coerce.number().int().optional(),
  PROPERTY_SHRINK: z.literal('true').optional(),
});

/**
 * How a property is tried. `PROPERTY_RUNS` sets the number of runs, `PROPERTY_SEED` repeats those of an earlier
 * failure, and `PROPERTY_SHRINK=true` looks for the smallest failure, which takes long.
 */
export const propertyRuns = ({ numRuns }: { numRuns: number }) => {
  const environment = EnvironmentSchema.parse(process.env);
  return {
    numRuns: environment.PROPERTY_RUNS ?? numRuns,
    seed: environment.PROPERTY_SEED,
    endOnFailure: environment.PROPERTY_SHRINK === undefined,
  };
};
