import { type CleanupAction, type Survey, type SurveyCount, SurveyCountSchema } from '@mailsweep/contracts';
import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { z } from 'zod';
import { type SenderReason, senderReason } from '../protections/cached-protection.repository.ts';
import { protectedSenderKeys } from '../protections/protection.repository.ts';

const CountsSchema = z.array(SurveyCountSchema);

/** A survey is repeated after so many times the time that it took, so that the scan gets on. */
const REPEAT_AFTER = 5;

export interface SurveyedSender {
  /** A cached message of the sender. */
  emailId: string;
  mails: number;
  inInbox: number;
  unread: number;
  olderThanYear: number;
}

export interface SurveyProgress {
  total: number;
  counts: SurveyCount[];
  unlisted: number | null;
  senders: readonly SurveyedSender[];
  unitsUsed: number;
  startedAt: Date;
  isFinished: boolean;
}

const isScanActive = (scanId: Prisma.Sql): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT FROM "MailboxScan" AS scan WHERE scan."id" = ${scanId} AND scan."state" IN ('queued', 'running', 'waiting'))`;

/**
 * The senders that were surveyed, with their `senderKey`, of `message`; a survey that is out of date counts as long as the
 * scan repeats it.
 */
export const surveyedSenders = (userId: string): Prisma.Sql => Prisma.sql`
  SELECT DISTINCT ON (message."senderKey") message."senderKey", surveyed.*
  FROM "SurveyedSender" AS surveyed
  JOIN "MailboxSurvey" AS survey ON survey."userId" = surveyed."userId"
    AND (survey."cleanedAt" > survey."startedAt" IS NOT TRUE OR ${isScanActive(Prisma.sql`survey."scanId"`)})
  JOIN "CachedMessage" AS message ON message."userId" = surveyed."userId" AND message."emailId" = surveyed."emailId"
  WHERE surveyed."userId" = ${userId}::uuid AND message."senderKey" <> ''
  ORDER BY message."senderKey", surveyed."mails" DESC`;

export const getSurvey = async (database: Database, userId: string): Promise<Survey> => {
  const [row] = await database.$queryRaw<(Prisma.MailboxSurveyGetPayload<object> & { isScanned: boolean })[]>`
    SELECT survey.*, ${isScanActive(Prisma.sql`survey."scanId"`)} AS "isScanned"
    FROM "MailboxSurvey" AS survey WHERE survey."userId" = ${userId}::uuid`;
  const { total = 0, unlisted = null, unitsUsed = 0 } = row ?? {};
  return {
    state: row === undefined ? 'none' : row.finishedAt ? 'completed' : row.isScanned ? 'running' : 'stopped',
    total,
    counts: CountsSchema.parse(row?.counts ?? []),
    unlisted,
    unitsUsed,
    startedAt: row?.startedAt.toISOString() ?? null,
    finishedAt: row?.finishedAt?.toISOString() ?? null,
  };
};

/** Whether a scan has to make the survey, or to repeat it because the mailbox was cleaned since. */
export const isSurveyDue = async (
  database: Database,
  { id, userId }: { id: string; userId: string },
): Promise<'new' | 'again' | undefined> => {
  const survey = await database.mailboxSurvey.findUnique({ where: { userId } });
  if (survey?.scanId !== id || survey.finishedAt === null) return 'new';
  const { cleanedAt, startedAt, finishedAt } = survey;
  const dueAtMs = startedAt.getTime() + REPEAT_AFTER * (finishedAt.getTime() - startedAt.getTime());
  return cleanedAt !== null && cleanedAt > startedAt && dueAtMs < Date.now() ? 'again' : undefined;
};

/** Begins the survey of a scan, unless it is repeated; returns when that was. */
export const beginSurvey = async (
  database: Database,
  { id, userId }: { id: string; userId: string },
  { total, isRepeated }: { total: number; isRepeated: boolean },
): Promise<Date> => {
  const [{ now }] = await database.$queryRaw<[{ now: Date }]>`SELECT now() AS "now"`;
  const begun = { scanId: id, total, startedAt: now, finishedAt: null };
  if (!isRepeated) {
    await database.mailboxSurvey.upsert({
      where: { userId },
      create: { userId, ...begun },
      update: begun,
    });
  }
  return now;
};

/** Says that the mailbox was cleaned since the survey. */
export const outdateSurvey = async (database: Database | Transaction, userId: string): Promise<void> => {
  await database.$executeRaw`UPDATE "MailboxSurvey" SET "cleanedAt" = now() WHERE "userId" = ${userId}::uuid`;
};

/** What actions leave of a sender's emails, apart from protected ones. */
const LEFT_BY: Partial<Record<CleanupAction, Partial<Omit<SurveyedSender, 'emailId'>>>> = {
  delete: { mails: 0, inInbox: 0, unread: 0, olderThanYear: 0 },
  archive: { inInbox: 0 },
  mark_read: { unread: 0 },
};

/** Says what a cleanup has done to senders, as far as it can be said before the survey is repeated. */
export const noteCleanedSenders = async (
  database: Database,
  userId: string,
  action: CleanupAction,
  senders: readonly string[],
): Promise<void> => {
  const data = LEFT_BY[action];
  if (data !== undefined) {
    const surveyed = await findSurveyedBy(database, userId, senders);
    const emailId = { in: surveyed.map((row) => row.emailId) };
    await database.surveyedSender.updateMany({ where: { userId, emailId }, data });
  }
  await outdateSurvey(database, userId);
};

const findSurveyedBy = (
  database: Database,
  userId: string,
  senders: readonly string[],
): Promise<{ emailId: string }[]> =>
  database.$queryRaw`
    SELECT surveyed."emailId" FROM (${surveyedSenders(userId)}) AS surveyed
    WHERE encode(surveyed."senderKey", 'hex') = ANY(${senders}::text[])
      AND surveyed."senderKey" NOT IN (${protectedSenderKeys(userId)})`;

/** Forgets what was listed of senders: a scan has read all their emails. */
export const endSurvey = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.surveyedSender.deleteMany({ where: { userId } });
};

/** Stores what a survey has found; returns whether its scan is still in flight. */
export const saveSurvey = (
  database: Database,
  { id, userId }: { id: string; userId: string },
  { total, counts, unlisted, senders, unitsUsed, startedAt, isFinished }: SurveyProgress,
): Promise<boolean> =>
  database.$transaction(async (tx) => {
    // The pace of the scan counts from its first page.
    const active = await tx.$executeRaw`
      UPDATE "MailboxScan" SET "progressedAt" = now(), "updatedAt" = now(), "total" = ${total},
        "startedAt" = CASE WHEN "pages" = 0 THEN now() ELSE "startedAt" END
      WHERE "id" = ${id}::uuid AND "state" IN ('queued', 'running', 'waiting')`;
    if (active === 0) return false;
    await tx.$executeRaw`
      UPDATE "MailboxSurvey" SET "total" = ${total}, "counts" = ${JSON.stringify(counts)}::jsonb,
        "unlisted" = ${unlisted}::int, "unitsUsed" = ${unitsUsed},
        "startedAt" = ${startedAt}, "finishedAt" = CASE WHEN ${isFinished} THEN now() END
      WHERE "userId" = ${userId}::uuid`;
    await tx.surveyedSender.deleteMany({ where: { userId } });
    await tx.surveyedSender.createMany({ data: senders.map((sender) => ({ userId, ...sender })) });
    return true;
  });

/** The messages by which senders were surveyed. */
export const listSurveyedBy = async (database: Database, userId: string): Promise<string[]> =>
  (await database.surveyedSender.findMany({ where: { userId } })).map(({ emailId }) => emailId);

/** A cached message of each sender, of those with most cached messages first. */
export const listCachedSenders = async (
  database: Database,
  userId: string,
  limit: number,
): Promise<string[]> => {
  const rows = await database.$queryRaw<{ emailId: string }[]>`
    SELECT (array_agg("emailId" ORDER BY "receivedAt" DESC))[1] AS "emailId" FROM "CachedMessage"
    WHERE "userId" = ${userId}::uuid AND NOT "isHidden" AND "senderKey" <> ''
    GROUP BY "senderKey" ORDER BY count(*) DESC LIMIT ${limit}`;
  return rows.map(({ emailId }) => emailId);
};

/** The cached texts of the messages that senders were surveyed by, and those of other senders. */
export const listSurveyTexts = (
  database: Database,
  userId: string,
  senders: readonly string[],
): Promise<{ emailId: string; encryptedText: string; isWanted: boolean; reason: SenderReason | null }[]> =>
  database.$queryRaw`
    SELECT message."emailId", message."encryptedText", wanted."senderKey" IS NOT NULL AS "isWanted",
      ${senderReason(userId)} AS "reason"
    FROM (
      SELECT DISTINCT ON ("senderKey") "senderKey", "emailId", "encryptedText" FROM "CachedMessage"
      WHERE "userId" = ${userId}::uuid AND NOT "isHidden" AND "senderKey" <> ''
    ) AS message
    LEFT JOIN (${surveyedSenders(userId)}) AS wanted ON wanted."senderKey" = message."senderKey"
      AND encode(wanted."senderKey", 'hex') = ANY(${senders}::text[])`;

export const listCachedIds = async (
  database: Database,
  userId: string,
  emailIds: readonly string[],
): Promise<Set<string>> => {
  const rows = await database.$queryRaw<{ emailId: string }[]>`
    SELECT "emailId" FROM "CachedMessage"
    WHERE "userId" = ${userId}::uuid AND "emailId" = ANY(${emailIds}::text[])`;
  return new Set(rows.map(({ emailId }) => emailId));
};
