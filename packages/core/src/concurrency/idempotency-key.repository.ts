import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { z } from 'zod';

/** How long a response is stored for its key, in hours. */
export const IDEMPOTENCY_KEY_HOURS = 24;
/** How long the key of a process that died stays in flight, in seconds. */
export const IDEMPOTENCY_LEASE_SECONDS = 10;

/** A key as one request holds it. */
export interface HeldKey {
  userId: string;
  key: string;
  holderId: string;
}

/** A request that carries a key. */
export interface IdempotentRequest {
  key: string;
  /**
   * What an earlier attempt recorded under the key before its process died, by what it was done to: record ids by email
   * id, instants by the id of an undone record, or the id of the scan that was started.
   */
  done: ReadonlyMap<string, string>;
}

/** State of a key when a request uses it. */
export type KeyReservation =
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
export const renewIdempotencyKey = async (
  database: Database,
  { userId, key, holderId }: HeldKey,
): Promise<void> => {
  await database.$executeRaw`
    UPDATE "IdempotencyKey" SET "leasedUntil" = ${LEASE}
    WHERE "userId" = ${userId}::uuid AND "key" = ${key} AND "holderId" = ${holderId}::uuid`;
};

/** Stores the response that requests with the key get from now on. */
export const completeIdempotencyKey = async (
  database: Database,
  { userId, key, holderId }: HeldKey,
  { status, body }: { status: number; body: string },
): Promise<void> => {
  await database.idempotencyKey.updateMany({ where: { userId, key, holderId }, data: { status, body } });
};

/** Lets a retry act at once. A key under which something was done stays with its request. */
export const releaseIdempotencyKey = async (
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
