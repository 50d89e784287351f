import fc from 'fast-check';
import { z } from 'zod';

const EnvironmentSchema = z.object({ PROPERTY_SEED: z.coerce.number().int().default(11) });

/**
 * Seeds the random choices of property tests. Locally they are the same each time; each run of CI chooses
 * another seed and prints it (`vitest.config.ts`). `PROPERTY_SEED` repeats one.
 */
const { PROPERTY_SEED } = EnvironmentSchema.parse(process.env);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: PROPERTY_SEED });
