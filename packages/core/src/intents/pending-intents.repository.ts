import type { Database } from '@mailsweep/database';

/** How many intents are pending, and the age of the oldest, in seconds. */
export const measurePendingIntents = async (
  database: Database,
): Promise<{ count: number; oldestSeconds: number }> => {
  const rows = await database.$queryRaw<[{ count: number; oldestSeconds: number }]>`
    SELECT count(*)::integer AS "count",
      coalesce(greatest(extract(epoch FROM CURRENT_TIMESTAMP - min("requestedAt")), 0), 0)::float8 AS "oldestSeconds"
    FROM "ActionIntent"`;
  return rows[0];
};
