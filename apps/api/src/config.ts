import { databaseVariables, requireDatabase, toDatabaseUrl } from '@mailsweep/database';
import {
  encryptionKeyVariables,
  mailboxAccessVariables,
  providerVariables,
  requireProvider,
} from '@mailsweep/provider-connection';
import {
  FlagSchema,
  HttpUrlSchema,
  InternalHostSchema,
  LogLevelSchema,
  mlVariables,
  PortSchema,
  parseConfig,
  RedisUrlSchema,
} from '@mailsweep/service-kit';
import { z } from 'zod';
import { type ApiLimits, toApiLimits } from './limits/api-limits.ts';

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

/** Each variable of the API with its schema. */
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
  z.output<typeof EnvironmentSchema> & { databaseUrl: string; limits: ApiLimits }
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
  });
};

/** The doctor looks at each variable by itself: nothing may be wrong for it to start. */
export const readDoctorEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => env;
