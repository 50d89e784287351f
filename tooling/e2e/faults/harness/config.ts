import { randomInt } from 'node:crypto';
import type { BehaviourChange } from '@mailsweep/google-sandbox';
import { z } from 'zod';

const SeedSchema = z.coerce.number().int().min(0);

/** The seed of the short form: it judges changes, so it has to do the same each time. */
const SHORT_FORM_SEED = 11;

/** The campaign's seed: `FAULTS_SEED`; else the long form, which looks for new faults, takes a new one each time. */
export const readSeed = (
  form: 'short' | 'long',
  { FAULTS_SEED }: NodeJS.ProcessEnv = process.env,
): number => {
  if (FAULTS_SEED) return SeedSchema.parse(FAULTS_SEED);
  return form === 'short' ? SHORT_FORM_SEED : randomInt(2 ** 31);
};

/** Which of the processes that run test files side by side this one is; counts from 1. */
export const readRunner = ({ VITEST_POOL_ID }: NodeJS.ProcessEnv = process.env): number =>
  Number(VITEST_POOL_ID ?? 1);

/** How the Google sandbox behaves in the whole campaign: `SANDBOX_BEHAVIOUR`, JSON of settings (tooling/google-sandbox/README.md). */
export const readBehaviour = ({ SANDBOX_BEHAVIOUR }: NodeJS.ProcessEnv = process.env): BehaviourChange =>
  JSON.parse(SANDBOX_BEHAVIOUR ?? '{}');

const SoakSchema = z.object({
  SOAK_MINUTES: z.coerce.number().int().min(5).max(1_440).default(60),
  SOAK_QUEUE: z.enum(['redis', 'postgres']).default('redis'),
});

/**
 * How many minutes the soak takes, and where its queue lives: `SOAK_MINUTES`, `SOAK_QUEUE`.
 *
 * @throws Error naming every invalid variable
 */
export const readSoak = (env: NodeJS.ProcessEnv = process.env) => {
  const { data, error } = SoakSchema.safeParse(env);
  if (error) throw new Error(z.prettifyError(error));
  return { minutes: data.SOAK_MINUTES, queue: data.SOAK_QUEUE };
};
