import type { KeyObject } from 'node:crypto';
import {
  SenderReductionSchema,
  SubjectReductionSchema,
  type TrainingDecision,
  TrainingDecisionSchema,
} from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import { toEmail } from '@mailsweep/mail/mailbox';
import {
  type FactsRow,
  readFactColumns,
  readMessageText,
  type TextCipher,
} from '@mailsweep/mail/message-cache';
import { createReducer } from './reduce-email.ts';

export interface TrainingDataCounts {
  users: number;
  decisions: number;
  uncached: number;
  /** Decisions that do not fit the schema; they are left out. */
  invalid: number;
}

/**
 * Exports decisions about suggestions as training data, of users who have enabled it, one after the other. Memory is
 * that of one page of rows.
 *
 * @param options.key - for pseudonyms
 * @param options.counts - counts decisions yielded and left out
 */
export async function* exportTrainingData(options: {
  database: Database;
  cipher: TextCipher;
  key: KeyObject;
  counts: TrainingDataCounts;
}): AsyncGenerator<TrainingDecision> {
  const { database, cipher, counts } = options;
  const { toUser, reduceEmail } = createReducer(options.key);

  for await (const userId of listGivers(database)) {
    const before = counts.decisions;
    for await (const decision of listGivenDecisions(database, userId)) {
      const line = toLine(decision);
      if (line === undefined) continue;
      counts.decisions += 1;
      yield line;
    }
    if (counts.decisions > before) counts.users += 1;
  }

  function toLine(decision: GivenDecision): TrainingDecision | undefined {
    const { userId, emailId, message } = decision;
    const text = message && readMessageText(cipher, userId, emailId, message.encryptedText);
    if (!message || !text) {
      counts.uncached += 1;
      return undefined;
    }
    const facts = { ...text, ...readFactColumns(message) };
    const reductions = {
      sender: SenderReductionSchema.parse(decision.sender),
      subject: SubjectReductionSchema.parse(decision.subject),
    };
    // The schema's objects drop what they do not name, such as the service's own id of a suggestion.
    const { data } = TrainingDecisionSchema.safeParse({
      user: toUser(userId),
      email: reduceEmail(userId, toEmail(emailId, facts, message.labels).email, reductions),
      reductions,
      suggestion: decision.suggestion,
      accepted: decision.isAccepted,
      decidedAt: decision.decidedAt.toISOString(),
    });
    if (data === undefined) counts.invalid += 1;
    return data;
  }
}

/** Rows read at a time, so that an export of any size takes little memory. */
const PAGE_SIZE = 500;

/** A decision that its user gives as training data, with the cached message as far as there is one. */
interface GivenDecision {
  id: string;
  userId: string;
  emailId: string;
  decidedAt: Date;
  isAccepted: boolean;
  /** The suggestion that the user decided about, the best of its email. */
  suggestion: unknown;
  sender: string;
  subject: string;
  message: (FactsRow & { labels: string[] }) | null;
}

/** The users who give their decisions as training data, in the order of their ids, page by page. */
async function* listGivers(database: Database): AsyncGenerator<string> {
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
async function* listGivenDecisions(database: Database, userId: string): AsyncGenerator<GivenDecision> {
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
      LEFT JOIN "CachedMessage" AS message
        ON message."userId" = record."userId" AND message."emailId" = record."emailId"
      WHERE chosen."userId" = ${userId}::uuid AND record."userId" = ${userId}::uuid
        AND record."source" = 'suggestions' AND record."action" IN ('accept', 'reject')
        AND record."suggestedAction" IS NOT NULL AND record."undoneAt" IS NULL ${isNext}
      ORDER BY record."timestamp", record."id" LIMIT ${PAGE_SIZE}`;
    yield* rows;
    after = rows.at(-1);
    if (after === undefined) return;
  }
}
