import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { BehaviourSettings } from '../behaviour.ts';
import type { Emulator, OauthClient } from '../mailbox/emulator.ts';
import { fullNameOf, type User } from '../mailbox/mailbox-seed.ts';
import { type Incoming, isSuccess, jsonResponse, type SandboxResponse } from '../response.ts';
import { createIdTokenSigner, subjectOf } from './id-token.ts';
import { createSignIn } from './sign-in.ts';
import type { Grant, TokenMint } from './tokens.ts';

/** Response of the emulator to a redeemed code; its tokens are replaced by ours. */
const CodeResponseSchema = z.object({ id_token: z.string(), scope: z.string() });

const oauthError = (status: number, error: string, description: string): SandboxResponse =>
  jsonResponse(status, { error, error_description: description }, { 'cache-control': 'no-store' });

/**
 * Google's OAuth 2.0 and OpenID Connect endpoints. The emulator shows the sign-in page and checks client, code and
 * PKCE; issuer, subjects and tokens are ours, so that they are the same after a restart.
 */
export const createOauth = (options: {
  issuer: string;
  emulator: Emulator;
  clients: readonly OauthClient[];
  users: readonly User[];
  tokens: TokenMint;
  behaviour: BehaviourSettings;
  /** Called when a user has signed in. */
  onSignIn: (email: string) => void;
}) => {
  const { issuer, emulator, clients, users, tokens, behaviour, onSignIn } = options;
  const signIn = createSignIn(options);
  const signer = createIdTokenSigner(issuer);

  const forward = ({ method, path, query, headers, body }: Incoming): Promise<SandboxResponse> =>
    emulator.call({ method, path, query, contentType: headers['content-type'], body });

  const redeemCode = async (request: Incoming, form: URLSearchParams): Promise<SandboxResponse> => {
    const response = await emulator.call({
      method: 'POST',
      path: request.path,
      contentType: 'application/x-www-form-urlencoded',
      body: form.toString(),
    });
    if (!isSuccess(response)) return response;
    const { id_token, scope } = CodeResponseSchema.parse(JSON.parse(response.body));
    const { idToken, email } = signer.reissue(id_token);
    onSignIn(email);
    const grant = { grantId: randomUUID(), email, clientId: form.get('client_id') ?? '', scope };
    const { givesRefreshToken } = signIn.takeCode(form.get('code') ?? '');
    return toTokenResponse(grant, {
      ...(givesRefreshToken && { refresh_token: tokens.refresh(grant) }),
      id_token: idToken,
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
    const client = clients.find(({ clientId }) => clientId === form.get('client_id'));
    if (!client || client.clientSecret !== form.get('client_secret')) {
      return oauthError(401, 'invalid_client', 'The OAuth client was not found.');
    }
    const grant = tokens.read('refresh', form.get('refresh_token') ?? '');
    if (!grant || grant.clientId !== client.clientId || !users.some(({ email }) => email === grant.email)) {
      return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
    }
    return toTokenResponse(grant, {});
  };

  const giveTokens = async (request: Incoming): Promise<SandboxResponse> => {
    const form = withBasicCredentials(new URLSearchParams(request.body), request.headers.authorization);
    return form.get('grant_type') === 'refresh_token' ? refresh(form) : await redeemCode(request, form);
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
    const user = users.find(({ email }) => email === grant?.email);
    if (!user) return oauthError(401, 'invalid_token', 'Invalid Credentials');
    const { email, givenName, familyName, locale } = user;
    const claims = { email, email_verified: true, given_name: givenName, family_name: familyName, locale };
    return jsonResponse(200, { sub: subjectOf(email), name: fullNameOf(user), ...claims });
  };

  const describeProvider = async (request: Incoming): Promise<SandboxResponse> => {
    const document: { issuer: string } = JSON.parse((await forward(request)).body);
    return jsonResponse(200, JSON.parse(JSON.stringify(document).replaceAll(document.issuer, issuer)));
  };

  const routes: Record<string, (request: Incoming) => SandboxResponse | Promise<SandboxResponse>> = {
    'GET /.well-known/openid-configuration': describeProvider,
    'GET /oauth2/v3/certs': () => jsonResponse(200, signer.keySet),
    'GET /o/oauth2/v2/auth': signIn.chooseAccount,
    'POST /o/oauth2/v2/auth/callback': signIn.submit,
    'POST /oauth2/token': giveTokens,
    'GET /oauth2/v2/userinfo': describeUser,
    'POST /oauth2/revoke': revoke,
  };

  return {
    /** Handles any request that is not for the Gmail API. */
    handle: async (request: Incoming): Promise<SandboxResponse> => {
      const route = routes[`${request.method} ${request.path}`];
      return route ? await route(request) : await forward(request);
    },
  };
};

/** The token of an `Authorization: Bearer` header; empty when there is none. */
export const readBearer = (authorization: string | undefined): string =>
  authorization?.match(/^Bearer\s+(\S+)$/i)?.[1] ?? '';

/** Client credentials may come in a header (RFC 6749, section 2.3.1); the emulator knows only the body. */
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
