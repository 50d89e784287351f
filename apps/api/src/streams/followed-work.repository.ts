import type { Cleanup, Scan } from '@mailsweep/contracts';
import { type CleanupRow, type ScanRow, toCleanup, toScan } from '@mailsweep/core';
import { type Database, Prisma } from '@mailsweep/database';
import type { Session } from '../auth/session.repository.ts';

const isAlive = (session: Session): Prisma.Sql => Prisma.sql`
  session."id" = ${session.id}::uuid AND session."userId" = ${session.userId}::uuid
  AND session."revokedAt" IS NULL AND session."expiresAt" > now()`;

/** A scan of the user's, as long as their session lives: one statement, since a stream asks again and again. */
export const findFollowedScan = async (
  database: Database,
  session: Session,
  id: string,
): Promise<Scan | null> => {
  const [row] = await database.$queryRaw<ScanRow[]>`
    SELECT scan.* FROM "MailboxScan" AS scan JOIN "Session" AS session USING ("userId")
    WHERE scan."id" = ${id}::uuid AND ${isAlive(session)}`;
  return row === undefined ? null : toScan(row);
};

/** The same of a cleanup. */
export const findFollowedCleanup = async (
  database: Database,
  session: Session,
  id: string,
): Promise<Cleanup | null> => {
  const [row] = await database.$queryRaw<CleanupRow[]>`
    SELECT cleanup.*, coalesce(batch."undone", 0)::int AS "undone"
    FROM "Cleanup" AS cleanup JOIN "Session" AS session USING ("userId")
    LEFT JOIN "ActionBatch" AS batch ON batch."id" = cleanup."batchId"
    WHERE cleanup."id" = ${id}::uuid AND ${isAlive(session)}`;
  return row === undefined ? null : toCleanup(row);
};
