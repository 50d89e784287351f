import type { Page, Pagination, UserSession } from '@mailsweep/contracts';
import { type ListedRow, reachedUserIds, toPage } from '@mailsweep/core';
import { type Database, Prisma, readRows, type Transaction, writeRows } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';

const SECOND_MS = 1_000;
const DAY_MS = 24 * 60 * 60 * SECOND_MS;

/** How long a session may last, however often it is used. */
const LONGEST_MS = 180 * DAY_MS;

/** How long sessions last (docs/decisions/007). */
export interface SessionLife {
  /** After this without a use, a session is over. */
  idleMs: number;
  /** After this a session is over in any case. */
  longestMs: number;
  /** How exactly the last use is stored, in seconds. */
  resolutionS: number;
  /** How old the token of a cookie gets before the browser is given another one. */
  renewCookieAfterMs: number;
}

/** @param idleMs - `SESSION_TTL_HOURS` */
export const toSessionLife = (idleMs: number): SessionLife => ({
  idleMs,
  longestMs: Math.max(LONGEST_MS, idleMs),
  resolutionS: Math.min(60, Math.floor(idleMs / 24 / SECOND_MS)),
  renewCookieAfterMs: Math.min(DAY_MS, idleMs / 24),
});

/** A live session as a request finds it; all times are by the database's clock. */
export interface Session {
  id: string;
  /** The mailbox that the request is for: the one of the sign-in, or another one of the owner. */
  userId: string;
  /** The owner whose mailboxes it reaches; null where it reaches one alone. */
  ownerId: string | null;
  expiresAt: Date;
  /** Time since the sign-in. */
  ageSeconds: number;
  /** Time since the stored last use. */
  unusedSeconds: number;
}

/** The session that a request came with. */
export type CurrentSession = Pick<Session, 'id' | 'userId' | 'ownerId'>;

/**
 * Opens a session for a user.
 *
 * @param browser - readable name, or null when it is not known
 * @returns its id
 */
export const insertSession = async (
  tx: Transaction,
  { userId, expiresAt, browser }: { userId: string; expiresAt: Date; browser: string | null },
): Promise<string> => {
  const id = uuidv7();
  // The database sets the times: Prisma would send those of this process.
  await tx.$executeRaw`
    INSERT INTO "Session" ("id", "userId", "ownerId", "expiresAt", "browser")
    SELECT ${id}::uuid, "id", "ownerId", ${expiresAt}, ${browser} FROM "User" WHERE "id" = ${userId}::uuid`;
  return id;
};

/** The user's session with this id, unless it has ended, by the database's clock, or been revoked. */
export const findLiveSession = async (
  database: Database,
  id: string,
  userId: string,
): Promise<Session | null> => {
  const [session] = await database.readDirectly<Session>(
    Prisma.sql`
      SELECT "id", "userId", "ownerId", "expiresAt",
        extract(epoch FROM now() - "createdAt")::float8 AS "ageSeconds",
        extract(epoch FROM now() - "lastUsedAt")::float8 AS "unusedSeconds"
      FROM "Session"
      WHERE "id" = ${id}::uuid AND "userId" = ${userId}::uuid AND "revokedAt" IS NULL AND "expiresAt" > now()`,
  );
  return session ?? null;
};

/** Stores that a live session is used now, and so lasts longer, unless that was stored a moment ago. */
export const touchSession = (
  database: Database,
  id: string,
  { idleMs, longestMs, resolutionS }: SessionLife,
): Promise<void> =>
  writeRows(
    database,
    Prisma.sql`
      UPDATE "Session" SET "lastUsedAt" = now(), "expiresAt" = least(
        now() + make_interval(secs => ${idleMs / 1_000}::float8),
        "createdAt" + make_interval(secs => ${longestMs / 1_000}::float8))
      WHERE "id" = ${id}::uuid AND "revokedAt" IS NULL AND "expiresAt" > now()
        AND "lastUsedAt" <= now() - make_interval(secs => ${resolutionS}::int)`,
  );

interface SessionRow {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  browser: string | null;
}

/** A page of the live sessions of the mailboxes that are reached: the current one, then the others by last use. */
export const listLiveSessions = async (
  database: Database,
  current: CurrentSession,
  { page, perPage }: Pagination,
): Promise<Page<UserSession>> => {
  const rows = await readRows<ListedRow<SessionRow>>(
    database,
    Prisma.sql`
    WITH live AS (
      SELECT "id", "createdAt", "lastUsedAt", "browser" FROM "Session"
      WHERE "userId" IN (${reachedUserIds(current)}) AND "revokedAt" IS NULL AND "expiresAt" > now()
    ), listed AS (
      SELECT * FROM live
      ORDER BY "id" <> ${current.id}::uuid, "lastUsedAt" DESC, "id" DESC
      OFFSET ${(page - 1) * perPage} LIMIT ${perPage}
    )
    SELECT listed.*, (SELECT count(*)::int FROM live) AS "total"
    FROM (SELECT) AS always LEFT JOIN listed ON true
    ORDER BY "id" <> ${current.id}::uuid, "lastUsedAt" DESC, "id" DESC`,
  );
  return toPage(rows, { page, perPage }, ({ id, createdAt, lastUsedAt, browser }) => ({
    id,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt.toISOString(),
    browser,
    current: id === current.id,
  }));
};

/** Ends all sessions of these users at once, on every replica; returns how many were live. */
export const revokeAllSessions = (tx: Transaction, userIds: readonly string[]): Promise<number> =>
  tx.$executeRaw`
    UPDATE "Session" SET "revokedAt" = now()
    WHERE "userId" = ANY(${userIds}::uuid[]) AND "revokedAt" IS NULL AND "expiresAt" > now()`;

/** Ends a session of the mailboxes that are reached at once, on every replica; returns whether it was live. */
export const revokeSession = async (
  database: Database | Transaction,
  { id, ...reach }: CurrentSession,
): Promise<boolean> => {
  const revoked = await database.$executeRaw`
    UPDATE "Session" SET "revokedAt" = now()
    WHERE "id" = ${id}::uuid AND "userId" IN (${reachedUserIds(reach)}) AND "revokedAt" IS NULL AND "expiresAt" > now()`;
  return revoked > 0;
};
