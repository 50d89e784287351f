import type { Database } from '@mailsweep/database';
import { announceWork } from '../due-work/due-work.repository.ts';

/** How long watches stay with a listener that does not show itself, in seconds. */
const HELD_S = 90;

/**
 * Takes watches whose providers may tell of new email, for one process to listen to, and keeps those that it has: of
 * active ones, wherever the user need not sign in again.
 *
 * @param listenerId - of the process
 * @param of.providers - the keys of the providers that may tell
 * @param of.most - how many watches the process may have
 * @returns the users
 */
export const holdWatches = async (
  database: Database,
  listenerId: string,
  { providers, most }: { providers: readonly string[]; most: number },
): Promise<string[]> => {
  const rows = await database.$queryRaw<{ userId: string }[]>`
    UPDATE "MailboxWatch"
    SET "listenerId" = ${listenerId}::uuid, "listenedUntil" = now() + make_interval(secs => ${HELD_S}::float8)
    WHERE "userId" IN (
      SELECT watch."userId"
      FROM "MailboxWatch" AS watch JOIN "ProviderConnection" AS connection USING ("userId")
      WHERE watch."state" = 'active' AND connection."provider" = ANY(${providers}::text[]) AND connection."reauthRequiredAt" IS NULL
        AND (watch."listenerId" = ${listenerId}::uuid OR coalesce(watch."listenedUntil", '-infinity') < now())
      ORDER BY watch."listenerId" = ${listenerId}::uuid DESC NULLS LAST, watch."userId"
      LIMIT ${most}::int FOR NO KEY UPDATE OF watch)
    RETURNING "userId"`;
  return rows.map(({ userId }) => userId);
};

/** Leaves the watches of a process to others. */
export const leaveWatches = async (database: Database, listenerId: string): Promise<void> => {
  await database.mailboxWatch.updateMany({
    where: { listenerId },
    data: { listenerId: null, listenedUntil: null },
  });
};

/**
 * Has an active watch run now.
 *
 * @returns false during a run, which may have read the mailbox too early, and where no watch is active
 */
export const makeWatchDue = async (database: Database, userId: string): Promise<boolean> => {
  const count = await database.$executeRaw`
    UPDATE "MailboxWatch" SET "dueAt" = now()
    WHERE "userId" = ${userId}::uuid AND "state" = 'active' AND coalesce("leasedUntil", '-infinity') < now()`;
  if (count > 0) await announceWork(database, 'watch');
  return count > 0;
};
