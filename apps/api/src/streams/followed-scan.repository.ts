import type { Scan } from '@mailsweep/contracts';
import { type ScanRow, toScan } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { Session } from '../auth/session.repository.ts';

/** A scan of the user's, as long as their session lives: one statement, since a stream asks again and again. */
export const findFollowedScan = async (
  database: Database,
  session: Session,
  id: string,
): Promise<Scan | null> => {
  const [row] = await database.$queryRaw<ScanRow[]>`
    SELECT scan.* FROM "MailboxScan" AS scan JOIN "Session" AS session USING ("userId")
    WHERE scan."id" = ${id}::uuid AND session."id" = ${session.id}::uuid
      AND session."userId" = ${session.userId}::uuid
      AND session."revokedAt" IS NULL AND session."expiresAt" > now()`;
  return row === undefined ? null : toScan(row);
};
