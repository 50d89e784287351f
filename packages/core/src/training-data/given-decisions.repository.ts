import { type Database, Prisma } from '@mailsweep/database';
import type { FactsRow } from '@mailsweep/message-cache';

/** Rows read at a time, so that an export of any size takes little memory. */
const PAGE_SIZE = 500;

/** A decision that its user gives as training data, with the cached message as far as there is one. */
export interface GivenDecision {
  id: string;
  userId: string;
  emailId: string;
  decidedAt: Date;
  isAccepted: boolean;
  /** The suggestion that the user decided about, the best of its email. */
  suggestion: unknown;
  /** What the user chose. */
  sender: string;
  subject: string;
  message: (FactsRow & { labels: string[] }) | null;
}

/** The users who give their decisions as training data, in the order of their ids, page by page. */
export async function* listGivers(database: Database): AsyncGenerator<string> {
  for (let after: string | undefined; ; ) {
    const givers = await database.userPreferences.findMany({
      where: { trainingDataSince: { not: null }, ...(after && { userId: { gt: after } }) },
      select: { userId: true },
      orderBy: { userId: 'asc' },
      take: PAGE_SIZE,
    });
    yield* givers.map(({ userId }) => userId);
    after = givers.at(-1)?.userId;
    if (after === undefined) return;
  }
}

/**
 * A user's decisions since they gave them as training data, oldest first; undone ones are left out. Every page asks again
 * what the user chose, so that one who disables it meanwhile, or is erased, gives no further page.
 */
export async function* listGivenDecisions(database: Database, userId: string): AsyncGenerator<GivenDecision> {
  for (let after: GivenDecision | undefined; ; ) {
    const isNext = after
      ? Prisma.sql`AND (record."timestamp", record."id") > (${after.decidedAt}::timestamptz, ${after.id}::uuid)`
      : Prisma.empty;
    const rows: GivenDecision[] = await database.$queryRaw`
      SELECT record."id", record."userId", record."emailId", record."timestamp" AS "decidedAt",
        record."action" = 'accept' AS "isAccepted", record."details"->'suggestions'->0 AS "suggestion",
        chosen."trainingDataSender" AS "sender", chosen."trainingDataSubject" AS "subject",
        to_jsonb(message) AS "message"
      FROM "UserPreferences" AS chosen
      JOIN "ActionHistory" AS record
        ON record."userId" = chosen."userId" AND record."timestamp" >= chosen."trainingDataSince"
      LEFT JOIN "MailboxSync" AS sync ON sync."userId" = record."userId"
      LEFT JOIN "CachedMessage" AS message ON message."userId" = record."userId"
        AND message."emailId" = record."emailId" AND message."generation" = sync."generation"
      WHERE chosen."userId" = ${userId}::uuid AND record."userId" = ${userId}::uuid
        AND record."source" = 'suggestions' AND record."action" IN ('accept', 'reject')
        AND record."suggestedAction" IS NOT NULL AND record."undoneAt" IS NULL ${isNext}
      ORDER BY record."timestamp", record."id" LIMIT ${PAGE_SIZE}`;
    yield* rows;
    after = rows.at(-1);
    if (after === undefined) return;
  }
}
