import { retry } from '@mailsweep/service-kit/resilience';
import { inHttpCall } from '@mailsweep/service-kit/tracing';
import * as oidc from 'openid-client';
import { OidcError, toOidcError } from './oidc-error.ts';

/** What a mailbox needs beyond who the user is: reading and changing labels, never sending or deleting. */
const MAIL_SCOPE = 'https://www.googleapis.com/auth/gmail.modify';
/** Google's scope for everything, which includes {@link MAIL_SCOPE}. */
const FULL_MAIL_SCOPE = 'https://mail.google.com/';
/** Opens all email, and lets nothing be changed. */
const READ_SCOPE = 'https://www.googleapis.com/auth/gmail.readonly';
const GOOGLE_SCOPES = ['openid', 'email', 'profile', MAIL_SCOPE];
/** Longest wait for one response of the provider, in seconds. */
const PROVIDER_TIMEOUT_S = 4;
/** Tolerated difference between our clock and the provider's, in seconds. */
const CLOCK_TOLERANCE_S = 60;
/** Life of an access token where the provider doesn't say, in seconds. */
const DEFAULT_ACCESS_TOKEN_LIFE_S = 3_600;
const MAX_ATTEMPTS = 3;
/** The first retry waits from this to twice this, in milliseconds, the second twice as long. */
const FIRST_RETRY_DELAY_MS = 150;

export interface ProviderTokens {
  accessToken: string;
  accessTokenExpiresAt: Date;
  /** Missing when the current one stays valid. */
  refreshToken: string | undefined;
  /** The scopes granted, separated by spaces; undefined when they are as before. */
  scope: string | undefined;
}

export interface ProviderIdentity {
  subject: string;
  email: string;
  name: string | null;
}

/** What one sign-in has to remember until the browser comes back. */
export interface LoginSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

export interface OidcProvider {
  /**
   * Makes fresh secrets and the address to send the browser to. Google gives a refresh token only for consent, and
   * shows its consent screen each time when asked to, so `consent` is for users without a usable refresh token.
   * Without a prompt Google lets users through unasked who are signed in there.
   *
   * @param options.loginHint - address of the account that is expected
   * @param options.isReadOnly - asks Google for no more than reading; other providers have no word for that
   */
  beginLogin(options: {
    prompt: 'consent' | 'select_account';
    loginHint?: string;
    isReadOnly?: boolean;
  }): Promise<{ url: URL; secrets: LoginSecrets }>;
  /**
   * Exchanges the code in the callback's query for tokens. Every method throws {@link OidcError}.
   *
   * @returns `identity` as the ID token has it; undefined where the scope `openid` was not asked for
   */
  redeemCode(
    query: URLSearchParams,
    secrets: LoginSecrets,
  ): Promise<{ tokens: ProviderTokens & { scope: string }; identity: ProviderIdentity | undefined }>;
  refresh(refreshToken: string): Promise<ProviderTokens>;
  /**
   * Gives a grant back (RFC 7009); does nothing where the provider has no way to, or where the token is revoked or
   * expired already.
   */
  revoke(token: string): Promise<void>;
}

/** What granted scopes let us do with the mailbox: change it, which includes reading, or only read; undefined for neither. */
export const toMailAccess = (scope: string): 'change' | 'read' | undefined => {
  const granted = scope.split(' ');
  if (granted.includes(MAIL_SCOPE) || granted.includes(FULL_MAIL_SCOPE)) return 'change';
  return granted.includes(READ_SCOPE) ? 'read' : undefined;
};

/** Shows the calls of the provider as spans, by their host alone. */
const tracedFetch: oidc.CustomFetch = (url, options) =>
  inHttpCall({ method: options.method, peer: 'identity-provider', url }, async (span) => {
    const response = await fetch(url, options as RequestInit);
    span.responded(response.status);
    return response;
  });

export interface OidcProviderOptions {
  issuer: string;
  clientId: string;
  /** Undefined for a public client. */
  clientSecret?: string | undefined;
  redirectUri: string;
  /** Those of Google and Gmail by default. Without `openid`, the provider is one of plain OAuth (RFC 8414). */
  scopes?: readonly string[];
}

/**
 * The identity provider, over OpenID Connect: authorization code with PKCE (S256), state and nonce
 * (RFC 9700). It is discovered at the first use, and again as long as that fails.
 */
export const createOidcProvider = (options: OidcProviderOptions): OidcProvider => {
  const { scopes = GOOGLE_SCOPES } = options;
  const isOpenId = scopes.includes('openid');
  let discovered: Promise<oidc.Configuration> | undefined;

  const discover = (): Promise<oidc.Configuration> => {
    discovered ??= oidc
      .discovery(
        new URL(options.issuer),
        options.clientId,
        {
          ...(options.clientSecret !== undefined && { client_secret: options.clientSecret }),
          [oidc.clockTolerance]: CLOCK_TOLERANCE_S,
        },
        undefined,
        {
          algorithm: isOpenId ? 'oidc' : 'oauth2',
          timeout: PROVIDER_TIMEOUT_S,
          [oidc.customFetch]: tracedFetch,
          execute: isLoopback(options.issuer) ? [oidc.allowInsecureRequests] : [],
        },
      )
      .catch((error: unknown) => {
        discovered = undefined;
        throw toOidcError(error);
      });
    return discovered;
  };

  return {
    async beginLogin({ prompt, loginHint, isReadOnly }) {
      const config = await discover();
      const secrets: LoginSecrets = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: options.redirectUri,
        scope: (isReadOnly
          ? scopes.map((scope) => (scope === MAIL_SCOPE ? READ_SCOPE : scope))
          : scopes
        ).join(' '),
        state: secrets.state,
        ...(isOpenId && { nonce: secrets.nonce }),
        code_challenge: await oidc.calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
        // Google's own way to ask for a refresh token.
        ...(scopes === GOOGLE_SCOPES && { access_type: 'offline' }),
        prompt,
        ...(loginHint && { login_hint: loginHint }),
      });
      return { url, secrets };
    },

    async redeemCode(query, secrets) {
      const config = await discover();
      const callbackUrl = new URL(options.redirectUri);
      callbackUrl.search = query.toString();
      try {
        const response = await oidc.authorizationCodeGrant(config, callbackUrl, {
          pkceCodeVerifier: secrets.codeVerifier,
          expectedState: secrets.state,
          // A response without an ID token is refused when a nonce is expected.
          ...(isOpenId && { expectedNonce: secrets.nonce }),
        });
        const claims = response.claims();
        // RFC 6749, section 5.1: no scope in the response means all that was asked for.
        const tokens = { ...toProviderTokens(response), scope: response.scope ?? scopes.join(' ') };
        return { tokens, identity: claims && toIdentity(claims) };
      } catch (error) {
        throw toOidcError(error);
      }
    },

    async refresh(refreshToken) {
      const config = await discover();
      return withRetries(async () => toProviderTokens(await oidc.refreshTokenGrant(config, refreshToken)));
    },

    async revoke(token) {
      const config = await discover();
      if (config.serverMetadata().revocation_endpoint === undefined) return;
      await withRetries(async () => {
        try {
          await oidc.tokenRevocation(config, token);
        } catch (error) {
          if (!isDeadToken(error)) throw error;
        }
      });
    },
  };
};

/** Retries a call of the provider after transient errors. */
const withRetries = <T>(call: () => Promise<T>): Promise<T> =>
  retry(
    () =>
      call().catch((error: unknown) => {
        throw toOidcError(error);
      }),
    {
      maxAttempts: MAX_ATTEMPTS,
      firstDelayMs: FIRST_RETRY_DELAY_MS,
      isTransient: (error) => error instanceof OidcError && error.code === 'provider_unavailable',
    },
  );

/** Google responds with 400 to the revocation of a dead token, where RFC 7009 (section 2.2) wants 200. */
const isDeadToken = (error: unknown): boolean =>
  error instanceof oidc.ResponseBodyError && error.error === 'invalid_token';

const isLoopback = (url: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);

const toProviderTokens = (
  response: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
): ProviderTokens => ({
  accessToken: response.access_token,
  accessTokenExpiresAt: new Date(Date.now() + (response.expiresIn() ?? DEFAULT_ACCESS_TOKEN_LIFE_S) * 1_000),
  refreshToken: response.refresh_token,
  scope: response.scope,
});

const toIdentity = (claims: oidc.IDToken): ProviderIdentity => ({
  subject: claims.sub,
  email: typeof claims.email === 'string' ? claims.email : '',
  name: typeof claims.name === 'string' ? claims.name : null,
});
