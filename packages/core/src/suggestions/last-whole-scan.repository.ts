import type { Database } from '@mailsweep/database';

/**
 * When a scan last went through the whole mailbox, and whether what it cached is still valid. A mailbox without email has
 * no generation, and neither has a scan of it.
 */
export const findLastWholeScan = async (
  database: Database,
  userId: string,
): Promise<{ finishedAt: Date; isTrusted: boolean } | undefined> => {
  const [scan] = await database.$queryRaw<{ finishedAt: Date; isTrusted: boolean }[]>`
    SELECT scan."finishedAt", scan."generation" IS NOT DISTINCT FROM sync."generation" AS "isTrusted"
    FROM "MailboxScan" AS scan LEFT JOIN "MailboxSync" AS sync ON sync."userId" = scan."userId"
    WHERE scan."userId" = ${userId}::uuid AND scan."state" = 'completed' AND scan."scope" = 'all'
    ORDER BY scan."id" DESC LIMIT 1`;
  return scan;
};
