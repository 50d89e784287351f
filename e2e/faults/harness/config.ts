import { randomInt } from 'node:crypto';
import { z } from 'zod';

const EnvironmentSchema = z.object({ FAULTS_SEED: z.coerce.number().int().min(0).optional() });

/** The campaign's seed: `FAULTS_SEED`, or a new one each time. */
export const readSeed = (env: NodeJS.ProcessEnv = process.env): number =>
  EnvironmentSchema.parse(env).FAULTS_SEED ?? randomInt(2 ** 31);
