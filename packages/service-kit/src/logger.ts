import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino';
import { toLogFields } from './tracing/spans.ts';

export type Logger = PinoLogger;

const MAX_CAUSES = 4;

interface LoggedError {
  type: string;
  code?: unknown;
  message: string;
  stack?: string | undefined;
  cause?: LoggedError;
}

/** Errors of libraries whose message quotes the arguments of the call, secrets included. */
const QUOTING_ERRORS = new Set(['PrismaClientValidationError']);

/** Message and stack of an error, without the arguments that some libraries quote in both. */
const describeError = (error: Error): Pick<LoggedError, 'message' | 'stack'> => {
  if (!QUOTING_ERRORS.has(error.name)) return { message: error.message, stack: error.stack };
  const message = 'the arguments of a call are not valid (left out here, for they may hold secrets)';
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return { message, stack: [`${error.name}: ${message}`, ...frames].join('\n') };
};

/**
 * An error as logs show it: name, code, message, stack and causes, nothing else. HTTP and database libraries
 * hang whole requests on their errors, tokens and email included.
 */
const serializeError = (error: unknown, depth = 0): LoggedError => {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' };
  const { message, stack } = describeError(error);
  return {
    type: error.name,
    ...('code' in error ? { code: error.code } : {}),
    message,
    ...(depth === 0 ? { stack } : {}),
    ...(error.cause !== undefined && depth < MAX_CAUSES
      ? { cause: serializeError(error.cause, depth + 1) }
      : {}),
  };
};

/** Fields that never reach a log, at any of {@link REDACTED_DEPTHS}. */
const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'set-cookie',
  'token',
  'accessToken',
  'refreshToken',
  'access_token',
  'refresh_token',
  'id_token',
  'subject',
  'from',
  'snippet',
];

/** Where secret fields are looked for: at the top, and up to three objects or lists deep. */
const REDACTED_DEPTHS = ['', '*', '*.*', '*.*.*'];

/**
 * A logger that writes JSON lines to standard output.
 *
 * @param options.service - the field `service` of every line
 * @param options.destination - elsewhere than standard output: for tests
 */
export const createLogger = (options: {
  service: string;
  level: string;
  destination?: DestinationStream;
}): Logger => {
  const settings = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
    mixin: toLogFields,
    redact: {
      paths: SECRET_FIELDS.flatMap((field) => REDACTED_DEPTHS.map((depth) => `${depth}["${field}"]`)),
      censor: '[redacted]',
    },
  };
  // Written at once: buffered lines get lost or out of order when the process ends, where they matter most.
  return pino(settings, options.destination ?? pino.destination({ dest: 1, sync: true }));
};
