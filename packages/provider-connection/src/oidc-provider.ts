import { setTimeout as delay } from 'node:timers/promises';
import * as oidc from 'openid-client';

/** What a mailbox needs beyond who the person is: reading and changing labels, never sending or deleting. */
const MAIL_SCOPE = 'https://www.googleapis.com/auth/gmail.modify';
/** Google's scope for everything, which includes {@link MAIL_SCOPE}. */
const FULL_MAIL_SCOPE = 'https://mail.google.com/';
const SCOPES = ['openid', 'email', 'profile', MAIL_SCOPE];
/** Longest wait for one answer of the provider, in seconds. */
const PROVIDER_TIMEOUT_S = 4;
/** Tolerated difference between our clock and the provider's, in seconds. */
const CLOCK_TOLERANCE_S = 60;
/** Life of an access token where the provider doesn't say, in seconds. */
const DEFAULT_ACCESS_TOKEN_LIFE_S = 3_600;
const MAX_ATTEMPTS = 3;
const RETRY_DELAY_MS = 200;

/** Why the provider did not give us tokens. */
export class OidcError extends Error {
  override readonly name = 'OidcError';
  readonly code: 'invalid_grant' | 'provider_error' | 'provider_unavailable';

  constructor(code: OidcError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface ProviderTokens {
  accessToken: string;
  accessTokenExpiresAt: Date;
  /** Missing when the provider means us to keep the one we have. */
  refreshToken: string | undefined;
  /** The scopes granted, separated by spaces. */
  scope: string;
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
  /** Makes fresh secrets and the address to send the browser to. */
  beginLogin(): Promise<{ url: URL; secrets: LoginSecrets }>;
  /** Exchanges the code in the callback's query for tokens. Every method throws {@link OidcError}. */
  redeemCode(
    query: URLSearchParams,
    secrets: LoginSecrets,
  ): Promise<{ tokens: ProviderTokens; identity: ProviderIdentity }>;
  refresh(refreshToken: string): Promise<ProviderTokens>;
  /** Gives a grant back (RFC 7009); does nothing where the provider has no way to. */
  revoke(token: string): Promise<void>;
}

/** Whether granted scopes let us read and change the mailbox. */
export const allowsMail = (scope: string): boolean => {
  const granted = scope.split(' ');
  return granted.includes(MAIL_SCOPE) || granted.includes(FULL_MAIL_SCOPE);
};

/**
 * The identity provider, over OpenID Connect: authorization code with PKCE (S256), state and nonce
 * (RFC 9700). It is discovered at the first use, and again as long as that fails.
 */
export const createOidcProvider = (options: {
  issuer: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}): OidcProvider => {
  let discovered: Promise<oidc.Configuration> | undefined;

  const discover = (): Promise<oidc.Configuration> => {
    discovered ??= oidc
      .discovery(
        new URL(options.issuer),
        options.clientId,
        { client_secret: options.clientSecret, [oidc.clockTolerance]: CLOCK_TOLERANCE_S },
        undefined,
        {
          timeout: PROVIDER_TIMEOUT_S,
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
    async beginLogin() {
      const config = await discover();
      const secrets: LoginSecrets = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: options.redirectUri,
        scope: SCOPES.join(' '),
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(secrets.codeVerifier),
        code_challenge_method: 'S256',
        // Google hands out a refresh token only for offline access, and a new one only on consent.
        access_type: 'offline',
        prompt: 'consent',
      });
      return { url, secrets };
    },

    async redeemCode(query, secrets) {
      const config = await discover();
      const callbackUrl = new URL(options.redirectUri);
      callbackUrl.search = query.toString();
      try {
        const answer = await oidc.authorizationCodeGrant(config, callbackUrl, {
          pkceCodeVerifier: secrets.codeVerifier,
          expectedState: secrets.state,
          // No answer without an ID token is taken when a nonce is expected.
          expectedNonce: secrets.nonce,
        });
        const claims = answer.claims();
        if (claims === undefined) throw new OidcError('provider_error', 'the provider sent no ID token');
        return { tokens: toProviderTokens(answer), identity: toIdentity(claims) };
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
      await withRetries(() => oidc.tokenRevocation(config, token));
    },
  };
};

/** Tries a call of the provider again as long as it fails for a passing fault. */
const withRetries = async <T>(call: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const fault = toOidcError(error);
      if (fault.code !== 'provider_unavailable' || attempt === MAX_ATTEMPTS) throw fault;
      await delay(RETRY_DELAY_MS * attempt * (0.5 + Math.random()));
    }
  }
};

const isLoopback = (url: string): boolean =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);

const toProviderTokens = (
  answer: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
): ProviderTokens => ({
  accessToken: answer.access_token,
  accessTokenExpiresAt: new Date(Date.now() + (answer.expiresIn() ?? DEFAULT_ACCESS_TOKEN_LIFE_S) * 1_000),
  refreshToken: answer.refresh_token,
  // RFC 6749, section 5.1: no scope in the answer means all that was asked for.
  scope: answer.scope ?? SCOPES.join(' '),
});

const toIdentity = (claims: oidc.IDToken): ProviderIdentity => ({
  subject: claims.sub,
  email: typeof claims.email === 'string' ? claims.email : '',
  name: typeof claims.name === 'string' ? claims.name : null,
});

const toOidcError = (error: unknown): OidcError => {
  if (error instanceof OidcError) return error;
  if (error instanceof oidc.ResponseBodyError) {
    if (error.error === 'invalid_grant')
      return new OidcError('invalid_grant', 'the provider refused the grant');
    if (error.status === 429)
      return new OidcError('provider_unavailable', 'the provider had too many calls', { cause: error });
    return new OidcError('provider_error', `the provider answered ${error.error}`);
  }
  if (isPassing(error))
    return new OidcError('provider_unavailable', 'the provider can’t be reached', { cause: error });
  return new OidcError('provider_error', 'the provider’s answer was not acceptable', { cause: error });
};

/** Network faults, time-outs and 5xx answers; openid-client names the last only by code. */
const isPassing = (error: unknown): boolean => {
  if (error instanceof TypeError) return true;
  if (!(error instanceof oidc.ClientError)) return false;
  const { cause } = error;
  const isServerFault = cause instanceof Response && (cause.status >= 500 || cause.status === 429);
  return error.code === 'OAUTH_TIMEOUT' || isServerFault || cause instanceof TypeError;
};
