import { randomBytes } from 'node:crypto';
import { type SignInError, SignInErrorSchema, type SignInWithTokenRequest } from '@mailsweep/contracts';
import { addOwnMailbox, findOwnMailbox, insertAuditEntry } from '@mailsweep/core';
import type { Database, Transaction } from '@mailsweep/database';
import {
  hasUsableRefreshToken,
  identify,
  type MailAccount,
  OidcError,
  type Provider,
  type ProviderIdentity,
  type Providers,
  type ProviderTokens,
  saveProviderTokens,
  type TokenCipher,
  toRefusalCode,
} from '@mailsweep/mail/provider-connection';
import type { Logger } from '@mailsweep/service-kit';
import type { Client } from '../../http/client.ts';
import {
  findLiveSession,
  insertSession,
  revokeSession,
  type Session,
  type SessionLife,
} from '../session.repository.ts';
import type { SessionClaims, SessionTokens } from '../session-token.ts';
import {
  findAccount,
  findUserId,
  insertPendingLogin,
  type PendingLogin,
  saveUser,
  takePendingLogin,
} from './sign-in.repository.ts';

/** How long a user may take at the provider, in milliseconds. */
export const LOGIN_TTL_MS = 10 * 60_000;
/** How long a token counts as valid that its user made at a provider: until that refuses it. Unit: milliseconds. */
const OWN_TOKEN_LIFE_MS = 100 * 365 * 24 * 3_600_000;
const BROWSER_SECRET_BYTES = 32;
const BROWSER_SECRET_FORM = /^[\w-]{43}$/;

/** A failed sign-in; the front end gets its `code`. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly code: SignInError;

  constructor(code: SignInError, options?: ErrorOptions) {
    super(`sign-in failed: ${code}`, options);
    this.code = code;
  }
}

/** Who signed in at a provider, and what opens their mailbox there. */
interface SignedIn extends MailAccount {
  canChange: boolean;
  tokens: ProviderTokens;
  identity: ProviderIdentity;
}

/** Signs users in at the providers. */
export const createSignIn = (dependencies: {
  database: Database;
  providers: Providers;
  tokenCipher: TokenCipher;
  sessionTokens: SessionTokens;
  sessionLife: SessionLife;
  /** How old a sign-in may be to add a mailbox to it. */
  recentSignInMinutes: number;
  logger: Logger;
}) => {
  const { database, providers, tokenCipher, sessionTokens, logger } = dependencies;

  const takeLogin = async (states: string[], browserSecret: string | undefined): Promise<PendingLogin> => {
    const [state, ...others] = states;
    if (state === undefined || others.length > 0 || browserSecret === undefined) {
      throw new SignInFailure('invalid_state');
    }
    const login = await takePendingLogin(dependencies, { state, browserSecret });
    if (login === null) throw new SignInFailure('invalid_state');
    if (login.isExpired) throw new SignInFailure('login_expired');
    return login;
  };

  /** Ends the session that the browser had; another user's trail says so, the same user's says that they signed in. */
  const endReplaced = async (
    tx: Transaction,
    { sessionId, userId }: SessionClaims,
    newUserId: string,
    client: Client,
  ): Promise<void> => {
    const wasLive = await revokeSession(tx, { id: sessionId, userId, ownerId: null });
    if (!wasLive || userId === newUserId) return;
    await insertAuditEntry(tx, { userId, event: 'signed_out', sessionId, ...client });
  };

  /** @param replacedToken - what the browser's session cookie holds; that session ends */
  const openSession = (signedIn: SignedIn, replacedToken: string | undefined, client: Client) => {
    const replaced = replacedToken === undefined ? null : sessionTokens.verify(replacedToken);
    return database.$transaction(async (tx) => {
      const userId = await saveUser(tx, signedIn.identity);
      if (replaced !== null) await endReplaced(tx, replaced, userId, client);
      await saveProviderTokens(tx, tokenCipher, userId, signedIn.tokens, signedIn);
      const nowMs = Date.now();
      const { idleMs, longestMs } = dependencies.sessionLife;
      const expiresAt = new Date(nowMs + idleMs);
      const sessionId = await insertSession(tx, { userId, expiresAt, browser: client.browser });
      await insertAuditEntry(tx, { userId, event: 'signed_in', sessionId, ...client });
      // The token outlives the session, whose row is extended with each use.
      const token = sessionTokens.sign({ userId, sessionId, expiresAt: new Date(nowMs + longestMs) });
      return { userId, sessionId, expiresAt, token };
    });
  };

  /**
   * Adds the mailbox to those of a session, which goes on; one that is among them is connected again.
   *
   * @returns the number of the mailbox
   */
  const addToSession = (signedIn: SignedIn, session: Session, client: Client): Promise<number> =>
    database.$transaction(async (tx) => {
      const userId = await saveUser(tx, signedIn.identity);
      const number = await addOwnMailbox(tx, session, userId, client);
      if (typeof number === 'string') throw new SignInFailure(number);
      await saveProviderTokens(tx, tokenCipher, userId, signedIn.tokens, signedIn);
      return number;
    });

  const requireProvider = (key: string): Provider => {
    const provider = providers.get(key);
    if (provider === undefined) throw new SignInFailure('provider_configuration');
    return provider;
  };

  /** Writes a refusal to the audit trail of the user it concerns; a user who never signed in has none. */
  const recordRefusal = async ({ subject }: ProviderIdentity, code: SignInError, client: Client) => {
    try {
      const userId = await findUserId(database, subject);
      if (userId === null) return;
      await insertAuditEntry(database, { userId, event: 'sign_in_refused', ...client, details: { code } });
    } catch (error) {
      // The user has to learn why the sign-in was refused, not that the trail could not be written.
      logger.error({ err: error }, 'a refused sign-in could not be written to the audit trail');
    }
  };

  const requireOAuth = (key: string): NonNullable<Provider['oauth']> => {
    const { oauth } = requireProvider(key);
    if (oauth === undefined) throw new SignInFailure('provider_configuration');
    return oauth;
  };

  /** Sends the browser to the provider, and remembers what may come back. */
  const sendToProvider = async (
    login: Pick<PendingLogin, 'provider' | 'expectedUserId' | 'sessionId'> & { browserSecret: string },
    ask: { prompt: 'consent' | 'select_account'; loginHint?: string; isReadOnly: boolean },
  ): Promise<URL> => {
    const { url, secrets } = await requireOAuth(login.provider).beginLogin(ask);
    const expiresAt = new Date(Date.now() + LOGIN_TTL_MS);
    await insertPendingLogin(dependencies, {
      ...login,
      secrets,
      expiresAt,
      asksConsent: ask.prompt === 'consent',
    });
    return url;
  };

  const findSession = async (sessionToken: string | undefined): Promise<Session | null> => {
    const claims = sessionToken === undefined ? null : sessionTokens.verify(sessionToken);
    return claims && (await findLiveSession(database, claims.sessionId, claims.userId));
  };

  /** The session to add a mailbox to. It must be recent: a sign-in to the added mailbox will reach all the others. */
  const requireRecentSession = async (sessionToken: string | undefined): Promise<Session> => {
    const session = await findSession(sessionToken);
    const isRecent = session !== null && session.ageSeconds <= dependencies.recentSignInMinutes * 60;
    if (!isRecent) throw new SignInFailure('recent_sign_in_required');
    return session;
  };

  /**
   * Whose mailbox connection is renewed: of the session's user, or of another mailbox of their owner; null without a live
   * session.
   */
  const findRenewing = async (sessionToken: string | undefined, mailbox: number | undefined) => {
    const session = await findSession(sessionToken);
    if (session === null) return null;
    const userId = mailbox === undefined ? session.userId : await findOwnMailbox(database, session, mailbox);
    if (userId === null) throw new SignInFailure('account_mismatch');
    const account = await findAccount(database, userId);
    return account && { userId, sessionId: userId === session.userId ? null : session.id, ...account };
  };

  /** Refuses new sign-ins of users who cannot use the mailbox. A renewal is let through: they may still export and erase. */
  const requireMailbox = async (provider: Provider, accessToken: string): Promise<void> => {
    const accessError = await provider.findAccessError(accessToken);
    const refusal = SignInErrorSchema.safeParse(accessError?.code);
    if (refusal.success) throw new SignInFailure(refusal.data, { cause: accessError });
  };

  /** Whether the provider has to ask for consent, so that a refresh token comes with it. */
  const needsConsent = async (
    tokens: ProviderTokens,
    canChange: boolean,
    userId: string | null,
    login: PendingLogin,
  ): Promise<boolean> => {
    // Once is enough: a provider that gives no refresh token for consent gives none at all.
    if (tokens.refreshToken !== undefined || login.asksConsent) return false;
    return userId === null || !(await hasUsableRefreshToken(database, tokenCipher, userId, canChange));
  };

  return {
    /**
     * Begins a sign-in. The sign-in page lets users choose the account. Who renews the mailbox connection has the
     * account of the session suggested, and sees Google's consent screen only without a usable refresh token. Either way
     * the user has to act at the provider, so that no session begins unnoticed. Of other providers than Google only
     * consent can be relied on for that (OpenID Connect, section 11), and it gives a refresh token, too.
     *
     * @param request.provider - the key of the provider; who renews a connection is sent to their own
     * @param request.access - what to ask for; by default for changing the mailbox, too, and in a renewal for what there was
     * @param request.browserSecret - what the browser's login cookie holds already, so that two tabs don't
     *   lock each other out
     * @param request.renewedSession - what the session cookie holds, when a signed-in user renews the connection
     * @param request.mailbox - the number of the mailbox to renew, where it is another one of the owner
     * @param request.addsTo - what the session cookie holds, when its user adds a mailbox
     * @returns where to send the browser, and what its login cookie has to hold; or the provider that needs a token which
     *   the user makes there
     * @throws OidcError when the provider can't be reached
     * @throws {SignInFailure} when there is no such provider, or it cannot be asked for reading alone
     */
    async begin(request: {
      provider: string;
      access: 'read' | 'change' | undefined;
      browserSecret: string | undefined;
      renewedSession: string | undefined;
      mailbox?: number | undefined;
      addsTo?: { sessionToken: string | undefined } | undefined;
    }): Promise<{ url: URL; browserSecret: string } | { needsTokenFor: Provider }> {
      const known = request.browserSecret;
      const browserSecret =
        known !== undefined && BROWSER_SECRET_FORM.test(known)
          ? known
          : randomBytes(BROWSER_SECRET_BYTES).toString('base64url');
      const addsTo = request.addsTo && (await requireRecentSession(request.addsTo.sessionToken));
      const user = await findRenewing(request.renewedSession, request.mailbox);
      const provider = requireProvider(user?.provider ?? request.provider);
      if (provider.oauth === undefined) return { needsTokenFor: provider };
      if (request.access === 'read' && !provider.offersReadOnly)
        throw new SignInFailure('provider_configuration');
      const isReadOnly = request.access ? request.access === 'read' : user?.canChange === false;
      const isUsable =
        provider.asksConsentOnce &&
        (user === null || (await hasUsableRefreshToken(database, tokenCipher, user.userId, !isReadOnly)));
      const url = await sendToProvider(
        {
          provider: provider.key,
          browserSecret,
          expectedUserId: user?.userId ?? null,
          sessionId: addsTo?.id ?? user?.sessionId ?? null,
        },
        {
          prompt: isUsable ? 'select_account' : 'consent',
          ...(user && { loginHint: user.email }),
          isReadOnly,
        },
      );
      return { url, browserSecret };
    },

    /**
     * Ends a sign-in with the query that the provider sent the browser back with. The provider is asked for
     * tokens only once the state has proved good. The session that the browser had before ends.
     *
     * @param callback.provider - the key of the provider whose address the browser came back to
     * @param replacedToken - what the browser's session cookie holds
     * @param client - who asks, for the audit trail
     * @returns the new session; or the mailbox that was added to the one of the browser; or, when neither the response nor the
     *   database has a usable refresh token, where to send the browser once more, for the user's consent
     * @throws {SignInFailure} with the reason for the front end
     */
    async complete(
      callback: { provider: string; query: URLSearchParams },
      browserSecret: string | undefined,
      replacedToken: string | undefined,
      client: Client,
    ): Promise<{ session: SessionClaims & { token: string } } | { mailbox: number } | { consentUrl: URL }> {
      const { query } = callback;
      const login = await takeLogin(query.getAll('state'), browserSecret);
      if (login.provider !== callback.provider) throw new SignInFailure('invalid_state');
      const refusal = query.get('error');
      if (refusal !== null) {
        const code = refusal === 'access_denied' ? refusal : toRefusalCode(refusal);
        throw new SignInFailure(code ?? 'provider_error');
      }
      const session = login.sessionId === null ? null : await findSession(replacedToken);
      if (session?.id !== (login.sessionId ?? undefined)) throw new SignInFailure('invalid_state');
      const provider = requireProvider(login.provider);
      const { tokens, identity: claimed } = await requireOAuth(login.provider).redeemCode(
        query,
        login.secrets,
      );
      const { identity, accountId, isReadOnly } = await identify(provider, tokens.accessToken, claimed);
      try {
        const access = provider.toMailAccess(tokens.scope);
        if (access === undefined) throw new SignInFailure('missing_scope');
        const canChange = access === 'change' && !isReadOnly;
        const userId = await findUserId(database, identity.subject);
        const { expectedUserId, sessionId } = login;
        if (expectedUserId !== null && userId !== expectedUserId) throw new SignInFailure('account_mismatch');
        if (expectedUserId === null) await requireMailbox(provider, tokens.accessToken);
        if (browserSecret !== undefined && (await needsConsent(tokens, canChange, userId, login))) {
          const ask = {
            prompt: 'consent',
            loginHint: identity.email,
            isReadOnly: access === 'read',
          } as const;
          const again = { provider: provider.key, browserSecret, expectedUserId, sessionId };
          return { consentUrl: await sendToProvider(again, ask) };
        }
        const signedIn = { provider: provider.key, accountId, canChange, tokens, identity };
        if (session !== null) return { mailbox: await addToSession(signedIn, session, client) };
        return { session: await openSession(signedIn, replacedToken, client) };
      } catch (error) {
        const failure = toSignInFailure(error);
        await recordRefusal(identity, failure.code, client);
        throw failure;
      }
    },

    /**
     * Signs a user in with a token that they made at the provider. The session that the browser had before ends, unless the
     * mailbox is added to it.
     *
     * @param request.provider - the key of the provider
     * @param sessionToken - what the browser's session cookie holds
     * @returns the new session, or the mailbox that was added; undefined where the provider is none that takes such tokens
     * @throws {OidcError} `invalid_grant` when the provider does not accept the token; see {@link identify}
     * @throws {SignInFailure} when the mailbox cannot be added
     */
    async withToken(
      { provider: key, token, add = false }: SignInWithTokenRequest,
      sessionToken: string | undefined,
      client: Client,
    ): Promise<{ session: SessionClaims & { token: string } } | { mailbox: number } | undefined> {
      const provider = providers.get(key);
      if (provider === undefined || provider.oauth !== undefined) return undefined;
      const addsTo = add ? await requireRecentSession(sessionToken) : undefined;
      const { identity, accountId, isReadOnly } = await identify(provider, token);
      const accessTokenExpiresAt = new Date(Date.now() + OWN_TOKEN_LIFE_MS);
      const tokens = { accessToken: token, accessTokenExpiresAt, refreshToken: undefined, scope: '' };
      const signedIn = { provider: key, accountId, canChange: !isReadOnly, tokens, identity };
      if (addsTo) return { mailbox: await addToSession(signedIn, addsTo, client) };
      return { session: await openSession(signedIn, sessionToken, client) };
    },
  };
};

export type SignIn = ReturnType<typeof createSignIn>;

/** Converts any error of a sign-in to the one that the front end shows. */
export const toSignInFailure = (error: unknown): SignInFailure => {
  if (error instanceof SignInFailure) return error;
  if (!(error instanceof OidcError)) return new SignInFailure('temporarily_unavailable', { cause: error });
  const code = error.code === 'invalid_grant' ? 'provider_error' : error.code;
  return new SignInFailure(code, { cause: error });
};
