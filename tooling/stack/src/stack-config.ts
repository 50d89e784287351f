import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { databaseVariables, missingDatabaseVariables, toDatabaseUrl } from '@mailsweep/database';
import { OauthClientsSchema } from '@mailsweep/google-sandbox';
import { ConfigError, HttpUrlSchema, LogLevelSchema, PortSchema, parseConfig } from '@mailsweep/service-kit';
import { z } from 'zod';
import type { PortWish } from './ports.ts';
import { REPOSITORY } from './repository.ts';

/** The data folder where MAILSWEEP_HOME names none. */
export const DEFAULT_DATA_DIR = '.mailsweep';
const DEFAULT_API_PORT = 3000;
const DEFAULT_WEB_PORT = 5173;
const ENV_FILE = join(REPOSITORY, '.env');
const CLIENT_VARIABLES = ['OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET', 'OAUTH_ISSUER', 'GMAIL_BASE_URL'];
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
    const google = [value.OAUTH_ISSUER, value.GMAIL_BASE_URL];
    const isClient = [value.OAUTH_CLIENT_ID, value.OAUTH_CLIENT_SECRET, ...google].some(Boolean);
    const database = missingDatabaseVariables(value);
    const missing = [
      ...(isClient && !value.OAUTH_CLIENT_ID ? ['OAUTH_CLIENT_ID'] : []),
      ...(isClient && !value.OAUTH_CLIENT_SECRET ? ['OAUTH_CLIENT_SECRET'] : []),
      ...(google.some(Boolean) && !value.OAUTH_ISSUER ? ['OAUTH_ISSUER'] : []),
      ...(google.some(Boolean) && !value.GMAIL_BASE_URL ? ['GMAIL_BASE_URL'] : []),
      // Without any, the stack brings its own.
      ...(database.includes('DATABASE_URL') ? [] : database),
    ];
    const message = 'is required with the others of its kind';
    for (const name of missing) issues.push({ code: 'custom', input: undefined, path: [name], message });
  });
type Environment = z.output<typeof EnvironmentSchema>;

/**
 * What a local stack is made of, and what it leaves to real services: by the variables of the process, of the file `.env`,
 * which gives way to them, and by the arguments.
 *
 * @throws ConfigError naming every variable or argument that is missing or malformed
 */
export const readStackConfig = (options: {
  arguments: string[];
  env?: NodeJS.ProcessEnv;
  envFile?: string;
}) => {
  const flags = parseFlags(options.arguments);
  const { envFile = flags.envFile ?? ENV_FILE } = options;
  const environment = readEnvironment({ ...options, envFile });
  // The set-up asks for a client that is incomplete.
  const isIncomplete = !environment.OAUTH_CLIENT_ID || !environment.OAUTH_CLIENT_SECRET;
  const left = Object.entries(environment).filter(([name]) => !CLIENT_VARIABLES.includes(name));
  const variables = parseConfig(
    EnvironmentSchema,
    flags.setup && isIncomplete ? Object.fromEntries(left) : environment,
  );
  return {
    dataDir: isAbsolute(variables.MAILSWEEP_HOME)
      ? variables.MAILSWEEP_HOME
      : join(REPOSITORY, variables.MAILSWEEP_HOME),
    /** Whether the web app is served with hot reload, and API, worker and ML service start again when sources change. */
    isDev: flags.dev,
    isReset: flags.reset,
    /** Whether the pages of the set-up are served: without a client at Google, or when asked for. */
    offersSetup: flags.setup || variables.OAUTH_CLIENT_ID === undefined,
    /** What the set-up writes, and the next start reads. */
    envFile,
    hasColour: variables.NO_COLOR === undefined,
    logLevel: variables.LOG_LEVEL,
    apiPort: toApiWish(variables),
    // Another server serves the front end when its origin is set: the stack needs no port for it.
    webPort:
      variables.FRONTEND_ORIGIN === undefined
        ? toWish('--web-port', flags.webPort, DEFAULT_WEB_PORT)
        : { preferred: 0 },
    workerPort: toWish('WORKER_PORT', variables.WORKER_PORT, 0),
    /** Each of these takes the place of a part; undefined: the stack brings its own. */
    given: {
      databaseUrl: missingDatabaseVariables(variables).length === 0 ? toDatabaseUrl(variables) : undefined,
      redisUrl: variables.REDIS_URL,
      /** Real Google, or another provider. */
      google: variables.OAUTH_CLIENT_ID === undefined ? undefined : { issuer: variables.OAUTH_ISSUER },
      mlBaseUrl: variables.ML_BASE_URL,
      webhookUrl: variables.WORKFLOW_WEBHOOK_URL,
      redirectUri: variables.OAUTH_REDIRECT_URI,
      frontendOrigin: variables.FRONTEND_ORIGIN,
      tokenEncryptionKey: variables.TOKEN_ENCRYPTION_KEY,
      internalJwtSecret: variables.INTERNAL_JWT_SECRET,
      webhookSigningSecret: variables.WEBHOOK_SIGNING_SECRET,
      /** The session resource of a JMAP server, where people sign in with a token that they made there. */
      jmapSessionUrl: flags.jmap,
      /** Further programs that may send people to the sandbox. */
      sandboxClients: variables.SANDBOX_OAUTH_CLIENTS,
    },
    /** What every part inherits: the variables of the process and of `.env`. */
    environment,
  };
};
export type StackConfig = ReturnType<typeof readStackConfig>;

/** Tokens go there: only on this machine without encryption. */
const isEncryptedOrLocal = (url: string): boolean =>
  new URL(url).protocol === 'https:' || LOCAL_HOSTS.includes(new URL(url).hostname);

const parseFlags = (words: string[]) => {
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        dev: { type: 'boolean', default: false },
        reset: { type: 'boolean', default: false },
        setup: { type: 'boolean', default: false },
        // Node takes an `--env-file` of its own, wherever it stands.
        variables: { type: 'string' },
        'web-port': { type: 'string' },
        jmap: { type: 'string' },
      },
    });
    const webPort = PortSchema.optional().safeParse(values['web-port']);
    if (!webPort.success) throw new Error('--web-port must be a port');
    const jmap = HttpUrlSchema.refine(isEncryptedOrLocal).optional().safeParse(values.jmap);
    if (!jmap.success) throw new Error('--jmap must be the https address of a JMAP session');
    return { ...values, envFile: values.variables, webPort: webPort.data, jmap: jmap.data };
  } catch (error) {
    const message = error instanceof Error ? error.message : error;
    throw new ConfigError(
      `${message}\nKnown: --dev, --reset, --setup, --variables <path>, --web-port <port>, --jmap <url>`,
    );
  }
};

/** The variables of the process and of the file `.env`, which gives way to them. */
export const readEnvironment = ({
  env = process.env,
  envFile = ENV_FILE,
}: {
  env?: NodeJS.ProcessEnv;
  envFile?: string;
} = {}): Record<string, string> => {
  const fromFile = existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {};
  const all = Object.entries({ ...fromFile, ...env });
  // An empty variable counts as absent everywhere; so that no part takes it for a value.
  return Object.fromEntries(all.flatMap(([name, value]) => (value ? [[name, value]] : [])));
};

/** A port that a variable or an argument asks for, or another by default. */
const toWish = (variable: string, port: number | undefined, byDefault: number): PortWish =>
  port === undefined ? { preferred: byDefault } : { preferred: port, variable };

/** A port in a redirect address of this machine is asked for as much as one in `PORT`. */
const toApiWish = ({ PORT: port, OAUTH_REDIRECT_URI: address }: Environment): PortWish => {
  const url = address === undefined ? undefined : new URL(address);
  if (port !== undefined || url === undefined || !LOCAL_HOSTS.includes(url.hostname) || url.port === '')
    return toWish('PORT', port, DEFAULT_API_PORT);
  return { preferred: Number(url.port), variable: 'OAUTH_REDIRECT_URI' };
};
