import { randomUUID } from 'node:crypto';
import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { type Logger, whileRenewing } from '@mailsweep/service-kit';
import { z } from 'zod';

/** How long the key of a process that died stays in flight, in seconds. */
const IDEMPOTENCY_LEASE_SECONDS = 10;
const RENEW_INTERVAL_MS = (IDEMPOTENCY_LEASE_SECONDS * 1_000) / 3;

/** A response as it is sent, and stored. */
export interface StoredResponse {
  status: number;
  /** JSON text. */
  body: string;
}

/**
 * Carries requests out once per key (docs/decisions/033): a retry gets the stored response. What fails releases its key, so
 * that a retry can act.
 */
export const createIdempotency = ({ database, logger }: { database: Database; logger: Logger }) => {
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

  return {
    /** @param requestHash - equal for equal requests */
    async respondOnce(
      { userId, key, requestHash }: { userId: string; key: string; requestHash: string },
      respond: (idempotency: IdempotentRequest) => Promise<StoredResponse>,
    ): Promise<'reused' | 'in_flight' | (StoredResponse & { isReplayed: boolean })> {
      const held = { userId, key, holderId: randomUUID() };
      const reservation = await reserveIdempotencyKey(database, held, requestHash);
      switch (reservation.state) {
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
        default:
          return reservation.state;
      }
    },
  };
};

export const IDEMPOTENCY_KEY_HOURS = 24;

interface HeldKey {
  userId: string;
  key: string;
  holderId: string;
}

export interface IdempotentRequest {
  key: string;
  /**
   * What an earlier attempt recorded under the key before its process died, by what it was done to: record ids by email
   * id, instants by the id of an undone record, or the id of the scan that was started.
   */
  done: ReadonlyMap<string, string>;
}

/** State of a key when a request uses it. */
type KeyReservation =
  | { state: 'reserved'; done: IdempotentRequest['done'] }
  | { state: 'completed'; status: number; body: string }
  /** The request before is still running, or what it did is not recorded yet. */
  | { state: 'in_flight' }
  /** The key belongs to another request. */
  | { state: 'reused' };

interface KeyRow {
  requestHash: string;
  status: number | null;
  body: string | null;
  isExpired: boolean;
}

const DoneSchema = z.record(z.string(), z.string());

const LEASE = Prisma.sql`now() + make_interval(secs => ${IDEMPOTENCY_LEASE_SECONDS})`;

/**
 * Reserves a key for a request, unless it has a response, is in flight, or belongs to another request. A key whose
 * process died can be reserved again once everything that it did is recorded.
 *
 * @param requestHash - equal for equal requests
 */
export const reserveIdempotencyKey = async (
  database: Database,
  { userId, key, holderId }: HeldKey,
  requestHash: string,
): Promise<KeyReservation> => {
  const [reserved] = await database.$queryRaw<{ done: unknown }[]>`
    INSERT INTO "IdempotencyKey" AS known ("userId", "key", "requestHash", "holderId", "leasedUntil")
    VALUES (${userId}::uuid, ${key}, ${requestHash}, ${holderId}::uuid, ${LEASE})
    ON CONFLICT ("userId", "key") DO UPDATE
    SET "holderId" = excluded."holderId", "leasedUntil" = excluded."leasedUntil"
    WHERE known."requestHash" = excluded."requestHash" AND known."body" IS NULL AND known."leasedUntil" < now()
      AND NOT EXISTS (
        SELECT FROM "ActionIntent" AS intent
        WHERE intent."userId" = known."userId" AND intent."idempotencyKey" = known."key")
    RETURNING "done"`;
  if (reserved) return { state: 'reserved', done: new Map(Object.entries(DoneSchema.parse(reserved.done))) };

  const [found] = await database.$queryRaw<KeyRow[]>`
    SELECT "requestHash", "status", "body",
      "createdAt" < now() - make_interval(hours => ${IDEMPOTENCY_KEY_HOURS}::int) AS "isExpired"
    FROM "IdempotencyKey" WHERE "userId" = ${userId}::uuid AND "key" = ${key}`;
  // Released a moment ago: the client may simply try again.
  if (found === undefined) return { state: 'in_flight' };
  if (found.isExpired && found.body !== null) {
    await database.idempotencyKey.deleteMany({ where: { userId, key, body: { not: null } } });
    return await reserveIdempotencyKey(database, { userId, key, holderId }, requestHash);
  }
  if (found.requestHash !== requestHash) return { state: 'reused' };
  if (found.status === null || found.body === null) return { state: 'in_flight' };
  return { state: 'completed', status: found.status, body: found.body };
};

/** Keeps the key in flight while its request is being carried out. */
const renewIdempotencyKey = async (database: Database, { userId, key, holderId }: HeldKey): Promise<void> => {
  await database.$executeRaw`
    UPDATE "IdempotencyKey" SET "leasedUntil" = ${LEASE}
    WHERE "userId" = ${userId}::uuid AND "key" = ${key} AND "holderId" = ${holderId}::uuid`;
};

/** Stores the response that requests with the key get from now on. */
const completeIdempotencyKey = async (
  database: Database,
  { userId, key, holderId }: HeldKey,
  { status, body }: { status: number; body: string },
): Promise<void> => {
  await database.idempotencyKey.updateMany({ where: { userId, key, holderId }, data: { status, body } });
};

/** Lets a retry act at once. A key under which something was done stays with its request. */
const releaseIdempotencyKey = async (
  database: Database,
  { userId, key, holderId }: HeldKey,
): Promise<void> => {
  const deleted = await database.$executeRaw`
    DELETE FROM "IdempotencyKey" AS known
    WHERE "userId" = ${userId}::uuid AND "key" = ${key} AND "holderId" = ${holderId}::uuid AND "done" = '{}'
      AND NOT EXISTS (
        SELECT FROM "ActionIntent" AS intent
        WHERE intent."userId" = known."userId" AND intent."idempotencyKey" = known."key")`;
  if (deleted > 0) return;
  await database.$executeRaw`
    UPDATE "IdempotencyKey" SET "leasedUntil" = now()
    WHERE "userId" = ${userId}::uuid AND "key" = ${key} AND "holderId" = ${holderId}::uuid`;
};

/** Notes what was done under a key, in the transaction that records it. */
export const noteDoneUnderKey = async (
  tx: Transaction,
  { userId, key }: Pick<HeldKey, 'userId' | 'key'>,
  done: readonly (readonly [item: string, outcome: string])[],
): Promise<void> => {
  await tx.$executeRaw`
    UPDATE "IdempotencyKey" SET "done" = "done" || ${JSON.stringify(Object.fromEntries(done))}::jsonb
    WHERE "userId" = ${userId}::uuid AND "key" = ${key}`;
};
