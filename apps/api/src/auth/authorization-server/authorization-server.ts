import { createHash, randomBytes } from 'node:crypto';
import {
  type AllowAuthorizationRequest,
  type AuthorizationDecision,
  type AuthorizationRequest,
  type TokenAudience,
  type TokenScope,
  TokenScopeSchema,
} from '@mailsweep/contracts';
import { insertAuditEntry, type Reach, RefusedError } from '@mailsweep/core';
import type { Database, Transaction } from '@mailsweep/database';
import type { Client } from '../../http/client.ts';
import {
  deleteToken,
  deleteTokenOfClient,
  hasRoomForToken,
  insertToken,
  lockRenewableToken,
  RENEWED_TOKEN_S,
  renewToken,
  tooManyTokens,
} from '../personal-tokens/personal-token.repository.ts';
import {
  createRefreshSecret,
  createTokenSecret,
  hashTokenSecret,
  readRefreshSecret,
} from '../personal-tokens/token-secret.ts';
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
import {
  type AuthorizationRefusal,
  type Resources,
  readAuthorizationRequest,
} from './read-authorization-request.ts';
import { isLoopback, toResponseUrl } from './redirect-uri.ts';

const CODE_BYTES = 32;
const SCOPES = TokenScopeSchema.options;

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

/** What the token endpoint is sent to renew a token. */
export interface Renewal {
  refreshSecret: string;
  clientId: string;
  audience: TokenAudience | null | undefined;
  /** Undefined where it names none; null where it is none of ours. */
  scope: TokenScope | null | undefined;
}

/** A token as a program receives it. */
export interface GrantedToken {
  id: string;
  userId: string;
  secret: string;
  /** What renews it, where the program does that. */
  refreshSecret: string | undefined;
  scope: TokenScope;
  expiresInSeconds: number;
}

/** What becomes of the browser at the authorization endpoint. */
export type AuthorizationStep = { requestId: string } | AuthorizationRefusal | { redirectTo: string };

/** The authorization code grant with PKCE for programs that act for a user (docs/decisions/059). */
export const createAuthorizationServer = ({
  database,
  issuer,
  resources,
}: {
  database: Database;
  /** The origin of the API. */
  issuer: string;
  /** What tokens can be for, by the names that clients use. */
  resources: Resources;
}) => {
  /** Every response of the authorization endpoint says whose it is (RFC 9207). */
  const respond = (redirectUri: string, parameters: Record<string, string>): string =>
    toResponseUrl(redirectUri, { ...parameters, iss: issuer });

  const revokeToken = async (
    tx: Transaction,
    { userId, tokenId }: { userId: string; tokenId: string | null },
    client: Client,
  ) => {
    if (tokenId === null) return;
    const tokenName = await deleteToken(tx, { id: tokenId, userId });
    if (tokenName === null) return;
    const details = { changedTokenId: tokenId, tokenName };
    await insertAuditEntry(tx, { userId, event: 'token_revoked', ...client, details });
  };

  const grant = async (tx: Transaction, code: UsedCode, client: Client) => {
    const { userId, sessionId, clientId, clientName: name, scope, audience } = code;
    const { expiresInDays, requiresConfirmation, allMailboxes } = code;
    const secret = createTokenSecret();
    const hash = hashTokenSecret(secret) as Buffer;
    const refresh = code.renews ? createRefreshSecret() : undefined;
    const session = { id: sessionId, userId };
    const token = await insertToken(tx, session, {
      name,
      scope,
      requiresConfirmation,
      allMailboxes,
      expiresInDays,
      hash,
      audience,
      clientId,
      refresh,
    });
    if (token instanceof RefusedError) return token;
    await setTokenOfCode(tx, code.id, token.id);
    const { id, expiresAt } = token;
    const details = { changedTokenId: id, tokenName: name, scope, expiresAt, clientId };
    const ids = sessionId === null ? {} : { sessionId };
    await insertAuditEntry(tx, { userId, event: 'token_created', ...ids, ...client, details });
    const expiresInSeconds = refresh
      ? RENEWED_TOKEN_S
      : Math.floor((Date.parse(expiresAt) - Date.parse(token.createdAt)) / 1_000);
    return {
      id,
      userId,
      secret,
      refreshSecret: refresh?.text,
      scope,
      expiresInSeconds,
    } satisfies GrantedToken;
  };

  return {
    /**
     * Begins with the query of the authorization endpoint. Only a program on the user's own computer is told of errors
     * without the user: anybody can name a client and its redirect URI, and be sent browsers from our address.
     */
    async begin(query: URLSearchParams, findClient: FindClient): Promise<AuthorizationStep> {
      const request = await readAuthorizationRequest(query, { findClient, resources });
      if (!('error' in request)) return { requestId: await insertAuthorizationRequest(database, request) };
      if (!('redirectUri' in request)) return request;
      const { redirectUri, state, error, description } = request;
      if (!isLoopback(redirectUri)) return { error: 'invalid_request' };
      const parameters = { error, error_description: description, ...(state !== undefined && { state }) };
      return { redirectTo: respond(redirectUri, parameters) };
    },

    /** @returns null when there is no such request for this user to decide */
    async show(reach: Reach, id: string): Promise<AuthorizationRequest | null> {
      const shown = await showAuthorizationRequest(database, id, reach);
      if (shown === null) return null;
      const { clientId, clientName: name, redirectUri, scope, audience, renews, expiresAt } = shown;
      return {
        id,
        client: { name, host: clientId === COMMAND_LINE.id ? null : new URL(clientId).host },
        redirectHost: isLoopback(redirectUri) ? null : new URL(redirectUri).host,
        scope,
        audience,
        renews,
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
      { allMailboxes = false, ...choice }: AllowAuthorizationRequest,
    ): Promise<AuthorizationDecision | null> =>
      database.$transaction(async (tx) => {
        const code = randomBytes(CODE_BYTES).toString('base64url');
        const codeHash = sha256(code);
        const allowed = await allowAuthorizationRequest(
          tx,
          { id, userId },
          { ...choice, allMailboxes, sessionId, codeHash },
        );
        if (allowed === null) return null;
        // The request can be allowed later.
        if (!(await hasRoomForToken(tx, userId))) throw tooManyTokens();
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
     * Exchanges a code, once, while the session lives that allowed it. A code that comes again has leaked, or its token has:
     * that token is revoked.
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
          await revokeToken(tx, used, client);
          return { reusedBy: used.userId };
        }
        if (used.isExpired) return 'The code has expired.';
        if (used.clientId !== clientId) return 'The code was given to another client.';
        if (used.redirectUri !== redirectUri) return 'redirect_uri is not that of the request.';
        if (sha256(codeVerifier).toString('base64url') !== used.codeChallenge)
          return 'code_verifier does not match code_challenge.';
        if (audience !== undefined && audience !== used.audience)
          return new OAuthError('invalid_target', 'resource is not that of the request.');
        const granted = await grant(tx, used, client);
        return granted instanceof RefusedError ? granted.message : granted;
      });
      if (typeof outcome === 'string') throw new OAuthError('invalid_grant', outcome);
      if (outcome instanceof OAuthError) throw outcome;
      return outcome;
    },

    /**
     * Exchanges a refresh token for a new access token and a new refresh token. Reuse of a refresh token means that it or
     * its successor has leaked: the token is revoked.
     *
     * @returns the token; or the user whose refresh token was reused
     * @throws {OAuthError}
     */
    async renew(renewal: Renewal, client: Client): Promise<GrantedToken | { reusedBy: string }> {
      const { clientId, audience, scope } = renewal;
      const presented = readRefreshSecret(renewal.refreshSecret);
      const outcome = await database.$transaction(async (tx) => {
        const token = presented && (await lockRenewableToken(tx, { ...presented, clientId }));
        if (presented === null || !token?.isLive)
          return new OAuthError('invalid_grant', 'The refresh token is not known, or has ended.');
        const { id, userId } = token;
        if (!token.isNewest) {
          await revokeToken(tx, { userId, tokenId: id }, client);
          return { reusedBy: userId };
        }
        if (audience !== undefined && audience !== token.audience)
          return new OAuthError('invalid_target', 'resource is not that of the request.');
        if (scope === null || (scope !== undefined && SCOPES.indexOf(scope) > SCOPES.indexOf(token.scope)))
          return new OAuthError('invalid_scope', 'scope is more than the user allowed.');
        const secret = createTokenSecret();
        const hash = hashTokenSecret(secret) as Buffer;
        const refresh = createRefreshSecret(presented.family);
        const { expiresInSeconds } = await renewToken(tx, { id, hash, refreshHash: refresh.refreshHash });
        return { id, userId, secret, refreshSecret: refresh.text, scope: token.scope, expiresInSeconds };
      });
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
      const hash = hashTokenSecret(secret) ?? readRefreshSecret(secret)?.familyHash ?? null;
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
