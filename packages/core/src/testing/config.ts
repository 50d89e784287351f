import { z } from 'zod';

const EnvironmentSchema = z.object({
  PROPERTY_RUNS: z.coerce.number().int().min(1).optional(),
  PROPERTY_PATH: z.string().optional(),
  PROPERTY_SHRINK: z.literal('true').optional(),
});

/**
 * How a property is tried. `PROPERTY_RUNS` asks for so many runs, `PROPERTY_PATH` for the failed one alone, and
 * `PROPERTY_SHRINK=true` looks for the smallest failure, which takes long.
 */
export const propertyRuns = ({ numRuns }: { numRuns: number }) => {
  const environment = EnvironmentSchema.parse(process.env);
  return {
    numRuns: environment.PROPERTY_RUNS ?? numRuns,
    path: environment.PROPERTY_PATH ?? '',
    endOnFailure: environment.PROPERTY_SHRINK === undefined,
  };
};
