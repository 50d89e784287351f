import { createHash, randomBytes } from 'node:crypto';
import {
  type AuthorizationDecision,
  type AuthorizationError,
  type AuthorizationRequest,
  MAX_TOKENS,
  type TokenAudience,
  type TokenScope,
} from '@mailsweep/contracts';
import { insertAuditEntry, RefusedError } from '@mailsweep/core';
import type { Database, Transaction } from '@mailsweep/database';
import type { Client } from '../../http/client.ts';
import {
  deleteToken,
  deleteTokenOfClient,
  hasRoomForToken,
  insertToken,
} from '../personal-tokens/personal-token.repository.ts';
import { createTokenSecret, hashTokenSecret } from '../personal-tokens/token-secret.ts';
import type { Session } from '../session.repository.ts';
import {
  allowAuthorizationRequest,
  denyAuthorizationRequest,
  insertAuthorizationRequest,
  setTokenOfCode,
  showAuthorizationRequest,
  type UsedCode,
  useCode,
} from './authorization-request.repository.ts';
import { COMMAND_LINE, type FindClient } from './oauth-clients.ts';
import { OAuthError } from './oauth-error.ts';
import { readAuthorizationRequest } from './read-authorization-request.ts';
import { isLoopback, toResponseUrl } from './redirect-uri.ts';

const CODE_BYTES = 32;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

type CurrentSession = Pick<Session, 'id' | 'userId'>;

/** What the token endpoint is sent to exchange a code. */
export interface CodeExchange {
  code: string;
  clientId: string;
  redirectUri: string;
  codeVerifier: string;
  /** Undefined where it names none; null where it is none of ours. */
  audience: TokenAudience | null | undefined;
}

/** A token as a program receives it. */
export interface GrantedToken {
  id: string;
  userId: string;
  secret: string;
  scope: TokenScope;
  expiresInSeconds: number;
}

/** What becomes of the browser at the authorization endpoint. */
export type AuthorizationStep =
  | { requestId: string }
  | { error: AuthorizationError }
  | { redirectTo: string };

/** The authorization code grant with PKCE for programs that act for a user (docs/decisions/059). */
export const createAuthorizationServer = ({
  database,
  issuer,
  resources,
  findClient,
}: {
  database: Database;
  /** The origin of the API. */
  issuer: string;
  /** What tokens can be for, by the names that clients use. */
  resources: Record<string, TokenAudience>;
  findClient: FindClient;
}) => {
  /** Every response of the authorization endpoint says whose it is (RFC 9207). */
  const respond = (redirectUri: string, parameters: Record<string, string>): string =>
    toResponseUrl(redirectUri, { ...parameters, iss: issuer });

  const revokeTokenOf = async (tx: Transaction, { userId, tokenId }: UsedCode, client: Client) => {
    if (tokenId === null) return;
    const tokenName = await deleteToken(tx, { id: tokenId, userId });
    if (tokenName === null) return;
    const details = { changedTokenId: tokenId, tokenName };
    await insertAuditEntry(tx, { userId, event: 'token_revoked', ...client, details });
  };

  const grant = async (tx: Transaction, code: UsedCode, client: Client): Promise<GrantedToken | null> => {
    const { userId, sessionId, clientId, clientName: name, scope, audience } = code;
    const { expiresInDays, requiresConfirmation } = code;
    const secret = createTokenSecret();
    const hash = hashTokenSecret(secret) as Buffer;
    const token = await insertToken(tx, userId, {
      name,
      scope,
      requiresConfirmation,
      expiresInDays,
      hash,
      audience,
      clientId,
    });
    if (token === null) return null;
    await setTokenOfCode(tx, code.id, token.id);
    const { id, expiresAt } = token;
    const details = { changedTokenId: id, tokenName: name, scope, expiresAt, clientId };
    const ids = sessionId === null ? {} : { sessionId };
    await insertAuditEntry(tx, { userId, event: 'token_created', ...ids, ...client, details });
    const expiresInSeconds = Math.floor((Date.parse(expiresAt) - Date.parse(token.createdAt)) / 1_000);
    return { id, userId, secret, scope, expiresInSeconds };
  };

  return {
    /**
     * Begins with the query of the authorization endpoint. Only a program on the user's own computer is told of errors
     * without the user: anybody can name a client and its redirect URI, and be sent browsers from our address.
     */
    async begin(query: URLSearchParams): Promise<AuthorizationStep> {
      const request = await readAuthorizationRequest(query, { findClient, resources });
      if (!('error' in request)) return { requestId: await insertAuthorizationRequest(database, request) };
      if (!('redirectUri' in request)) return request;
      const { redirectUri, state, error, description } = request;
      if (!isLoopback(redirectUri)) return { error: 'invalid_request' };
      const parameters = { error, error_description: description, ...(state !== undefined && { state }) };
      return { redirectTo: respond(redirectUri, parameters) };
    },

    /** @returns null when there is no such request for this user to decide */
    async show(userId: string, id: string): Promise<AuthorizationRequest | null> {
      const shown = await showAuthorizationRequest(database, { id, userId });
      if (shown === null) return null;
      const { clientId, clientName: name, redirectUri, scope, audience, expiresAt } = shown;
      return {
        id,
        client: { name, host: clientId === COMMAND_LINE.id ? null : new URL(clientId).host },
        redirectHost: isLoopback(redirectUri) ? null : new URL(redirectUri).host,
        scope,
        audience,
        expiresAt: expiresAt.toISOString(),
      };
    },

    /**
     * @returns null when there is no such request for this user to decide
     * @throws {RefusedError} `too_many_tokens`
     */
    allow: (
      { id: sessionId, userId }: CurrentSession,
      id: string,
      choice: { expiresInDays: number; requiresConfirmation: boolean },
    ): Promise<AuthorizationDecision | null> =>
      database.$transaction(async (tx) => {
        if (!(await hasRoomForToken(tx, userId)))
          throw new RefusedError('too_many_tokens', `a user may have ${MAX_TOKENS} tokens`);
        const code = randomBytes(CODE_BYTES).toString('base64url');
        const codeHash = sha256(code);
        const allowed = await allowAuthorizationRequest(
          tx,
          { id, userId },
          { ...choice, sessionId, codeHash },
        );
        if (allowed === null) return null;
        return { redirectTo: respond(allowed.redirectUri, { code, state: allowed.state }) };
      }),

    /** @returns null when there is no such request for this user to decide */
    async deny(userId: string, id: string): Promise<AuthorizationDecision | null> {
      const denied = await denyAuthorizationRequest(database, { id, userId });
      if (denied === null) return null;
      const { redirectUri, state } = denied;
      const error_description = 'The user did not allow it.';
      return { redirectTo: respond(redirectUri, { error: 'access_denied', error_description, state }) };
    },

    /**
     * Exchanges a code, once. A code that comes again has leaked, or its token has: that token is revoked.
     *
     * @returns the token; or the user whose code came again, null where it is another's
     * @throws {OAuthError}
     */
    async redeem(exchange: CodeExchange, client: Client): Promise<GrantedToken | { reusedBy: string }> {
      const { code, clientId, redirectUri, codeVerifier, audience } = exchange;
      // What a refused code leaves behind has to stay, so errors are thrown only after the transaction.
      const outcome = await database.$transaction(async (tx) => {
        const used = await useCode(tx, sha256(code));
        if (used === null) return 'The code is not known.';
        if (used.wasUsed) {
          await revokeTokenOf(tx, used, client);
          return { reusedBy: used.userId };
        }
        if (used.isExpired) return 'The code has expired.';
        if (used.clientId !== clientId) return 'The code was given to another client.';
        if (used.redirectUri !== redirectUri) return 'redirect_uri is not that of the request.';
        if (sha256(codeVerifier).toString('base64url') !== used.codeChallenge)
          return 'code_verifier does not match code_challenge.';
        if (audience !== undefined && audience !== used.audience)
          return new OAuthError('invalid_target', 'resource is not that of the request.');
        return (await grant(tx, used, client)) ?? `The user has ${MAX_TOKENS} tokens, which is the most.`;
      });
      if (typeof outcome === 'string') throw new OAuthError('invalid_grant', outcome);
      if (outcome instanceof OAuthError) throw outcome;
      return outcome;
    },

    /**
     * Ends a token that a program was given (RFC 7009).
     *
     * @returns the token; null where there is none, which is what was wanted
     * @throws {OAuthError} where it is not this program's
     */
    async revoke(
      { secret, clientId }: { secret: string; clientId: string },
      client: Client,
    ): Promise<{ id: string; userId: string } | null> {
      const hash = hashTokenSecret(secret);
      if (hash === null) return null;
      const outcome = await database.$transaction(async (tx) => {
        const token = await deleteTokenOfClient(tx, { hash, clientId });
        if (token === null || !token.isDeleted) return token;
        const { id, userId, name: tokenName } = token;
        const details = { changedTokenId: id, tokenName };
        await insertAuditEntry(tx, { userId, event: 'token_revoked', tokenId: id, ...client, details });
        return token;
      });
      if (outcome !== null && !outcome.isDeleted)
        throw new OAuthError('unauthorized_client', 'The token was not given to this client.');
      return outcome;
    },
  };
};

export type AuthorizationServer = ReturnType<typeof createAuthorizationServer>;
