import type { DigestContent } from '@mailsweep/contracts';
import type { Transaction } from '@mailsweep/database';
import type { LeasedWork } from '../due-work/due-work.repository.ts';
import { fromCachedEmails } from '../suggestions/cached-emails.repository.ts';
import { hasOpenSuggestion } from '../suggestions/groups/suggestion-filter.repository.ts';

/** From when on a digest that is leased to this process tells; locked for the transaction. */
export const findLeasedDigest = async (
  tx: Transaction,
  { userId, leaseId }: LeasedWork,
): Promise<{ since: Date } | null> => {
  const [row] = await tx.$queryRaw<{ since: Date }[]>`
    SELECT coalesce("digestSince", "digestDueAt") AS "since" FROM "UserPreferences"
    WHERE "userId" = ${userId}::uuid AND "leaseId" = ${leaseId}::uuid AND "digestDueAt" IS NOT NULL FOR NO KEY UPDATE`;
  return row ?? null;
};

/** When the next digest of a user is due; null when none is. */
export const findDigestDueAt = async (tx: Transaction, userId: string): Promise<Date | null> => {
  const row = await tx.userPreferences.findUnique({ where: { userId }, select: { digestDueAt: true } });
  return row?.digestDueAt ?? null;
};

/** Says when the next digest is due and, if it changes, from when on it tells. */
export const scheduleDigest = async (
  tx: Transaction,
  userId: string,
  { dueAt, since }: { dueAt: Date | null; since?: Date },
): Promise<void> => {
  await tx.userPreferences.updateMany({
    where: { userId },
    data: { digestDueAt: dueAt, ...(since && { digestSince: since }) },
  });
};

/** What a digest tells about the time from `since` until `until`. */
export const countForDigest = async (
  tx: Transaction,
  userId: string,
  { since, until }: { since: Date; until: Date },
): Promise<DigestContent> => {
  const [counts] = await tx.$queryRaw<[DigestContent]>`
    SELECT
      (SELECT count(*)::int FROM "CachedMessage"
        WHERE "userId" = ${userId}::uuid AND "receivedAt" > ${since} AND "receivedAt" <= ${until}
          AND NOT "labels" && '{SENT,DRAFT,SPAM,CHAT}'::text[]) AS "arrived",
      cleaned.*,
      (SELECT count(*)::int ${fromCachedEmails(userId)} AND ${hasOpenSuggestion({})}) AS "waiting"
    FROM (
      SELECT (count(*) FILTER (WHERE "source" IS DISTINCT FROM 'rule'))::int AS "cleaned",
        (count(*) FILTER (WHERE "source" = 'rule'))::int AS "byRules"
      FROM (
        SELECT DISTINCT ON ("emailId" COLLATE "C") "source" FROM "ActionHistory"
        WHERE "userId" = ${userId}::uuid AND "undoneAt" IS NULL AND "effect" IS NOT NULL
          AND "timestamp" > ${since} AND "timestamp" <= ${until}
        ORDER BY "emailId" COLLATE "C", "timestamp" DESC, "id" DESC) AS done) AS cleaned`;
  return counts;
};
