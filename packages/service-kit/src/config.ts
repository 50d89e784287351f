import { z } from 'zod';
import type { Logger } from './logger.ts';
import {
  ConfigError,
  type ConfigIssue,
  findSuspectVariables,
  readSecretFiles,
  toConfigError,
} from './variables.ts';

/**
 * Reads the environment once, at start. An empty variable counts as absent. Values are never repeated in
 * the message: some of them are secrets.
 *
 * @returns the parsed variables, frozen
 * @throws {ConfigError} naming every invalid variable at once
 */
export const parseConfig = <T extends z.ZodType>(
  schema: T,
  env: Record<string, string | undefined>,
): Readonly<z.output<T>> => {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(given, { error: describeIssue });
  if (result.success) return Object.freeze(result.data) as Readonly<z.output<T>>;
  const issues = result.error.issues.map((issue) => {
    const name = issue.path.join('.');
    // An absent number reads as NaN.
    const message = name === '' || name in given ? issue.message : 'is required';
    return { variable: name || '(all)', message };
  });
  throw toConfigError(issues);
};

/**
 * Reads several parts of a configuration.
 *
 * @returns what each of the readers returns
 * @throws {ConfigError} naming every invalid variable of all parts at once
 */
export const readParts = <T extends readonly unknown[]>(
  ...readers: { [Part in keyof T]: () => T[Part] }
): T => {
  const issues = new Map<string, ConfigIssue>();
  const parts = readers.map((read) => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // Parts share variables.
      for (const issue of error.issues) issues.set(`${issue.variable} ${issue.message}`, issue);
      return undefined;
    }
  });
  if (issues.size > 0) throw toConfigError([...issues.values()]);
  return parts as unknown as T;
};

/**
 * Reads the configuration, or ends the process: with every error and every suspect variable on standard error, because
 * nothing may listen before the configuration is whole. Secrets may come from files ({@link readSecretFiles}). With
 * `--check` the process always ends here, with 0 where it would have started.
 *
 * @param options.takesWords - the caller reads the command line; otherwise it may hold `--check` alone
 */
export const loadConfig = <T>(
  read: (env: Record<string, string | undefined>) => T,
  options: { takesWords?: true } = {},
): T => {
  const suspects = findSuspectVariables(process.env);
  try {
    const [, , word] = process.argv;
    const isCheck = word === '--check' && !options.takesWords;
    if (word !== undefined && !isCheck && !options.takesWords)
      throw new ConfigError(`Takes no arguments, only variables: ${word}`);
    const { env, issues } = readSecretFiles(process.env);
    if (issues.length > 0) throw toConfigError(issues);
    const config = read(env);
    if (!isCheck) return config;
    const lines = ['The configuration is complete.', ...suspects.map(({ message }) => message)];
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${[error.message, ...suspects.map(({ message }) => message)].join('\n')}\n`);
    process.exit(1);
  }
};

export const warnOfVariables = (logger: Pick<Logger, 'warn'>): void => {
  for (const { message, ...suspect } of findSuspectVariables(process.env)) logger.warn(suspect, message);
};

/** Whether OpenTelemetry's own variables, which the SDK reads by itself, say where spans go. */
export const isTracingEnabled = (): boolean => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, OTEL_SDK_DISABLED } = process.env;
  const endpoint = OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || OTEL_EXPORTER_OTLP_ENDPOINT;
  return Boolean(endpoint) && OTEL_SDK_DISABLED?.toLowerCase() !== 'true';
};

/** Zod's own messages repeat the value received; these don't. */
const describeIssue: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return ['number', 'int'].includes(issue.expected)
        ? 'must be a whole number in digits, such as 1'
        : 'is malformed';
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'invalid_format':
      return `must be a valid ${issue.format}`;
    default:
      return 'is malformed';
  }
};

export const PortSchema = z.coerce.number().int().min(1).max(65_535);

/** Where operators' routes and the classification service listen, which are not for the public. */
export const InternalHostSchema = z.string().min(1).default('127.0.0.1');

export const FlagSchema = z.enum(['true', 'false']).transform((word) => word === 'true');

export const HttpUrlSchema = z
  .url({ protocol: /^https?$/ })
  .transform((url) => url.replace(/(?<!\/)\/+$/, ''));

const MIN_SECRET_BYTES = 32;

export const SecretSchema = z.string().refine((secret) => Buffer.byteLength(secret) >= MIN_SECRET_BYTES, {
  error: 'must be at least 32 bytes long',
});

/** Where the queue and the counts of limits are. */
export const RedisUrlSchema = z.url({
  protocol: /^rediss?$/,
  error: 'must be a redis:// or rediss:// address',
});

/** The classification service and what its suggestions lead to, for the configuration of a process. */
export const mlVariables = {
  ML_BASE_URL: HttpUrlSchema,
  ML_SHADOW_URL: HttpUrlSchema.optional(),
  ML_TIMEOUT_MS: z.coerce.number().int().min(1).default(5_000),
  INTERNAL_JWT_SECRET: SecretSchema.optional(),
  SUGGESTIONS_PUBLISH_THRESHOLD: z.coerce.number().int().min(0).default(10),
};

export const LogLevelSchema = z
  .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  .default('info');
