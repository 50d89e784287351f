import { databaseVariables, requireDatabase, toDatabaseUrl } from '@mailsweep/database';
import {
  encryptionKeyVariables,
  mailboxAccessVariables,
  providerVariables,
  requireProvider,
} from '@mailsweep/mail/provider-connection';
import {
  FlagSchema,
  HttpUrlSchema,
  InternalHostSchema,
  LogLevelSchema,
  mlVariables,
  PortSchema,
  parseConfig,
  pickSharedVariables,
  RedisUrlSchema,
} from '@mailsweep/service-kit';
import { z } from 'zod';

const CALLBACK_PATH = '/auth/idp/callback';

const OriginSchema = HttpUrlSchema.refine((url) => new URL(url).origin === url, {
  error: 'must be an origin such as https://mail.example.com, without a path',
});

const RedirectUriSchema = HttpUrlSchema.refine((url) => new URL(url).pathname === CALLBACK_PATH, {
  error: `must end with the path ${CALLBACK_PATH}`,
});

const PositiveIntegerSchema = z.coerce.number().int().min(1);

const EnvironmentSchema = requireProvider(
  requireDatabase(
    z
      .object({
        ...databaseVariables,
        REDIS_URL: RedisUrlSchema.optional(),
        ...mailboxAccessVariables,
        OAUTH_REDIRECT_URI: RedirectUriSchema,
        FRONTEND_ORIGIN: OriginSchema,
        ...mlVariables,
        VAPID_PUBLIC_KEY: z
          .string()
          .regex(/^[\w-]{87}$/, { error: 'must be 65 bytes in base64url' })
          .optional(),
        NOTIFICATION_WEBHOOK: FlagSchema.default(false),
        PORT: PortSchema,
        PORT_HTTP: PortSchema.optional(),
        OPERATIONS_PORT: PortSchema.optional(),
        INTERNAL_HOST: InternalHostSchema,
        SESSION_TTL_HOURS: z.coerce
          .number()
          .min(0.01)
          .max(24 * 365)
          .default(24 * 30),
        SESSION_COOKIE_SAMESITE: z.enum(['lax', 'strict', 'none']).default('lax'),
        VALIDATION_ERROR_STATUS: z.enum(['400', '422']).default('400').transform(Number),
        API_RATE_LIMIT_PER_MINUTE: PositiveIntegerSchema.default(600),
        AUTH_RATE_LIMIT_PER_MINUTE: PositiveIntegerSchema.default(30),
        TRUST_PROXY_HOPS: z.coerce.number().int().min(0).default(0),
        LOG_LEVEL: LogLevelSchema,
      })
      .superRefine(
        ({ PORT, PORT_HTTP, OPERATIONS_PORT }, context) => {
          if (PORT_HTTP !== undefined && PORT_HTTP === PORT) {
            context.addIssue({ code: 'custom', path: ['PORT_HTTP'], message: 'must differ from PORT' });
          }
          if (OPERATIONS_PORT !== undefined && [PORT, PORT_HTTP].includes(OPERATIONS_PORT)) {
            context.addIssue({
              code: 'custom',
              path: ['OPERATIONS_PORT'],
              message: 'must differ from the other ports',
            });
          }
        },
        { when: () => true },
      ),
  ),
);

export const apiVariables = EnvironmentSchema.shape;

const EncryptionEnvironmentSchema = requireDatabase(
  z.object({ ...databaseVariables, ...encryptionKeyVariables, LOG_LEVEL: LogLevelSchema }),
);

/**
 * The part of the configuration that the commands for re-encryption and training data need.
 *
 * @throws ConfigError naming every variable that is missing or malformed
 */
export const readEncryptionConfig = (env: NodeJS.ProcessEnv = process.env) => {
  const variables = parseConfig(EncryptionEnvironmentSchema, env);
  return Object.freeze({ ...variables, databaseUrl: toDatabaseUrl(variables) });
};

const ErasureEnvironmentSchema = requireProvider(
  requireDatabase(
    z.object({
      ...databaseVariables,
      ...encryptionKeyVariables,
      ...providerVariables,
      OAUTH_REDIRECT_URI: RedirectUriSchema,
      REDIS_URL: RedisUrlSchema.optional(),
      LOG_LEVEL: LogLevelSchema,
    }),
  ),
);

/**
 * The part of the configuration that the erase command needs.
 *
 * @throws ConfigError naming every variable that is missing or malformed
 */
export const readErasureConfig = (env: NodeJS.ProcessEnv = process.env) => {
  const variables = parseConfig(ErasureEnvironmentSchema, env);
  return Object.freeze({ ...variables, databaseUrl: toDatabaseUrl(variables) });
};

export type Config = Readonly<
  z.output<typeof EnvironmentSchema> & {
    databaseUrl: string;
    limits: ApiLimits;
    /** Those that the other processes have, too. */
    sharedVariables: Record<string, string>;
  }
>;

/**
 * The configuration of the API process.
 *
 * @throws ConfigError naming every variable that is missing or malformed
 */
export const readConfig = (env: NodeJS.ProcessEnv = process.env): Config => {
  const variables = parseConfig(EnvironmentSchema, env);
  return Object.freeze({
    ...variables,
    databaseUrl: toDatabaseUrl(variables),
    limits: toApiLimits(variables),
    sharedVariables: pickSharedVariables(env),
  });
};

/** The doctor looks at each variable by itself: nothing may be wrong for it to start. */
export const readDoctorEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => env;

const SLOTS = 500;
const RECENT_SIGN_IN_MINUTES = 10;
/** A screen asks for up to ten things at once over HTTP/2, and a slow machine still works on what the last one asked for. */
const LEAST_IN_FLIGHT_PER_USER = 16;
/** Users that may share an address with each of them at the limit. */
const USERS_PER_ADDRESS = 10;
/** A client fails more often than it signs in. */
const FAILURES_PER_SIGN_IN = 10;
const STORE_TIMEOUT_MS = 40;

/** Limits that are no variables; some are derived from one. Tests give others. */
export interface ApiLimits {
  /** Requests worked on at once before further ones get 503; mailbox routes get four fifths of them, others two. */
  slots: number;
  /** Requests of one user whose responses are not read yet, before further ones get 429. */
  inFlightPerUser: number;
  /** Requests of one client address whose responses are not read yet, before further ones get 429. */
  inFlightPerAddress: number;
  /** Requests per address that fail with 401 or 404, and checks of the database per address. */
  failuresPerMinute: number;
  /** Longest wait for the store of rate limits and quota, in milliseconds; then each replica counts for itself. */
  storeTimeoutMs: number;
  /** How old a sign-in may be for an export or an erasure. */
  recentSignInMinutes: number;
  /** Most database connections of a process; absent: the default of the database's client. */
  databasePoolSize?: number;
  /** How long the circuit breakers of the classification services stay open, in milliseconds; absent: the client's default. */
  breakerPauseMs?: number;
}

const toApiLimits = (variables: {
  API_RATE_LIMIT_PER_MINUTE: number;
  AUTH_RATE_LIMIT_PER_MINUTE: number;
}): ApiLimits => {
  // As many as the user may send in a second.
  const inFlightPerUser = Math.max(
    LEAST_IN_FLIGHT_PER_USER,
    Math.ceil(variables.API_RATE_LIMIT_PER_MINUTE / 60),
  );
  return {
    slots: SLOTS,
    inFlightPerUser,
    inFlightPerAddress: USERS_PER_ADDRESS * inFlightPerUser,
    failuresPerMinute: FAILURES_PER_SIGN_IN * variables.AUTH_RATE_LIMIT_PER_MINUTE,
    storeTimeoutMs: STORE_TIMEOUT_MS,
    recentSignInMinutes: RECENT_SIGN_IN_MINUTES,
  };
};
