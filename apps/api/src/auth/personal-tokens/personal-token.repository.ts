import {
  type CreateTokenRequest,
  MAX_TOKEN_DAYS,
  MAX_TOKENS,
  type Page,
  type Pagination,
  type PersonalToken,
  type TokenAudience,
  TokenAudienceSchema,
  type TokenScope,
  TokenScopeSchema,
} from '@mailsweep/contracts';
import { lockSession, RefusedError } from '@mailsweep/core';
import { type Database, Prisma, type Transaction, writeRows } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';

/** A live personal access token as a request finds it; all times are by the database's clock. */
export interface LiveToken {
  id: string;
  /** The mailbox that the request is for: the one that it was made for, or another one of the owner. */
  userId: string;
  /** The owner for whose mailboxes it is; null where it is for one alone. */
  ownerId: string | null;
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
      SELECT "id", "userId", "ownerId", "name", "scope", "requiresConfirmation", "audience", "clientId",
        least("expiresAt", "accessExpiresAt") AS "expiresAt",
        extract(epoch FROM now() - "lastUsedAt")::float8 AS "unusedSeconds"
      FROM "PersonalToken" WHERE "hash" = ${hash}::bytea AND least("expiresAt", "accessExpiresAt") > now()`,
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
  renewableDays: true,
  ownerId: true,
};

type TokenRow = Prisma.PersonalTokenGetPayload<{ select: typeof SHOWN }>;

const toPersonalToken = (row: TokenRow): PersonalToken => {
  const { scope, audience, createdAt, expiresAt, lastUsedAt, renewableDays, ownerId, ...token } = row;
  return {
    ...token,
    scope: TokenScopeSchema.parse(scope),
    audience: TokenAudienceSchema.parse(audience),
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    renews: renewableDays !== null,
    allMailboxes: ownerId !== null,
  };
};

/** A new token; one that a program is given names its client. */
interface NewToken extends CreateTokenRequest {
  hash: Buffer;
  audience: TokenAudience;
  clientId: string | null;
  /** Of the refresh token that comes with it. */
  refresh?: { familyHash: Buffer; refreshHash: Buffer } | undefined;
}

/** Lifetime of an access token that has a refresh token, in seconds. */
export const RENEWED_TOKEN_S = 60 * 60;

export const tooManyTokens = (): RefusedError =>
  new RefusedError('too_many_tokens', `a user may have ${MAX_TOKENS} tokens`);

/** Whether a user may have one more live token. */
export const hasRoomForToken = async (tx: Transaction, userId: string): Promise<boolean> =>
  (await tx.personalToken.count({ where: { userId, expiresAt: { gt: new Date() } } })) < MAX_TOKENS;

/**
 * Stores a token of a user by its hash.
 *
 * @param session - the one that asks for it, or allowed it
 * @returns the refusal when the session has ended, or the user has as many live tokens as they may
 */
export const insertToken = async (
  tx: Transaction,
  session: { id: string | null; userId: string },
  { name, scope, requiresConfirmation = true, allMailboxes = false, expiresInDays, ...token }: NewToken,
): Promise<PersonalToken | RefusedError> => {
  // One at a time: the count has to include what other requests insert.
  const refusal = await lockSession(tx, session);
  if (refusal !== null) return refusal;
  const { userId } = session;
  const { hash, audience, clientId, refresh } = token;
  const renewableDays = refresh === undefined ? null : expiresInDays;
  const accessSeconds = refresh === undefined ? null : RENEWED_TOKEN_S;
  // The database sets the times: Prisma would send those of this process.
  const [row] = await tx.$queryRaw<TokenRow[]>`
    INSERT INTO "PersonalToken" ("id", "userId", "ownerId", "hash", "name", "scope", "requiresConfirmation", "audience", "clientId",
      "expiresAt", "renewableDays", "accessExpiresAt", "familyHash", "refreshHash")
    SELECT ${uuidv7()}::uuid, ${userId}::uuid,
      (SELECT "ownerId" FROM "Session" WHERE "id" = ${session.id}::uuid AND ${allMailboxes}), ${hash}::bytea, ${name}, ${scope},
      ${scope !== 'read' && requiresConfirmation}, ${audience}, ${clientId},
      now() + make_interval(days => ${expiresInDays}::int), ${renewableDays}::int,
      now() + make_interval(secs => ${accessSeconds}::int), ${refresh?.familyHash ?? null}::bytea,
      ${refresh?.refreshHash ?? null}::bytea
    WHERE (SELECT count(*) FROM "PersonalToken"
      WHERE "userId" = ${userId}::uuid AND "expiresAt" > now()) < ${MAX_TOKENS}::int
    RETURNING "id", "name", "scope", "requiresConfirmation", "createdAt", "expiresAt", "lastUsedAt", "audience",
      "clientId", "renewableDays", "ownerId"`;
  return row === undefined ? tooManyTokens() : toPersonalToken(row);
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

/** A token that a program renews, by its refresh token. */
export interface RenewableToken extends Pick<LiveToken, 'id' | 'userId' | 'name' | 'scope' | 'audience'> {
  isLive: boolean;
  /** False where the refresh token was used before. */
  isNewest: boolean;
}

/** Finds the token that a client renews, and locks it until the transaction ends; null where there is none. */
export const lockRenewableToken = async (
  tx: Transaction,
  { familyHash, refreshHash, clientId }: { familyHash: Buffer; refreshHash: Buffer; clientId: string },
): Promise<RenewableToken | null> => {
  const [row] = await tx.$queryRaw<RenewableToken[]>`
    SELECT "id", "userId", "name", "scope", "audience", "expiresAt" > now() AS "isLive",
      "refreshHash" = ${refreshHash}::bytea AS "isNewest"
    FROM "PersonalToken" WHERE "familyHash" = ${familyHash}::bytea AND "clientId" = ${clientId} FOR UPDATE`;
  return row ?? null;
};

/** Replaces the secrets of a token and extends it, to at most a year after it was created. */
export const renewToken = async (
  tx: Transaction,
  { id, hash, refreshHash }: { id: string; hash: Buffer; refreshHash: Buffer },
): Promise<{ expiresInSeconds: number }> => {
  const [row] = await tx.$queryRaw<[{ expiresInSeconds: number }]>`
    WITH renewed AS (
      SELECT least(now() + make_interval(days => "renewableDays"),
        "createdAt" + make_interval(days => ${MAX_TOKEN_DAYS}::int)) AS "expiresAt"
      FROM "PersonalToken" WHERE "id" = ${id}::uuid
    )
    UPDATE "PersonalToken" SET "hash" = ${hash}::bytea, "refreshHash" = ${refreshHash}::bytea,
      "expiresAt" = renewed."expiresAt",
      "accessExpiresAt" = least(now() + make_interval(secs => ${RENEWED_TOKEN_S}::int), renewed."expiresAt")
    FROM renewed WHERE "id" = ${id}::uuid
    RETURNING round(extract(epoch FROM "accessExpiresAt" - now()))::int AS "expiresInSeconds"`;
  return row;
};

/**
 * Ends a live token, if it was given to this client, by its own hash or that of its refresh tokens.
 *
 * @returns null when there is no such token
 */
export const deleteTokenOfClient = async (
  tx: Transaction,
  { hash, clientId }: { hash: Buffer; clientId: string },
): Promise<{ id: string; userId: string; name: string; isDeleted: boolean } | null> => {
  const [row] = await tx.$queryRaw<{ id: string; userId: string; name: string; isDeleted: boolean }[]>`
    WITH deleted AS (
      DELETE FROM "PersonalToken" WHERE ${hash}::bytea IN ("hash", "familyHash") AND "clientId" = ${clientId} RETURNING "id"
    )
    SELECT "id", "userId", "name", "id" IN (SELECT "id" FROM deleted) AS "isDeleted"
    FROM "PersonalToken" WHERE ${hash}::bytea IN ("hash", "familyHash") AND "expiresAt" > now()`;
  return row ?? null;
};

/** Ends all tokens of these users at once, on every replica; returns how many were live. */
export const deleteAllTokens = async (tx: Transaction, userIds: readonly string[]): Promise<number> => {
  const [counted] = await tx.$queryRaw<{ live: number }[]>`
    WITH deleted AS (DELETE FROM "PersonalToken" WHERE "userId" = ANY(${userIds}::uuid[]) RETURNING "expiresAt")
    SELECT count(*) FILTER (WHERE "expiresAt" > now())::int AS "live" FROM deleted`;
  return counted?.live ?? 0;
};
