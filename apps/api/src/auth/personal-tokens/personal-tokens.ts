import type { CreatedToken, CreateTokenRequest, Pagination, PersonalToken } from '@mailsweep/contracts';
import { insertAuditEntry, RefusedError } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { Client } from '../../http/client.ts';
import type { Session } from '../session.repository.ts';
import { deleteToken, insertToken, listTokens, renameToken } from './personal-token.repository.ts';
import { createTokenSecret, hashTokenSecret } from './token-secret.ts';

type CurrentSession = Pick<Session, 'id' | 'userId'>;

/** The personal access tokens of a user (docs/decisions/053). Each change and its audit entry are one transaction. */
export const createPersonalTokens = ({ database }: { database: Database }) => ({
  list: (userId: string, pagination: Pagination) => listTokens(database, userId, pagination),

  /** @throws {RefusedError} `too_many_tokens`, or `unauthorized` when the session has ended */
  create: (session: CurrentSession, request: CreateTokenRequest, client: Client): Promise<CreatedToken> =>
    database.$transaction(async (tx) => {
      const secret = createTokenSecret();
      const hash = hashTokenSecret(secret) as Buffer;
      const token = await insertToken(tx, session, {
        ...request,
        hash,
        audience: 'api',
        clientId: null,
      });
      if (token instanceof RefusedError) throw token;
      const {
        id: changedTokenId,
        name: tokenName,
        scope,
        requiresConfirmation,
        expiresAt,
        allMailboxes,
      } = token;
      const details = { changedTokenId, tokenName, scope, requiresConfirmation, expiresAt, allMailboxes };
      const { id: sessionId, userId } = session;
      await insertAuditEntry(tx, { userId, event: 'token_created', sessionId, ...client, details });
      return { ...token, secret };
    }),

  /** @returns null when the user has no such token */
  rename: (
    { id: sessionId, userId }: CurrentSession,
    { id, name }: { id: string; name: string },
    client: Client,
  ): Promise<PersonalToken | null> =>
    database.$transaction(async (tx) => {
      const token = await renameToken(tx, { id, userId }, name);
      if (token === null) return null;
      const details = { changedTokenId: token.id, tokenName: name };
      await insertAuditEntry(tx, { userId, event: 'token_renamed', sessionId, ...client, details });
      return token;
    }),

  /** @returns false when the user has no such token */
  revoke: ({ id: sessionId, userId }: CurrentSession, id: string, client: Client): Promise<boolean> =>
    database.$transaction(async (tx) => {
      const tokenName = await deleteToken(tx, { id, userId });
      if (tokenName === null) return false;
      const details = { changedTokenId: id, tokenName };
      await insertAuditEntry(tx, { userId, event: 'token_revoked', sessionId, ...client, details });
      return true;
    }),
});

export type PersonalTokens = ReturnType<typeof createPersonalTokens>;
