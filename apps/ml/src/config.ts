import { LogLevelSchema, PortSchema, parseConfig, SecretSchema } from '@mailsweep/service-kit';
import { z } from 'zod';

const ConfigSchema = z.object({
  PORT: PortSchema,
  ML_HOST: z.string().min(1).default('127.0.0.1'),
  INTERNAL_JWT_SECRET: SecretSchema,
  LOG_LEVEL: LogLevelSchema,
});
export type Config = Readonly<z.infer<typeof ConfigSchema>>;

/**
 * Reads the configuration of the classification service.
 *
 * @throws {ConfigError} naming every invalid variable at once
 */
export const readConfig = (env: Record<string, string | undefined> = process.env): Config =>
  parseConfig(ConfigSchema, env);
