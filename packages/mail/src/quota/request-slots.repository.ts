import { type Database, Prisma } from '@mailsweep/database';

interface InFlight {
  userId: string;
  id: string;
}

/** On the clock of the database, which all processes share. */
const NOW = Prisma.sql`extract(epoch FROM clock_timestamp())`;

/**
 * Notes that a request is in flight, until its lease ends or {@link noteResponse} says otherwise.
 *
 * @param most - requests of the user that may be in flight with it
 * @returns whether there are few enough
 */
export const noteRequest = async (
  database: Database,
  { userId, id, most, leaseMs }: InFlight & { most: number; leaseMs: number },
): Promise<boolean> => {
  const noted = await database.$executeRaw`
    INSERT INTO "RequestsInFlight" AS known ("userId", "leases")
    VALUES (${userId}::uuid, jsonb_build_object(${id}::text, ${NOW} + ${leaseMs / 1_000}::float8))
    ON CONFLICT ("userId") DO UPDATE
    SET "leases" = excluded."leases" || (
      SELECT coalesce(jsonb_object_agg(lease.key, lease.value), '{}') FROM jsonb_each(known."leases") AS lease
      WHERE lease.value::float8 > ${NOW})
    WHERE (SELECT count(*) FROM jsonb_each(known."leases") AS lease WHERE lease.value::float8 > ${NOW}) < ${most}::int`;
  return noted === 1;
};

export const noteResponse = async (database: Database, { userId, id }: InFlight): Promise<void> => {
  await database.$executeRaw`
    UPDATE "RequestsInFlight" SET "leases" = "leases" - ${id}::text WHERE "userId" = ${userId}::uuid`;
};
