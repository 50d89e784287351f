import { type Database, Prisma } from '@mailsweep/database';
import { IDEMPOTENCY_KEY_HOURS } from '../concurrency/idempotency-key.repository.ts';

/** Deletes at most `limit` of the rows that meet a condition, without waiting for any; returns how many. */
const deleteSome = (
  database: Database,
  table: string,
  condition: Prisma.Sql,
  limit: number,
): Promise<number> =>
  database.$executeRaw`
    DELETE FROM ${Prisma.raw(`"${table}"`)} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${Prisma.raw(`"${table}"`)} WHERE ${condition} LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;

const hoursAgo = (hours: number): Prisma.Sql => Prisma.sql`now() - make_interval(hours => ${hours}::int)`;
const daysAgo = (days: number): Prisma.Sql => Prisma.sql`now() - make_interval(days => ${days}::int)`;

/** Deletes sessions that were ended or have expired. */
export const deleteEndedSessions = (database: Database, limit: number): Promise<number> =>
  deleteSome(database, 'Session', Prisma.sql`"revokedAt" IS NOT NULL OR "expiresAt" < now()`, limit);

/** How long a personal access token is listed after its end, so that its user sees why a program stopped. */
const ENDED_TOKEN_DAYS = 30;

/** Deletes personal access tokens that ended a month ago. */
export const deleteEndedTokens = (database: Database, limit: number): Promise<number> =>
  deleteSome(database, 'PersonalToken', Prisma.sql`"expiresAt" < ${daysAgo(ENDED_TOKEN_DAYS)}`, limit);

/** How long a code is known after it was used or expired, so that its token ends if it comes again. */
const USED_CODE_HOURS = 24;

/** Deletes requests of programs for a token, a day after they or their codes expired. */
export const deleteOldAuthorizationRequests = (database: Database, limit: number): Promise<number> =>
  deleteSome(database, 'AuthorizationRequest', Prisma.sql`"expiresAt" < ${hoursAgo(USED_CODE_HOURS)}`, limit);

/** How long an expired sign-in is stored, so that a user who returns late sees that it expired. */
const EXPIRED_LOGIN_HOURS = 24;

/** Deletes sign-ins that were begun and never completed, a day after they expired. */
export const deleteAbandonedLogins = (database: Database, limit: number): Promise<number> =>
  deleteSome(database, 'PendingLogin', Prisma.sql`"expiresAt" < ${hoursAgo(EXPIRED_LOGIN_HOURS)}`, limit);

/** Deletes idempotency keys, with the responses stored for them, a day after they were first sent. */
export const deleteOldIdempotencyKeys = (database: Database, limit: number): Promise<number> =>
  deleteSome(database, 'IdempotencyKey', Prisma.sql`"createdAt" < ${hoursAgo(IDEMPOTENCY_KEY_HOURS)}`, limit);

/** Deletes audit entries that are older than the given number of days. */
export const deleteOldAuditEntries = (database: Database, days: number, limit: number): Promise<number> =>
  deleteSome(database, 'AuditEntry', Prisma.sql`"at" < ${daysAgo(days)}`, limit);
