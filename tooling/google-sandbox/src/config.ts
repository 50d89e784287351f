import { randomBytes } from 'node:crypto';
import { LogLevelSchema, PortSchema, parseConfig } from '@mailsweep/service-kit';
import { parseJson } from '@mailsweep/service-kit/http-client';
import { z } from 'zod';
import { BehaviourChangeSchema } from './behaviour.ts';

const CountSchema = z.coerce.number().int().min(0);

const TokenKeySchema = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((bytes) => bytes.length === 32, { error: 'must be the base64 encoding of 32 bytes' });

const ClientSchema = z.strictObject({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  name: z.string().default('Mailsweep'),
  redirectUris: z.array(z.url()).min(1),
});
const jsonText = <T extends z.ZodType>(schema: T, error: string) =>
  z
    .string()
    .transform(parseJson)
    .refine((value): boolean => value !== undefined, { error })
    .pipe(schema);

/** Programs that may send users to the sandbox, as JSON text. */
export const OauthClientsSchema = jsonText(z.array(ClientSchema), 'must be a JSON array');

const DEFAULT_CLIENTS = JSON.stringify([
  {
    clientId: 'sandbox-client',
    clientSecret: 'sandbox-secret',
    redirectUris: ['http://localhost:3000/auth/idp/callback'],
  },
]);

const SettingsSchema = z.object({
  PORT: PortSchema.default(4010),
  /** Mail addresses, separated by commas; undefined: the seeded users. */
  SANDBOX_ACCOUNTS: z
    .string()
    .transform((text) => text.split(',').map((address) => address.trim()))
    .pipe(z.array(z.email()).min(1))
    .optional(),
  SANDBOX_OAUTH_CLIENTS: OauthClientsSchema.prefault(DEFAULT_CLIENTS),
  SANDBOX_TOKEN_KEY: TokenKeySchema.prefault(() => randomBytes(32).toString('base64')),
  SANDBOX_CHANGES_FILE: z.string().optional(),
  SANDBOX_ACCESS_TOKEN_TTL_SECONDS: z.coerce.number().int().min(1).default(3_600),
  SANDBOX_QUOTA_UNITS_PER_MINUTE: CountSchema.default(0),
  SANDBOX_CONCURRENT_CALLS: CountSchema.default(25),
  SANDBOX_LATENCY_MS: CountSchema.default(0),
  /** Where one-click addresses of seeded email lead; to servers that do not exist when left out. */
  SANDBOX_UNSUBSCRIBE_ORIGIN: z.url({ protocol: /^https$/ }).optional(),
  /** A link of the sign-in page, for users who want to connect a mailbox of their own. */
  SANDBOX_SETUP_URL: z.url().optional(),
  SANDBOX_BEHAVIOUR: jsonText(BehaviourChangeSchema, 'must be a JSON object').default({}),
  LOG_LEVEL: LogLevelSchema,
});
export type SandboxSettings = z.output<typeof SettingsSchema>;

/**
 * The settings of a sandbox.
 *
 * @param given - go before the environment's variables
 * @throws ConfigError naming every variable that is malformed
 */
export const readSettings = (
  given: Record<string, string> = {},
  env: NodeJS.ProcessEnv = process.env,
): SandboxSettings => parseConfig(SettingsSchema, { ...env, ...given });
