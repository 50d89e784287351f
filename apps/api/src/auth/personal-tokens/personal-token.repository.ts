import {
  type CreateTokenRequest,
  MAX_TOKENS,
  type Page,
  type Pagination,
  type PersonalToken,
  type TokenAudience,
  TokenAudienceSchema,
  type TokenScope,
  TokenScopeSchema,
} from '@mailsweep/contracts';
import { type Database, Prisma, type Transaction, writeRows } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';

/** A live personal access token as a request finds it; all times are by the database's clock. */
export interface LiveToken {
  id: string;
  userId: string;
  name: string;
  scope: TokenScope;
  /** Whether its user confirms what it changes. */
  requiresConfirmation: boolean;
  expiresAt: Date;
  audience: TokenAudience;
  /** The program that the user allowed; null for a token that the user made. */
  clientId: string | null;
  /** Time since the stored last use; null when there is none. */
  unusedSeconds: number | null;
}

/** How exactly the last use is stored, in seconds. */
export const TOKEN_USE_RESOLUTION_S = 5 * 60;

/** The token with this hash, unless it has ended or been revoked. */
export const findLiveToken = async (database: Database, hash: Buffer): Promise<LiveToken | null> => {
  const [token] = await database.readDirectly<LiveToken>(
    Prisma.sql`
      SELECT "id", "userId", "name", "scope", "requiresConfirmation", "expiresAt", "audience", "clientId",
        extract(epoch FROM now() - "lastUsedAt")::float8 AS "unusedSeconds"
      FROM "PersonalToken" WHERE "hash" = ${hash}::bytea AND "expiresAt" > now()`,
  );
  return token ?? null;
};

/** Stores that a token is used now, unless that was stored a few minutes ago. */
export const touchToken = (database: Database, id: string): Promise<void> =>
  writeRows(
    database,
    Prisma.sql`
      UPDATE "PersonalToken" SET "lastUsedAt" = now()
      WHERE "id" = ${id}::uuid AND ("lastUsedAt" IS NULL
        OR "lastUsedAt" <= now() - make_interval(secs => ${TOKEN_USE_RESOLUTION_S}::int))`,
  );

const SHOWN = {
  id: true,
  name: true,
  scope: true,
  requiresConfirmation: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  audience: true,
  clientId: true,
};

type TokenRow = Prisma.PersonalTokenGetPayload<{ select: typeof SHOWN }>;

const toPersonalToken = (row: TokenRow): PersonalToken => {
  const { scope, audience, createdAt, expiresAt, lastUsedAt, ...token } = row;
  return {
    ...token,
    scope: TokenScopeSchema.parse(scope),
    audience: TokenAudienceSchema.parse(audience),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
};

/** A new token; one that a program is given names its client. */
interface NewToken extends CreateTokenRequest {
  hash: Buffer;
  audience: TokenAudience;
  clientId: string | null;
}

/** Whether a user may have one more live token. */
export const hasRoomForToken = async (tx: Transaction, userId: string): Promise<boolean> =>
  (await tx.personalToken.count({ where: { userId, expiresAt: { gt: new Date() } } })) < MAX_TOKENS;

/**
 * Stores a token of a user by its hash.
 *
 * @returns null when the user has as many live tokens as they may
 */
export const insertToken = async (
  tx: Transaction,
  userId: string,
  { name, scope, requiresConfirmation = true, expiresInDays, hash, audience, clientId }: NewToken,
): Promise<PersonalToken | null> => {
  // One at a time: the count has to include what other requests insert.
  await tx.$queryRaw`SELECT FROM "User" WHERE "id" = ${userId}::uuid FOR NO KEY UPDATE`;
  // The database sets the times: Prisma would send those of this process.
  const [row] = await tx.$queryRaw<TokenRow[]>`
    INSERT INTO "PersonalToken" ("id", "userId", "hash", "name", "scope", "requiresConfirmation", "audience", "clientId",
      "expiresAt")
    SELECT ${uuidv7()}::uuid, ${userId}::uuid, ${hash}::bytea, ${name}, ${scope},
      ${scope !== 'read' && requiresConfirmation}, ${audience}, ${clientId},
      now() + make_interval(days => ${expiresInDays}::int)
    WHERE (SELECT count(*) FROM "PersonalToken"
      WHERE "userId" = ${userId}::uuid AND "expiresAt" > now()) < ${MAX_TOKENS}::int
    RETURNING "id", "name", "scope", "requiresConfirmation", "createdAt", "expiresAt", "lastUsedAt", "audience",
      "clientId"`;
  return row === undefined ? null : toPersonalToken(row);
};

/** A page of the tokens of a user, newest first. */
export const listTokens = async (
  database: Database,
  userId: string,
  { page, perPage }: Pagination,
): Promise<Page<PersonalToken>> => {
  const [total, rows] = await database.$transaction([
    database.personalToken.count({ where: { userId } }),
    database.personalToken.findMany({
      where: { userId },
      select: SHOWN,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip: (page - 1) * perPage,
      take: perPage,
    }),
  ]);
  return { total, page, perPage, data: rows.map(toPersonalToken) };
};

/** Renames a token of a user; null when there is none. */
export const renameToken = async (
  tx: Transaction,
  { id, userId }: Pick<LiveToken, 'id' | 'userId'>,
  name: string,
): Promise<PersonalToken | null> => {
  const [row] = await tx.personalToken.updateManyAndReturn({
    where: { id, userId },
    data: { name },
    select: SHOWN,
  });
  return row === undefined ? null : toPersonalToken(row);
};

/** Ends a token of a user at once, on every replica; returns its name, or null when there is none. */
export const deleteToken = async (
  tx: Transaction,
  { id, userId }: Pick<LiveToken, 'id' | 'userId'>,
): Promise<string | null> => {
  const [row] = await tx.$queryRaw<{ name: string }[]>`
    DELETE FROM "PersonalToken" WHERE "id" = ${id}::uuid AND "userId" = ${userId}::uuid RETURNING "name"`;
  return row?.name ?? null;
};

/**
 * Ends a live token, if it was given to this client.
 *
 * @returns null when there is no such token
 */
export const deleteTokenOfClient = async (
  tx: Transaction,
  { hash, clientId }: { hash: Buffer; clientId: string },
): Promise<{ id: string; userId: string; name: string; isDeleted: boolean } | null> => {
  const [row] = await tx.$queryRaw<{ id: string; userId: string; name: string; isDeleted: boolean }[]>`
    WITH deleted AS (
      DELETE FROM "PersonalToken" WHERE "hash" = ${hash}::bytea AND "clientId" = ${clientId} RETURNING "id"
    )
    SELECT "id", "userId", "name", "id" IN (SELECT "id" FROM deleted) AS "isDeleted"
    FROM "PersonalToken" WHERE "hash" = ${hash}::bytea AND "expiresAt" > now()`;
  return row ?? null;
};

/** Ends all tokens of a user at once, on every replica; returns how many were live. */
export const deleteAllTokens = async (tx: Transaction, userId: string): Promise<number> => {
  const [counted] = await tx.$queryRaw<{ live: number }[]>`
    WITH deleted AS (DELETE FROM "PersonalToken" WHERE "userId" = ${userId}::uuid RETURNING "expiresAt")
    SELECT count(*) FILTER (WHERE "expiresAt" > now())::int AS "live" FROM deleted`;
  return counted?.live ?? 0;
};
