import { mailboxAccessVariables } from '@mailsweep/provider-connection';
import { HttpUrlSchema, parseConfig, SecretSchema } from '@mailsweep/service-kit';
import { z } from 'zod';

/** Steps of scans that one process takes at once; most of the time each waits for its quota. */
const DEFAULT_SCAN_CONCURRENCY = 8;

/** What a worker needs to open mailboxes and have them classified; the same as the API's. */
const ScanEnvironmentSchema = z.object({
  ...mailboxAccessVariables,
  INTERNAL_JWT_SECRET: SecretSchema.optional(),
  ML_BASE_URL: HttpUrlSchema,
  ML_TIMEOUT_MS: z.coerce.number().int().min(1).default(5_000),
  ML_BREAKER_PAUSE_MS: z.coerce.number().int().min(1).default(5_000),
  SUGGESTIONS_PUBLISH_THRESHOLD: z.coerce.number().int().min(0).default(10),
  SCAN_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(DEFAULT_SCAN_CONCURRENCY),
});

export type ScanConfig = Readonly<z.output<typeof ScanEnvironmentSchema>>;

/** Any one of these says that the worker is meant to scan, and then none may be missing. */
const TELLING_VARIABLES = ['TOKEN_ENCRYPTION_KEY', 'OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET', 'ML_BASE_URL'];

/**
 * Reads what scanning needs; undefined where none of it is given: such a worker delivers events and holds no keys.
 *
 * @throws {ConfigError} naming every faulty variable at once
 */
export const readScanConfig = (env: Record<string, string | undefined>): ScanConfig | undefined =>
  TELLING_VARIABLES.some((name) => env[name]) ? parseConfig(ScanEnvironmentSchema, env) : undefined;
