import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import type { BehaviourSettings } from '../behaviour.ts';
import type { MailboxChanges } from '../mailbox/mailbox-changes.ts';
import { fullNameOf, type User } from '../mailbox/mailbox-seed.ts';
import { oauthError } from '../protocol/google-errors.ts';
import { type Incoming, jsonResponse, type SandboxResponse } from '../response.ts';
import { createSignIn } from './sign-in.ts';
import type { Grant, TokenMint } from './tokens.ts';

export interface OauthClient {
  clientId: string;
  clientSecret: string;
  name: string;
  redirectUris: string[];
}

/** The provider's lasting identifier of a user: 21 digits, as Google's. */
const subjectOf = (email: string): string =>
  `1${BigInt(`0x${createHash('sha256').update(email.toLowerCase()).digest('hex')}`)
    .toString()
    .slice(0, 20)}`;

let signingKey: { keyId: string; publicKey: KeyObject; privateKey: KeyObject } | undefined;

/** One for all sandboxes of a process: to make a key takes some 100 ms. */
const getSigningKey = () =>
  (signingKey ??= { keyId: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) });

/** Signs claims as an ID token (OpenID Connect Core, section 2). */
const signIdToken = (claims: object): string => {
  const { keyId, privateKey } = getSigningKey();
  const content = [{ alg: 'RS256', kid: keyId, typ: 'JWT' }, claims].map(encode).join('.');
  return `${content}.${sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url')}`;
};

/** The key that verifies the ID tokens, as a JSON Web Key Set (RFC 7517). */
const readKeySet = () => {
  const { keyId, publicKey } = getSigningKey();
  return { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }] };
};

/** What is told of a user, in ID tokens and to who asks (OpenID Connect Core, section 5.1). */
const toClaims = (user: User) => ({
  email: user.email,
  email_verified: true,
  name: fullNameOf(user),
  given_name: user.givenName,
  family_name: user.familyName,
  locale: user.locale,
});

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const ID_TOKEN_TTL_SECONDS = 3_600;

/** Whether a secret redeems a code (RFC 7636). */
const provesChallenge = (verifier: string | null, challenge: string | null, method: string): boolean => {
  if (challenge === null) return true;
  if (verifier === null) return false;
  return (
    challenge === (method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier)
  );
};

/** Google's OAuth 2.0 and OpenID Connect endpoints. Subjects and tokens are the same after a restart. */
export const createOauth = (options: {
  issuer: string;
  clients: readonly OauthClient[];
  users: readonly User[];
  findUser: (email: string) => User | undefined;
  tokens: TokenMint;
  changes: MailboxChanges;
  behaviour: BehaviourSettings;
  setupUrl?: string | undefined;
  onSignIn: (email: string) => void;
}) => {
  const { issuer, clients, findUser, tokens, behaviour, onSignIn } = options;
  const signIn = createSignIn(options);

  const redeemCode = (form: URLSearchParams): SandboxResponse => {
    const code = signIn.takeCode(form.get('code') ?? '');
    if (
      code === undefined ||
      code.clientId !== form.get('client_id') ||
      !provesChallenge(form.get('code_verifier'), code.challenge, code.challengeMethod)
    ) {
      return oauthError(400, 'invalid_grant', 'Malformed auth code.');
    }
    const { user, clientId, scope, nonce } = code;
    onSignIn(user.email);
    const grant = { grantId: randomUUID(), email: user.email, clientId, scope };
    const issuedAt = Math.floor(Date.now() / 1_000);
    return toTokenResponse(grant, {
      ...(code.givesRefreshToken && { refresh_token: tokens.refresh(grant) }),
      id_token: signIdToken({
        ...toClaims(user),
        iss: issuer,
        sub: subjectOf(user.email),
        aud: clientId,
        iat: issuedAt,
        exp: issuedAt + ID_TOKEN_TTL_SECONDS,
        ...(nonce !== null && { nonce }),
      }),
    });
  };

  const toTokenResponse = (grant: Grant, more: object): SandboxResponse => {
    const { token, expiresInSeconds } = tokens.access(grant);
    const response = {
      access_token: token,
      expires_in: expiresInSeconds,
      token_type: 'Bearer',
      scope: grant.scope,
    };
    return jsonResponse(200, { ...response, ...more }, { 'cache-control': 'no-store' });
  };

  const refresh = (form: URLSearchParams): SandboxResponse => {
    const grant = tokens.read('refresh', form.get('refresh_token') ?? '');
    if (!grant || grant.clientId !== form.get('client_id') || !findUser(grant.email)) {
      return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
    }
    return toTokenResponse(grant, {});
  };

  const giveTokens = (request: Incoming): SandboxResponse => {
    const form = withBasicCredentials(new URLSearchParams(request.body), request.headers.authorization);
    const client = clients.find(({ clientId }) => clientId === form.get('client_id'));
    if (!client) return oauthError(401, 'invalid_client', 'The OAuth client was not found.');
    if (client.clientSecret !== form.get('client_secret'))
      return oauthError(401, 'invalid_client', 'The provided client secret is invalid.');
    const grantType = form.get('grant_type') ?? '';
    if (grantType === 'refresh_token') return refresh(form);
    if (grantType === 'authorization_code') return redeemCode(form);
    return oauthError(400, 'unsupported_grant_type', `Invalid grant_type: ${grantType}`);
  };

  const revoke = ({ body }: Incoming): SandboxResponse => {
    const grant = tokens.revoke(new URLSearchParams(body).get('token') ?? '');
    if (grant !== null) signIn.forgetGrant(grant.email, grant.clientId);
    return grant === null && behaviour.now.revokeRefusesDeadTokens
      ? oauthError(400, 'invalid_token', 'Token expired or revoked')
      : jsonResponse(200, {});
  };

  const describeUser = (request: Incoming): SandboxResponse => {
    const grant = tokens.read('access', readBearer(request.headers.authorization));
    const user = grant && findUser(grant.email);
    if (!user) return oauthError(401, 'invalid_token', 'Invalid Credentials');
    return jsonResponse(200, { sub: subjectOf(user.email), ...toClaims(user) });
  };

  const describeProvider = (): SandboxResponse =>
    jsonResponse(200, {
      issuer,
      authorization_endpoint: `${issuer}/o/oauth2/v2/auth`,
      token_endpoint: `${issuer}/oauth2/token`,
      userinfo_endpoint: `${issuer}/oauth2/v2/userinfo`,
      revocation_endpoint: `${issuer}/oauth2/revoke`,
      jwks_uri: `${issuer}/oauth2/v3/certs`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'email', 'profile'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      code_challenge_methods_supported: ['plain', 'S256'],
    });

  const routes: Record<string, (request: Incoming) => SandboxResponse> = {
    'GET /.well-known/openid-configuration': describeProvider,
    'GET /oauth2/v3/certs': () => jsonResponse(200, readKeySet()),
    'GET /o/oauth2/v2/auth': signIn.chooseAccount,
    'POST /o/oauth2/v2/auth/callback': signIn.submit,
    'GET /signin/oauth/error': signIn.showRefusal,
    'POST /oauth2/token': giveTokens,
    'GET /oauth2/v2/userinfo': describeUser,
    'POST /oauth2/revoke': revoke,
  };

  return {
    /** Handles any request that is not for the Gmail API. */
    handle: (request: Incoming): SandboxResponse =>
      routes[`${request.method} ${request.path}`]?.(request) ?? jsonResponse(404, { error: 'not_found' }),
  };
};

/** The token of an `Authorization: Bearer` header; empty when there is none. */
export const readBearer = (authorization: string | undefined): string =>
  authorization?.match(/^Bearer\s+(\S+)$/i)?.[1] ?? '';

/** Client credentials may come in a header (RFC 6749, section 2.3.1). */
const withBasicCredentials = (form: URLSearchParams, authorization: string | undefined): URLSearchParams => {
  const encoded = authorization?.match(/^Basic\s+(\S+)$/i)?.[1];
  if (encoded === undefined) return form;
  const [id = '', secret = ''] = Buffer.from(encoded, 'base64')
    .toString('utf8')
    .split(':')
    .map(decodeURIComponent);
  form.set('client_id', id);
  form.set('client_secret', secret);
  return form;
};
