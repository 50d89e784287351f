import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { databaseVariables, missingDatabaseVariables, toDatabaseUrl } from '@mailsweep/database';
import type { OauthClient } from '@mailsweep/google-sandbox';
import { OauthClientsSchema } from '@mailsweep/google-sandbox';
import { ConfigError, HttpUrlSchema, LogLevelSchema, PortSchema, parseConfig } from '@mailsweep/service-kit';
import { z } from 'zod';
import type { PortWish } from './ports.ts';
import { REPOSITORY } from './repository.ts';

/** The data folder where MAILSWEEP_HOME names none. */
export const DEFAULT_DATA_DIR = '.mailsweep';
const DEFAULT_API_PORT = 3000;
const DEFAULT_WEB_PORT = 5173;
const LOCAL_HOSTS = ['localhost', '127.0.0.1'];

const EnvironmentSchema = z
  .object({
    ...databaseVariables,
    MAILSWEEP_HOME: z.string().default(DEFAULT_DATA_DIR),
    PORT: PortSchema.optional(),
    WORKER_PORT: PortSchema.optional(),
    REDIS_URL: z.string().optional(),
    OAUTH_ISSUER: HttpUrlSchema.optional(),
    GMAIL_BASE_URL: HttpUrlSchema.optional(),
    OAUTH_CLIENT_ID: z.string().optional(),
    OAUTH_CLIENT_SECRET: z.string().optional(),
    OAUTH_REDIRECT_URI: HttpUrlSchema.optional(),
    FRONTEND_ORIGIN: HttpUrlSchema.optional(),
    ML_BASE_URL: HttpUrlSchema.optional(),
    WORKFLOW_WEBHOOK_URL: HttpUrlSchema.optional(),
    TOKEN_ENCRYPTION_KEY: z.string().optional(),
    INTERNAL_JWT_SECRET: z.string().optional(),
    WEBHOOK_SIGNING_SECRET: z.string().optional(),
    SANDBOX_OAUTH_CLIENTS: OauthClientsSchema.default([]),
    LOG_LEVEL: LogLevelSchema,
    NO_COLOR: z.string().optional(),
  })
  .check(({ value, issues }) => {
    const require = (names: readonly (keyof typeof value)[]) => {
      for (const name of names.filter((candidate) => value[candidate] === undefined)) {
        issues.push({
          code: 'custom',
          input: undefined,
          path: [name],
          message: 'is required with the others of its kind',
        });
      }
    };
    if (value.OAUTH_CLIENT_ID ?? value.OAUTH_CLIENT_SECRET ?? value.OAUTH_ISSUER ?? value.GMAIL_BASE_URL) {
      require(['OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET']);
    }
    if (value.OAUTH_ISSUER ?? value.GMAIL_BASE_URL) require(['OAUTH_ISSUER', 'GMAIL_BASE_URL']);
    const missing = missingDatabaseVariables(value);
    if (!missing.includes('DATABASE_URL')) {
      for (const name of missing) {
        issues.push({
          code: 'custom',
          input: undefined,
          path: [name],
          message: 'is required with the others of its kind',
        });
      }
    }
  });
type Environment = z.output<typeof EnvironmentSchema>;

/** What a local stack is made of, and what it leaves to real services. */
export interface StackConfig {
  dataDir: string;
  /** Whether the web app is served with hot reload, and API, worker and ML service start again when sources change. */
  isDev: boolean;
  /** Whether all stored data is deleted first. */
  isReset: boolean;
  hasColour: boolean;
  logLevel: z.output<typeof LogLevelSchema>;
  apiPort: PortWish;
  webPort: PortWish;
  workerPort: PortWish;
  /** Each of these takes the place of a part; undefined: the stack brings its own. */
  given: {
    databaseUrl: string | undefined;
    redisUrl: string | undefined;
    /** Real Google, or another provider. */
    google: { issuer: string | undefined } | undefined;
    mlBaseUrl: string | undefined;
    webhookUrl: string | undefined;
    redirectUri: string | undefined;
    frontendOrigin: string | undefined;
    tokenEncryptionKey: string | undefined;
    internalJwtSecret: string | undefined;
    webhookSigningSecret: string | undefined;
    /** The session resource of a JMAP server, where people sign in with a token that they made there. */
    jmapSessionUrl: string | undefined;
    /** Further programs that may send people to the sandbox. */
    sandboxClients: readonly OauthClient[];
  };
  /** What every part inherits: the variables of the process and of `.env`. */
  environment: Record<string, string>;
}

/**
 * Reads the variables of the process, of the file `.env`, which gives way to them, and the arguments.
 *
 * @throws ConfigError naming every variable or argument that is missing or malformed
 */
export const readStackConfig = (options: {
  arguments: string[];
  env?: NodeJS.ProcessEnv;
  envFile?: string;
}): StackConfig => {
  const flags = parseFlags(options.arguments);
  const environment = readEnvironment(options);
  const variables = parseConfig(EnvironmentSchema, environment);
  return {
    dataDir: isAbsolute(variables.MAILSWEEP_HOME)
      ? variables.MAILSWEEP_HOME
      : join(REPOSITORY, variables.MAILSWEEP_HOME),
    isDev: flags.dev,
    isReset: flags.reset,
    hasColour: variables.NO_COLOR === undefined,
    logLevel: variables.LOG_LEVEL,
    apiPort: toApiWish(variables),
    webPort: toWebWish(variables, flags.webPort),
    workerPort:
      variables.WORKER_PORT === undefined
        ? { preferred: 0 }
        : { preferred: variables.WORKER_PORT, variable: 'WORKER_PORT' },
    given: {
      databaseUrl: missingDatabaseVariables(variables).length === 0 ? toDatabaseUrl(variables) : undefined,
      redisUrl: variables.REDIS_URL,
      google: variables.OAUTH_CLIENT_ID === undefined ? undefined : { issuer: variables.OAUTH_ISSUER },
      mlBaseUrl: variables.ML_BASE_URL,
      webhookUrl: variables.WORKFLOW_WEBHOOK_URL,
      redirectUri: variables.OAUTH_REDIRECT_URI,
      frontendOrigin: variables.FRONTEND_ORIGIN,
      tokenEncryptionKey: variables.TOKEN_ENCRYPTION_KEY,
      internalJwtSecret: variables.INTERNAL_JWT_SECRET,
      webhookSigningSecret: variables.WEBHOOK_SIGNING_SECRET,
      jmapSessionUrl: flags.jmap,
      sandboxClients: variables.SANDBOX_OAUTH_CLIENTS,
    },
    environment,
  };
};

/** Tokens go there: only on this machine without encryption. */
const isEncryptedOrLocal = (url: string): boolean =>
  new URL(url).protocol === 'https:' || LOCAL_HOSTS.includes(new URL(url).hostname);

interface Flags {
  dev: boolean;
  reset: boolean;
  webPort: number | undefined;
  jmap: string | undefined;
}

const parseFlags = (words: string[]): Flags => {
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        dev: { type: 'boolean', default: false },
        reset: { type: 'boolean', default: false },
        'web-port': { type: 'string' },
        jmap: { type: 'string' },
      },
    });
    const webPort = PortSchema.optional().safeParse(values['web-port']);
    if (!webPort.success) throw new Error('--web-port must be a port');
    const jmap = HttpUrlSchema.refine(isEncryptedOrLocal).optional().safeParse(values.jmap);
    if (!jmap.success) throw new Error('--jmap must be the https address of a JMAP session');
    return { ...values, webPort: webPort.data, jmap: jmap.data };
  } catch (error) {
    const message = error instanceof Error ? error.message : error;
    throw new ConfigError(`${message}\nKnown: --dev, --reset, --web-port <port>, --jmap <url>`);
  }
};

/** The variables of the process and of the file `.env`, which gives way to them. */
export const readEnvironment = ({
  env = process.env,
  envFile = join(REPOSITORY, '.env'),
}: {
  env?: NodeJS.ProcessEnv;
  envFile?: string;
} = {}): Record<string, string> => {
  const fromFile = existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {};
  const all = Object.entries({ ...fromFile, ...env });
  // An empty variable counts as absent everywhere; so that no part takes it for a value.
  return Object.fromEntries(all.flatMap(([name, value]) => (value ? [[name, value]] : [])));
};

/** A port in a redirect address of this machine is asked for as much as one in `PORT`. */
const toApiWish = ({ PORT: port, OAUTH_REDIRECT_URI: address }: Environment): PortWish => {
  if (port !== undefined) return { preferred: port, variable: 'PORT' };
  const url = address === undefined ? undefined : new URL(address);
  if (url === undefined || !LOCAL_HOSTS.includes(url.hostname) || url.port === '')
    return { preferred: DEFAULT_API_PORT };
  return { preferred: Number(url.port), variable: 'OAUTH_REDIRECT_URI' };
};

/** Another server serves the front end when its origin is set: the stack needs no port for it. */
const toWebWish = ({ FRONTEND_ORIGIN: origin }: Environment, port: number | undefined): PortWish => {
  if (origin !== undefined) return { preferred: 0 };
  return port === undefined ? { preferred: DEFAULT_WEB_PORT } : { preferred: port, variable: '--web-port' };
};
