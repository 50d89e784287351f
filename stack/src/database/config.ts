import { LogLevelSchema, PortSchema, parseConfig } from '@mailsweep/service-kit';
import { z } from 'zod';

const EnvironmentSchema = z.object({
  PORT: PortSchema,
  DATABASE_DIR: z.string(),
  DATABASE_NAME: z.string(),
  LOG_LEVEL: LogLevelSchema,
});

/**
 * The configuration of the process that keeps the embedded Postgres.
 *
 * @throws ConfigError naming every variable that is missing or malformed
 */
export const readConfig = (env: NodeJS.ProcessEnv = process.env) => parseConfig(EnvironmentSchema, env);
