import { createHash, randomUUID } from 'node:crypto';
import {
  completeIdempotencyKey,
  type HeldKey,
  IDEMPOTENCY_LEASE_SECONDS,
  type IdempotentRequest,
  releaseIdempotencyKey,
  renewIdempotencyKey,
  reserveIdempotencyKey,
} from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { type Logger, whileRenewing } from '@mailsweep/service-kit';
import type { Request } from 'express';
import { createProblem } from './create-problem.ts';

export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key';
/** Marks a response that was stored for a key. */
export const REPLAYED_HEADER = 'Idempotency-Replayed';

/**
 * The key in quotes, as a string of RFC 8941 without escapes, or bare: 1 to 255 visible characters, and spaces within
 * quotes.
 */
const KEY_PATTERN =
  /^(?:"([\x20\x21\x23-\x5b\x5d-\x7e]{1,255})"|([\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,255}))$/;
/** Seconds after which a client may ask for the outcome of its request. */
const RETRY_AFTER_S = 2;
const RENEW_INTERVAL_MS = (IDEMPOTENCY_LEASE_SECONDS * 1_000) / 3;

/**
 * The key that a request carries; undefined when it carries none.
 *
 * @throws {ProblemError} 400 when it is malformed or too long
 */
export const readIdempotencyKey = (request: Request): string | undefined => {
  const header = request.get(IDEMPOTENCY_KEY_HEADER);
  if (header === undefined) return undefined;
  const [, quoted, bare] = KEY_PATTERN.exec(header) ?? [];
  const key = quoted ?? bare;
  if (key !== undefined) return key;
  const message = 'must be 1 to 255 printable ASCII characters, bare or in double quotes';
  throw createProblem('validation_failed', `The header ${IDEMPOTENCY_KEY_HEADER} ${message}.`, {
    fieldErrors: [{ path: IDEMPOTENCY_KEY_HEADER, message }],
  });
};

/** Identifies equal requests: by method, path and parsed body. */
const hashRequest = (request: Request, body: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([request.method, request.baseUrl + request.path, body ?? null]))
    .digest('hex');

const inFlight = () =>
  createProblem(
    'idempotency_request_in_flight',
    'The request with this key is still being carried out; try again shortly.',
    { headers: { 'retry-after': String(RETRY_AFTER_S) } },
  );

const reused = () =>
  createProblem(
    'idempotency_key_reused',
    'This key was sent with another request before; every request needs a key of its own.',
    { fieldErrors: [{ path: IDEMPOTENCY_KEY_HEADER, message: 'belongs to another request' }] },
  );

/** A response as it is sent, and stored. */
interface StoredResponse {
  status: number;
  /** JSON text. */
  body: string;
}

/** Carries out a request once per key (docs/decisions/033). */
export type RespondOnce = (
  request: Request,
  /** Of the request, after parsing. */
  parsed: { userId: string; key: string; body: unknown },
  respond: (idempotency: IdempotentRequest) => Promise<StoredResponse>,
) => Promise<StoredResponse & { isReplayed: boolean }>;

/**
 * Creates what carries requests out once per key: a retry gets the stored response. What fails releases its key, so
 * that a retry can act.
 */
export const createRespondOnce = ({
  database,
  logger,
}: {
  database: Database;
  logger: Logger;
}): RespondOnce => {
  /** A key that can't be written to now is free again once its lease has run out. */
  const attempt = (work: Promise<void>, failure: string): Promise<void> =>
    work.catch((error: unknown) => logger.warn({ err: error }, failure));

  const respondWhileHeld = async (
    held: HeldKey,
    done: IdempotentRequest['done'],
    respond: (idempotency: IdempotentRequest) => Promise<StoredResponse>,
  ): Promise<StoredResponse> => {
    try {
      const response = await respond({ key: held.key, done });
      await attempt(
        completeIdempotencyKey(database, held, response),
        'the response to an idempotency key could not be stored',
      );
      return response;
    } catch (error) {
      await attempt(releaseIdempotencyKey(database, held), 'an idempotency key could not be released');
      throw error;
    }
  };

  return async (request, { userId, key, body }, respond) => {
    const held = { userId, key, holderId: randomUUID() };
    const reservation = await reserveIdempotencyKey(database, held, hashRequest(request, body));
    switch (reservation.state) {
      case 'reused':
        throw reused();
      case 'in_flight':
        throw inFlight();
      case 'completed':
        return { ...reservation, isReplayed: true };
      case 'reserved':
        return {
          ...(await whileRenewing(() => respondWhileHeld(held, reservation.done, respond), {
            renew: () => renewIdempotencyKey(database, held),
            intervalMs: RENEW_INTERVAL_MS,
            onFailure: (error) => logger.warn({ err: error }, 'an idempotency key could not be renewed'),
          })),
          isReplayed: false,
        };
    }
  };
};
