import {
  InternalHostSchema,
  LogLevelSchema,
  PortSchema,
  parseConfig,
  SecretSchema,
} from '@mailsweep/service-kit';
import { z } from 'zod';

const ConfigSchema = z.object({
  PORT: PortSchema,
  INTERNAL_HOST: InternalHostSchema,
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
