import { mailboxAccessVariables } from '@mailsweep/provider-connection';
import { FlagSchema, HttpUrlSchema, parseConfig, SecretSchema } from '@mailsweep/service-kit';
import { z } from 'zod';

/** Default number of scan steps in flight at once; most of the time each waits for quota. */
const DEFAULT_SCAN_CONCURRENCY = 8;
/** Default number of mailboxes checked for new email at once; most of the time each waits for Gmail. */
const DEFAULT_WATCH_CONCURRENCY = 8;
/** Default of the fewest minutes between two checks of a mailbox, whatever its user chose. */
const DEFAULT_WATCH_MIN_MINUTES = 5;

/** What a worker needs to open mailboxes and classify emails; the same as for the API. */
const ScanEnvironmentSchema = z.object({
  ...mailboxAccessVariables,
  INTERNAL_JWT_SECRET: SecretSchema.optional(),
  ML_BASE_URL: HttpUrlSchema,
  ML_TIMEOUT_MS: z.coerce.number().int().min(1).default(5_000),
  ML_BREAKER_PAUSE_MS: z.coerce.number().int().min(1).default(5_000),
  SUGGESTIONS_PUBLISH_THRESHOLD: z.coerce.number().int().min(0).default(10),
  WATCH_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(DEFAULT_WATCH_CONCURRENCY),
  WATCH_MIN_MINUTES: z.coerce.number().int().min(1).max(1_440).default(DEFAULT_WATCH_MIN_MINUTES),
  UNSUBSCRIBE_ALLOW_PRIVATE_ADDRESSES: FlagSchema.default(false),
  SCAN_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(DEFAULT_SCAN_CONCURRENCY),
});

export type ScanConfig = Readonly<z.output<typeof ScanEnvironmentSchema>>;

/** If any of these is set, the worker opens mailboxes, and none may be missing. */
const SCAN_VARIABLES = ['TOKEN_ENCRYPTION_KEY', 'OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET', 'ML_BASE_URL'];

/**
 * Reads the configuration of scanning; undefined when none is set: such a worker delivers events and holds no keys.
 *
 * @throws {ConfigError} naming every invalid variable at once
 */
export const readScanConfig = (env: Record<string, string | undefined>): ScanConfig | undefined =>
  SCAN_VARIABLES.some((name) => env[name]) ? parseConfig(ScanEnvironmentSchema, env) : undefined;
