import fc from 'fast-check';
import { z } from 'zod';

const EnvironmentSchema = z.object({
  PROPERTY_SEED: z.union([z.literal('random'), z.coerce.number().int()]).default(11),
});

/**
 * Property tests repeat the same random choices, so that no change fails by chance. `PROPERTY_SEED` repeats those of a
 * failure; `random` looks for new ones.
 */
const { PROPERTY_SEED } = EnvironmentSchema.parse(process.env);
if (PROPERTY_SEED !== 'random') fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: PROPERTY_SEED });
