import fc from 'fast-check';
import { z } from 'zod';

const EnvironmentSchema = z.object({ PROPERTY_SEED: z.coerce.number().int().default(11) });

/**
 * Seeds the random choices of property tests. They judge changes, so they are the same each time; each night tries other
 * seeds and prints them. `PROPERTY_SEED` repeats one.
 */
const { PROPERTY_SEED } = EnvironmentSchema.parse(process.env);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: PROPERTY_SEED });
