import { type TokenAudience, type TokenScope, TokenScopeSchema } from '@mailsweep/contracts';
import { type Reach, reachedUserIds } from '@mailsweep/core';
import type { Database, Transaction } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';
import type { RequestedAuthorization } from './read-authorization-request.ts';

/** Seconds in which the user can sign in and decide, and in which a code has to be used. */
const REQUEST_TTL_S = 10 * 60;
const CODE_TTL_S = 60;

/** Stores what a program asks for, until the user decides; returns its id. */
export const insertAuthorizationRequest = async (
  database: Database,
  { client, redirectUri, state, codeChallenge, scope, audience, renews }: RequestedAuthorization,
): Promise<string> => {
  const id = uuidv7();
  // The database sets the time: Prisma would send that of this process.
  await database.$executeRaw`
    INSERT INTO "AuthorizationRequest" ("id", "clientId", "clientName", "redirectUri", "state", "codeChallenge", "scope",
      "audience", "renews", "expiresAt")
    VALUES (${id}::uuid, ${client.id}, ${client.name}, ${redirectUri}, ${state}, ${codeChallenge}, ${scope},
      ${audience}, ${renews}, now() + make_interval(secs => ${REQUEST_TTL_S}::int))`;
  return id;
};

export interface ShownRequest {
  id: string;
  clientId: string;
  clientName: string;
  redirectUri: string;
  scope: TokenScope;
  audience: TokenAudience;
  renews: boolean;
  expiresAt: Date;
}

interface Asked {
  id: string;
  userId: string;
}

/**
 * The request, which from now on only this user can decide, or another mailbox of their owner to which it is shown; null
 * where it is over, or somebody else has seen it.
 */
export const showAuthorizationRequest = async (
  database: Database,
  id: string,
  reach: Reach,
): Promise<ShownRequest | null> => {
  const [row] = await database.$queryRaw<ShownRequest[]>`
    UPDATE "AuthorizationRequest" SET "userId" = ${reach.userId}::uuid
    WHERE "id" = ${id}::uuid AND ("userId" IS NULL OR "userId" IN (${reachedUserIds(reach)}))
      AND "codeHash" IS NULL AND "expiresAt" > now()
    RETURNING "id", "clientId", "clientName", "redirectUri", "scope", "audience", "renews", "expiresAt"`;
  return row ?? null;
};

/** Where to send the browser after a decision. */
export interface DecidedRequest {
  redirectUri: string;
  state: string;
}

/** Allows a request that was shown to this user, once; null where there is none to decide. */
export const allowAuthorizationRequest = async (
  tx: Transaction,
  { id, userId }: Asked,
  grant: {
    sessionId: string;
    codeHash: Buffer;
    expiresInDays: number;
    requiresConfirmation: boolean;
    allMailboxes: boolean;
  },
): Promise<DecidedRequest | null> => {
  const [row] = await tx.$queryRaw<DecidedRequest[]>`
    UPDATE "AuthorizationRequest"
    SET "codeHash" = ${grant.codeHash}::bytea, "sessionId" = ${grant.sessionId}::uuid,
      "expiresInDays" = ${grant.expiresInDays}::int, "requiresConfirmation" = ${grant.requiresConfirmation},
      "allMailboxes" = ${grant.allMailboxes}, "expiresAt" = now() + make_interval(secs => ${CODE_TTL_S}::int)
    WHERE "id" = ${id}::uuid AND "userId" = ${userId}::uuid AND "codeHash" IS NULL AND "expiresAt" > now()
    RETURNING "redirectUri", "state"`;
  return row ?? null;
};

/** Drops a request that was shown to this user; null where there is none to decide. */
export const denyAuthorizationRequest = async (
  database: Database,
  { id, userId }: Asked,
): Promise<DecidedRequest | null> => {
  const [row] = await database.$queryRaw<DecidedRequest[]>`
    DELETE FROM "AuthorizationRequest"
    WHERE "id" = ${id}::uuid AND "userId" = ${userId}::uuid AND "codeHash" IS NULL AND "expiresAt" > now()
    RETURNING "redirectUri", "state"`;
  return row ?? null;
};

/** What a code stands for. */
export interface UsedCode {
  id: string;
  userId: string;
  sessionId: string | null;
  clientId: string;
  clientName: string;
  redirectUri: string;
  codeChallenge: string;
  scope: TokenScope;
  audience: TokenAudience;
  renews: boolean;
  expiresInDays: number;
  requiresConfirmation: boolean;
  allMailboxes: boolean;
  isExpired: boolean;
  /** Whether it was used before, and the token that it gave then. */
  wasUsed: boolean;
  tokenId: string | null;
}

/** Finds a code and uses it up, whatever becomes of it; null where there is none. */
export const useCode = async (tx: Transaction, codeHash: Buffer): Promise<UsedCode | null> => {
  const [row] = await tx.$queryRaw<UsedCode[]>`
    WITH found AS (
      SELECT "id", "usedAt" IS NOT NULL AS "wasUsed" FROM "AuthorizationRequest"
      WHERE "codeHash" = ${codeHash}::bytea FOR UPDATE
    )
    UPDATE "AuthorizationRequest" AS request SET "usedAt" = coalesce("usedAt", now()) FROM found
    WHERE request."id" = found."id"
    RETURNING request."id", "userId", "sessionId", "clientId", "clientName", "redirectUri", "codeChallenge", "scope",
      "audience", "renews", "expiresInDays", "requiresConfirmation", "allMailboxes", "expiresAt" <= now() AS "isExpired", "wasUsed", "tokenId"`;
  return row === undefined ? null : { ...row, scope: TokenScopeSchema.parse(row.scope) };
};

/** Ends all requests and codes of these users; waits for a code that is being exchanged. */
export const deleteAllAuthorizationRequests = async (tx: Transaction, userIds: string[]): Promise<void> => {
  await tx.authorizationRequest.deleteMany({ where: { userId: { in: userIds } } });
};

/** Notes the token that a code gave. */
export const setTokenOfCode = async (tx: Transaction, id: string, tokenId: string): Promise<void> => {
  await tx.authorizationRequest.update({ where: { id }, data: { tokenId } });
};
