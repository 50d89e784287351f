import type { Database } from '@mailsweep/database';
import { IDEMPOTENCY_KEY_HOURS } from '../concurrency/idempotency-key.repository.ts';

/** How long an expired sign-in is stored, so that a user who returns late sees that it expired. */
const EXPIRED_LOGIN_HOURS = 24;

/**
 * Deletes sessions that were ended or have expired.
 *
 * @param limit - most rows at a time
 * @returns how many rows were deleted
 */
export const deleteEndedSessions = (database: Database, limit: number): Promise<number> =>
  database.$executeRaw`
    DELETE FROM "Session" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "Session" WHERE "revokedAt" IS NOT NULL OR "expiresAt" < now()
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;

/** How long a personal access token is listed after its end, so that its user sees why a program stopped. */
const ENDED_TOKEN_DAYS = 30;

/**
 * Deletes personal access tokens that ended a month ago.
 *
 * @param limit - most rows at a time
 * @returns how many rows were deleted
 */
export const deleteEndedTokens = (database: Database, limit: number): Promise<number> =>
  database.$executeRaw`
    DELETE FROM "PersonalToken" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "PersonalToken"
      WHERE "expiresAt" < now() - make_interval(days => ${ENDED_TOKEN_DAYS}::int)
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;

/** How long a code is known after it was used or expired, so that its token ends if it comes again. */
const USED_CODE_HOURS = 24;

/**
 * Deletes requests of programs for a token, a day after they or their codes expired.
 *
 * @param limit - most rows at a time
 * @returns how many rows were deleted
 */
export const deleteOldAuthorizationRequests = (database: Database, limit: number): Promise<number> =>
  database.$executeRaw`
    DELETE FROM "AuthorizationRequest" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "AuthorizationRequest"
      WHERE "expiresAt" < now() - make_interval(hours => ${USED_CODE_HOURS}::int)
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;

/**
 * Deletes sign-ins that were begun and never completed, a day after they expired.
 *
 * @param limit - most rows at a time
 * @returns how many rows were deleted
 */
export const deleteAbandonedLogins = (database: Database, limit: number): Promise<number> =>
  database.$executeRaw`
    DELETE FROM "PendingLogin" WHERE "stateHash" = ANY(ARRAY(
      SELECT "stateHash" FROM "PendingLogin"
      WHERE "expiresAt" < now() - make_interval(hours => ${EXPIRED_LOGIN_HOURS}::int)
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;

/**
 * Deletes idempotency keys, with the responses stored for them, a day after they were first sent.
 *
 * @param limit - most rows at a time
 * @returns how many rows were deleted
 */
export const deleteOldIdempotencyKeys = (database: Database, limit: number): Promise<number> =>
  database.$executeRaw`
    DELETE FROM "IdempotencyKey" WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM "IdempotencyKey"
      WHERE "createdAt" < now() - make_interval(hours => ${IDEMPOTENCY_KEY_HOURS}::int)
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;

/**
 * Deletes audit entries that are older than the given number of days.
 *
 * @param limit - most rows at a time
 * @returns how many rows were deleted
 */
export const deleteOldAuditEntries = (database: Database, days: number, limit: number): Promise<number> =>
  database.$executeRaw`
    DELETE FROM "AuditEntry" WHERE "id" = ANY(ARRAY(
      SELECT "id" FROM "AuditEntry" WHERE "at" < now() - make_interval(days => ${days}::int)
      LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;
