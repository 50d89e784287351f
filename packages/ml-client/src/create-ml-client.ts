import { createSecretKey } from 'node:crypto';
import {
  ML_SUGGEST_PATH,
  ML_TOKEN_AUDIENCE,
  ML_TOKEN_ISSUER,
  MlRequestSchema,
  type Suggestion,
} from '@mailsweep/contracts';
import {
  type BreakerState,
  CircuitOpenError,
  createCircuitBreaker,
  retry,
} from '@mailsweep/service-kit/resilience';
import jwt from 'jsonwebtoken';
import { type MlClient, type MlOutcome, MlUnavailableError } from './ml-client.ts';
import { postJson } from './post-json.ts';
import { readMlResponse } from './read-ml-response.ts';

/** Life of an internal token, in seconds: longer than any call, too short to be worth stealing. */
const TOKEN_LIFE_S = 60;

/**
 * Creates the signer of internal tokens (JWT, RFC 7519; HS256). A token names the user by id alone: no email
 * address travels in it.
 */
const createInternalTokenSigner = (dependencies: { secret: string | Uint8Array; now: () => number }) => {
  const { secret, now } = dependencies;
  // Made once: building the key object is the expensive part of signing.
  const key = createSecretKey(typeof secret === 'string' ? Buffer.from(secret, 'utf8') : secret);
  return (userId: string): string =>
    jwt.sign({ iat: Math.floor(now() / 1_000) }, key, {
      algorithm: 'HS256',
      issuer: ML_TOKEN_ISSUER,
      audience: ML_TOKEN_AUDIENCE,
      subject: userId,
      expiresIn: TOKEN_LIFE_S,
    });
};

/** Time budget of one call when none is given, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_MAX_RESPONSE_BYTES = 5 * 1024 * 1024;
/**
 * What else a response may take, in bytes: an email with ten suggestions takes little more than one kilobyte, but a
 * word may be very long before it is cut. What is read of an endless response is memory that is not given back soon.
 */
const MAX_BYTES_PER_EMAIL = 16 * 1024;
const MAX_BYTES_BESIDES = 1024 * 1024;
const DEFAULT_MAX_ATTEMPTS = 3;
/** The wait before the second attempt lies between this and twice this; it doubles with each attempt. */
const BASE_DELAY_MS = 100;
/** What share of the budget making a connection may take, so that an unreachable host leaves time to retry. */
const CONNECT_SHARE = 1 / 4;
/** Responses that say "not now": a gateway or an instance that is just going or coming (RFC 9110, 15.6). */
const TRANSIENT_STATUSES = new Set([502, 503, 504]);

/** Failed calls in a row after which the service is left alone for a while. */
const BREAKER_FAILURES = 5;
/** How long it is left alone when nothing else is said, in milliseconds. */
const DEFAULT_BREAKER_PAUSE_MS = 5_000;

export interface MlClientOptions {
  /** Address of the classification service; a path in it is kept. */
  baseUrl: string;
  /** Budget for all attempts, waits and the reading of the response together. */
  timeoutMs?: number | undefined;
  /** The secret shared with the classification service, 32 bytes or more; a text stands for its UTF-8 bytes. */
  tokenSecret: string | Uint8Array;
  /** Attempts of one call; three when left out. */
  maxAttempts?: number | undefined;
  /** Size at which a response is cut off whatever it is about, in bytes after decompression. */
  maxResponseBytes?: number | undefined;
  /** The present, in milliseconds since 1970. */
  now?: (() => number) | undefined;
  /** How long the service is left alone after five failed calls in a row, before one call tries it again. */
  breakerPauseMs?: number | undefined;
  /** Told of each new state of the circuit breaker, which begins closed. */
  onBreakerChange?: ((state: BreakerState) => void) | undefined;
  onOutcome?: ((outcome: MlOutcome) => void) | undefined;
  /** A clock that never jumps, in milliseconds from any start. */
  monotonicNowMs?: (() => number) | undefined;
}

const isTransient = (error: unknown): boolean =>
  error instanceof MlUnavailableError &&
  (error.code === 'ml_network' ||
    (error.code === 'ml_status' && error.status !== undefined && TRANSIENT_STATUSES.has(error.status)));

const toUnavailable = (error: unknown): unknown =>
  error instanceof CircuitOpenError
    ? new MlUnavailableError('ml_circuit_open', 'the classification service keeps failing and is not called')
    : error;

/**
 * Creates the client of the classification service. Network errors and 502, 503 and 504 are tried again, up to
 * three attempts within the one budget; every other error is final. After five failed calls in a row it fails at
 * once, without asking, and tries the service again after a pause (docs/decisions/004). It opens nothing that
 * needs closing.
 */
export const createMlClient = (options: MlClientOptions): MlClient => {
  const url = `${options.baseUrl.replace(/(?<!\/)\/+$/, '')}${ML_SUGGEST_PATH}`;
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const maxResponseBytes = options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES;
  const onOutcome = options.onOutcome ?? (() => undefined);
  const signToken = createInternalTokenSigner({
    secret: options.tokenSecret,
    now: options.now ?? Date.now,
  });
  const breaker = createCircuitBreaker({
    failureThreshold: BREAKER_FAILURES,
    coolDownMs: options.breakerPauseMs ?? DEFAULT_BREAKER_PAUSE_MS,
    nowMs: options.monotonicNowMs,
    onChange: options.onBreakerChange,
  });

  const ask: MlClient['suggest'] = async (items, { userId, requestId }) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const headers = { authorization: `Bearer ${signToken(userId)}`, 'x-request-id': requestId };
    // Whatever else an object holds at run time must never reach the classification service: parsing drops it.
    const body = MlRequestSchema.parse(items);
    const plausibleBytes = MAX_BYTES_BESIDES + items.length * MAX_BYTES_PER_EMAIL;
    const response = await retry(
      () =>
        postJson({
          url,
          headers,
          body,
          maxResponseBytes: Math.min(plausibleBytes, maxResponseBytes),
          connectTimeoutMs: Math.ceil(timeoutMs * CONNECT_SHARE),
          signal,
        }),
      {
        maxAttempts: options.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
        isTransient,
        firstDelayMs: BASE_DELAY_MS,
        signal,
      },
    );
    return readMlResponse(
      response,
      items.map((item) => item.id),
    );
  };

  return {
    async suggest(items, context) {
      if (items.length === 0) return new Map<string, Suggestion[]>();
      try {
        const suggestions = await breaker.run(() => ask(items, context));
        onOutcome('ok');
        return suggestions;
      } catch (cause) {
        const error = toUnavailable(cause);
        if (error instanceof MlUnavailableError) onOutcome(error.code);
        throw error;
      }
    },
  };
};
