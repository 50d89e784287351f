import { LogLevelSchema, PortSchema, parseConfig } from '@mailsweep/service-kit';
import { z } from 'zod';

const EnvironmentSchema = z.object({
  PORT: PortSchema,
  WEBHOOK_SIGNING_SECRET: z.string().optional(),
  LOG_LEVEL: LogLevelSchema,
});

/**
 * The configuration of the webhook inbox's process.
 *
 * @throws ConfigError naming every variable that is missing or malformed
 */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => parseConfig(EnvironmentSchema, env);
