import { createHash } from 'node:crypto';
import type { IdempotentRequest, Mailsweep, StoredResponse } from '@mailsweep/core';
import type { Request } from 'express';
import { createProblem } from './problems.ts';

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

/** Carries out a request once per key; a retry gets the stored response. */
export type RespondOnce = (
  request: Request,
  /** Of the request, after parsing. */
  parsed: { userId: string; key: string; body: unknown },
  respond: (idempotency: IdempotentRequest) => Promise<StoredResponse>,
) => Promise<StoredResponse & { isReplayed: boolean }>;

export const createRespondOnce =
  ({ idempotency }: Pick<Mailsweep, 'idempotency'>): RespondOnce =>
  async (request, { userId, key, body }, respond) => {
    const held = { userId, key, requestHash: hashRequest(request, body) };
    const response = await idempotency.respondOnce(held, respond);
    if (response === 'reused') throw reused();
    if (response === 'in_flight') throw inFlight();
    return response;
  };
