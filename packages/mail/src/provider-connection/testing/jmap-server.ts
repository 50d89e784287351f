import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '@mailsweep/service-kit';

const MAIL = 'urn:ietf:params:jmap:mail';

/** A user of the server. */
export interface JmapUser {
  accountId: string;
  /** The address that ID tokens have; none by default. */
  email?: string;
  isPersonal?: boolean;
  isReadOnly?: boolean;
  /** Whether the user has mail at all; true by default. */
  hasMail?: boolean;
}

interface Grant {
  username: string;
  /** Whether refresh tokens still work. */
  isLive: boolean;
}

/** What a browser was sent to the server with. */
interface Authorization {
  username: string;
  redirectUri: string;
  challenge: string;
  nonce: string | null;
}

/**
 * A JMAP server with an OAuth authorization server of its own, over real HTTP, as far as a sign-in needs them. It is found
 * by OpenID Connect and by RFC 8414, wants PKCE, and gives a refresh token for `offline_access`.
 *
 * @param options.users - by the name under which they sign in
 * @param options.clientSecret - undefined for a public client
 * @param options.consenting - the user who consents in every browser that is sent here
 */
export const startJmapServer = async (options: {
  users: Record<string, JmapUser>;
  clientId?: string;
  clientSecret?: string;
  consenting?: string;
}) => {
  const { users, clientId = 'client', clientSecret, consenting } = options;
  const tokens = new Map<string, string>();
  const grants = new Map<string, Grant>();
  const codes = new Map<string, Authorization & { scope: string }>();
  const calls: { path: string; authorization: string | undefined; form: Record<string, string> }[] = [];
  let fault: number | undefined;
  let faultHeaders: Record<string, string> = {};

  const issueToken = (username: string): string => {
    const token = `access-${randomUUID()}`;
    tokens.set(token, username);
    return token;
  };

  const toMetadata = () => ({
    issuer: server.url,
    authorization_endpoint: `${server.url}/authorize`,
    token_endpoint: `${server.url}/token`,
    revocation_endpoint: `${server.url}/revoke`,
    jwks_uri: `${server.url}/keys`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: ['openid', MAIL, 'offline_access'],
  });

  /** Over TLS, clients need not check the signature of an ID token (OpenID Connect, section 3.1.3.7). */
  const toIdToken = ({ username, nonce }: Authorization): string => {
    const now = Math.floor(Date.now() / 1_000);
    const user = { sub: `id-of-${username}`, email: users[username]?.email, name: `Name of ${username}` };
    const claims = { iss: server.url, aud: clientId, iat: now, exp: now + 60, nonce, ...user };
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    return `${encode({ alg: 'RS256' })}.${encode(claims)}.c2lnbmF0dXJl`;
  };

  const toTokens = (username: string, scope: string, more: object = {}) => {
    const refreshToken = `refresh-${randomUUID()}`;
    const isLasting = scope.split(' ').includes('offline_access');
    if (isLasting) grants.set(refreshToken, { username, isLive: true });
    const access = { access_token: issueToken(username), token_type: 'Bearer', expires_in: 3_600, scope };
    return { ...access, ...(isLasting && { refresh_token: refreshToken }), ...more };
  };

  const redeem = (form: Record<string, string>): object | undefined => {
    if (form.grant_type === 'refresh_token') {
      const grant = grants.get(form.refresh_token ?? '');
      if (grant?.isLive !== true) return undefined;
      return { access_token: issueToken(grant.username), token_type: 'Bearer', expires_in: 3_600 };
    }
    const code = codes.get(form.code ?? '');
    codes.delete(form.code ?? '');
    const challenge = createHash('sha256')
      .update(form.code_verifier ?? '')
      .digest('base64url');
    if (code === undefined || code.challenge !== challenge || code.redirectUri !== form.redirect_uri)
      return undefined;
    const isOpenId = code.scope.split(' ').includes('openid');
    return toTokens(code.username, code.scope, isOpenId ? { id_token: toIdToken(code) } : {});
  };

  const consent = (authorizationUrl: URL, username: string): URL => {
    const { searchParams } = authorizationUrl;
    const redirectUri = searchParams.get('redirect_uri') ?? '';
    if (searchParams.get('client_id') !== clientId || searchParams.get('code_challenge_method') !== 'S256')
      throw new Error(`the server refuses ${authorizationUrl.search}`);
    const code = randomUUID();
    const challenge = searchParams.get('code_challenge') ?? '';
    const asked = { scope: searchParams.get('scope') ?? '', nonce: searchParams.get('nonce') };
    codes.set(code, { username, redirectUri, challenge, ...asked });
    const callback = new URL(redirectUri);
    callback.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
    return callback;
  };

  const toSession = (username: string) => {
    const { accountId, isPersonal = true, isReadOnly = false, hasMail = true } = users[username] as JmapUser;
    return {
      capabilities: { 'urn:ietf:params:jmap:core': {}, [MAIL]: {} },
      accounts: {
        [accountId]: { name: username, isPersonal, isReadOnly, accountCapabilities: { [MAIL]: {} } },
      },
      primaryAccounts: hasMail ? { [MAIL]: accountId } : {},
      username,
      apiUrl: `${server.url}/jmap/api`,
      downloadUrl: `${server.url}/jmap/download/{accountId}/{blobId}/{name}?type={type}`,
      uploadUrl: `${server.url}/jmap/upload/{accountId}`,
      eventSourceUrl: `${server.url}/jmap/events?types={types}&closeafter={closeafter}&ping={ping}`,
      state: '1',
    };
  };

  const respond = (request: IncomingMessage, form: Record<string, string>): [number, object] => {
    if (fault !== undefined) return [fault, {}];
    const path = new URL(request.url ?? '', server.url).pathname;
    if (/^\/\.well-known\/(openid-configuration|oauth-authorization-server)$/.test(path))
      return [200, toMetadata()];
    if (path === '/jmap/session') {
      const username = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '');
      return username === undefined ? [401, {}] : [200, toSession(username)];
    }
    const isClient = form.client_id === clientId && form.client_secret === clientSecret;
    if (path === '/token' && !isClient) return [401, { error: 'invalid_client' }];
    if (path === '/token') {
      const granted = redeem(form);
      return granted === undefined ? [400, { error: 'invalid_grant' }] : [200, granted];
    }
    if (path === '/revoke') {
      const grant = grants.get(form.token ?? '');
      if (grant !== undefined) grant.isLive = false;
      return [200, {}];
    }
    return [404, {}];
  };

  const server = await listenOnLoopback(async (request: IncomingMessage, response: ServerResponse) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const path = new URL(request.url ?? '', server.url).pathname;
    calls.push({ path, authorization: request.headers.authorization, form });
    if (path === '/.well-known/jmap') {
      response.writeHead(307, { location: '/jmap/session' }).end();
      return;
    }
    if (path === '/authorize' && consenting !== undefined) {
      const location = consent(new URL(request.url ?? '', server.url), consenting).href;
      response.writeHead(302, { location }).end();
      return;
    }
    const [status, body] = respond(request, form);
    const headers = { 'content-type': 'application/json', ...(fault && faultHeaders) };
    response.writeHead(status, headers).end(JSON.stringify(body));
  }, 0);

  return {
    url: server.url,
    sessionUrl: `${server.url}/jmap/session`,
    /** Each call with its form, oldest first. */
    calls,
    /** Makes a token as a user does in the settings of the provider. */
    issueToken,
    /** Has the server refuse an access token. */
    revokeToken: (token: string) => void tokens.delete(token),
    /** Has the server refuse the refresh tokens of a user. */
    endGrants(username: string) {
      for (const grant of grants.values()) if (grant.username === username) grant.isLive = false;
    },
    /** Has every request refused with a status and headers, or none. */
    failWith(status: number | undefined, headers: Record<string, string> = {}) {
      fault = status;
      faultHeaders = headers;
    },
    /** What the user's consent comes to: where the server sends the browser back to. */
    consent,
    close: server.close,
  };
};

export type JmapServer = Awaited<ReturnType<typeof startJmapServer>>;
