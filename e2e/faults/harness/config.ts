import { randomInt } from 'node:crypto';
import { z } from 'zod';

const SeedSchema = z.coerce.number().int().min(0);

/** The campaign's seed: `FAULTS_SEED`, or a new one each time. */
export const readSeed = ({ FAULTS_SEED }: NodeJS.ProcessEnv = process.env): number =>
  FAULTS_SEED ? SeedSchema.parse(FAULTS_SEED) : randomInt(2 ** 31);
