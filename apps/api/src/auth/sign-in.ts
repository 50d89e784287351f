import { randomBytes } from 'node:crypto';
import type { SignInError } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import {
  allowsMail,
  type LoginSecrets,
  OidcError,
  type OidcProvider,
  type ProviderIdentity,
  type ProviderTokens,
  saveProviderTokens,
  type TokenCipher,
} from '@mailsweep/provider-connection';
import { insertPendingLogin, takePendingLogin } from './pending-login.repository.ts';
import { insertSession, revokeSession } from './session.repository.ts';
import type { SessionClaims, SessionTokens } from './session-token.ts';
import { saveUser } from './user.repository.ts';

/** How long a person may take at the provider, in milliseconds. */
export const LOGIN_TTL_MS = 10 * 60_000;
const BROWSER_SECRET_BYTES = 32;
const BROWSER_SECRET_FORM = /^[\w-]{43}$/;

/** A sign-in that came to nothing; `code` is what the front end is told. */
export class SignInFailure extends Error {
  override readonly name = 'SignInFailure';
  readonly code: SignInError;

  constructor(code: SignInError, options?: ErrorOptions) {
    super(`sign-in failed: ${code}`, options);
    this.code = code;
  }
}

/** Signs people in at the identity provider. */
export const createSignIn = (dependencies: {
  database: Database;
  oidcProvider: OidcProvider;
  tokenCipher: TokenCipher;
  sessionTokens: SessionTokens;
  sessionTtlMs: number;
}) => {
  const { database, oidcProvider, tokenCipher, sessionTokens } = dependencies;

  const takeLogin = async (states: string[], browserSecret: string | undefined): Promise<LoginSecrets> => {
    const [state, ...others] = states;
    if (state === undefined || others.length > 0 || browserSecret === undefined) {
      throw new SignInFailure('invalid_state');
    }
    const login = await takePendingLogin(dependencies, { state, browserSecret });
    if (login === null) throw new SignInFailure('invalid_state');
    if (login.isExpired) throw new SignInFailure('login_expired');
    return login.secrets;
  };

  const openSession = (tokens: ProviderTokens, identity: ProviderIdentity, replaced: SessionClaims | null) =>
    database.$transaction(async (tx) => {
      if (replaced !== null) await revokeSession(tx, replaced.sessionId);
      const userId = await saveUser(tx, identity);
      await saveProviderTokens(tx, tokenCipher, userId, tokens);
      const session = await insertSession(tx, userId, new Date(Date.now() + dependencies.sessionTtlMs));
      const claims = { userId, sessionId: session.id, expiresAt: session.expiresAt };
      return { ...claims, token: sessionTokens.sign(claims) };
    });

  return {
    /**
     * Begins a sign-in.
     *
     * @param knownBrowserSecret - what the browser's login cookie holds already, so that two tabs don't
     *   lock each other out
     * @returns where to send the browser, and what its login cookie has to hold
     * @throws OidcError when the provider can't be reached
     */
    async begin(knownBrowserSecret: string | undefined): Promise<{ url: URL; browserSecret: string }> {
      const { url, secrets } = await oidcProvider.beginLogin();
      const browserSecret =
        knownBrowserSecret !== undefined && BROWSER_SECRET_FORM.test(knownBrowserSecret)
          ? knownBrowserSecret
          : randomBytes(BROWSER_SECRET_BYTES).toString('base64url');
      const expiresAt = new Date(Date.now() + LOGIN_TTL_MS);
      await insertPendingLogin(dependencies, { secrets, browserSecret, expiresAt });
      return { url, browserSecret };
    },

    /**
     * Ends a sign-in with the query that the provider sent the browser back with. The provider is asked for
     * tokens only once the state has proved good. The session that the browser had before ends.
     *
     * @param replacedToken - what the browser's session cookie holds
     * @throws {SignInFailure} with the reason for the front end
     */
    async complete(
      query: URLSearchParams,
      browserSecret: string | undefined,
      replacedToken: string | undefined,
    ): Promise<SessionClaims & { token: string }> {
      const secrets = await takeLogin(query.getAll('state'), browserSecret);
      const refusal = query.get('error');
      if (refusal !== null) {
        throw new SignInFailure(refusal === 'access_denied' ? 'access_denied' : 'provider_error');
      }
      const { tokens, identity } = await oidcProvider.redeemCode(query, secrets).catch((error: unknown) => {
        throw toSignInFailure(error);
      });
      if (!allowsMail(tokens.scope)) throw new SignInFailure('missing_scope');
      const replaced = replacedToken === undefined ? null : sessionTokens.verify(replacedToken);
      return openSession(tokens, identity, replaced);
    },
  };
};

export type SignIn = ReturnType<typeof createSignIn>;

/** What the front end is told of any fault on the way in. */
export const toSignInFailure = (error: unknown): SignInFailure => {
  if (error instanceof SignInFailure) return error;
  if (!(error instanceof OidcError)) return new SignInFailure('temporarily_unavailable', { cause: error });
  const code = error.code === 'provider_unavailable' ? 'provider_unavailable' : 'provider_error';
  return new SignInFailure(code, { cause: error });
};
