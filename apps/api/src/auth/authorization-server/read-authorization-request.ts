import type {
  AuthorizationError,
  TokenAudience,
  TokenScope,
  UnknownClientReason,
} from '@mailsweep/contracts';
import { TokenScopeSchema } from '@mailsweep/contracts';
import type { FindClient, OAuthClient } from './oauth-clients.ts';
import { isRedirectUri, isRegistered } from './redirect-uri.ts';

/** What a program asks for, checked. */
export interface RequestedAuthorization {
  client: OAuthClient;
  redirectUri: string;
  state: string;
  codeChallenge: string;
  scope: TokenScope;
  audience: TokenAudience;
  /** Whether it wants to renew its token. */
  renews: boolean;
}

/** What the front end shows; `reason` and `cause` are for developers of the program. */
export interface AuthorizationRefusal {
  error: AuthorizationError;
  reason?: UnknownClientReason;
  cause?: string | undefined;
}

/** What is wrong with a request; the client may be told where its redirect URI is known. */
export type AuthorizationFailure =
  | AuthorizationRefusal
  | { redirectUri: string; state: string | undefined; error: string; description: string };

/** What tokens can be for, by the names that clients use (RFC 8707). */
export interface Resources {
  names: readonly string[];
  /** Undefined for an address of anything else. */
  find(resource: string): TokenAudience | undefined;
}

/** Addresses are compared as the SDK of MCP does: case of scheme and host, default ports and a slash at the end don't count. */
export const toResources = (issuer: string): Resources => {
  const audiences = new Map<string, TokenAudience>([
    [`${issuer}/api/v1`, 'api'],
    [`${issuer}/mcp`, 'mcp'],
  ]);
  return {
    names: [...audiences.keys()],
    find: (resource) => audiences.get(URL.parse(resource)?.href.replace(/\/$/, '') ?? ''),
  };
};

/** Printable characters of ASCII (RFC 6749, appendix A.5). */
const STATE = /^[\x20-\x7e]{1,1024}$/;
/** A SHA-256 in base64url. */
const CHALLENGE = /^[\w-]{43}$/;

export const SCOPES = TokenScopeSchema.options;
/** No scope of ours: asks for a refresh token (OpenID Connect Core, section 11). */
export const OFFLINE_ACCESS = 'offline_access';

/** The highest of the scopes, since each includes those before it; `read` where none is named. */
export const readScope = (text: string): { scope: TokenScope; isOffline: boolean } | null => {
  const names = text.split(' ').filter((name) => name !== '');
  if (!names.every((name) => name === OFFLINE_ACCESS || (SCOPES as readonly string[]).includes(name)))
    return null;
  const scope = SCOPES.findLast((scope) => names.includes(scope)) ?? 'read';
  return { scope, isOffline: names.includes(OFFLINE_ACCESS) };
};

/** Reads the query of the authorization endpoint: client and redirect URI first, for nobody else may be told of errors. */
export const readAuthorizationRequest = async (
  query: URLSearchParams,
  { findClient, resources }: { findClient: FindClient; resources: Resources },
): Promise<RequestedAuthorization | AuthorizationFailure> => {
  /** The one value of a parameter; undefined where there is none, or several. */
  const only = (name: string): string | undefined => {
    const [value, ...others] = query.getAll(name);
    return others.length === 0 ? value || undefined : undefined;
  };
  const client = await findClient(only('client_id') ?? '');
  if ('reason' in client) return { error: 'unknown_client', ...client };
  const redirectUri = only('redirect_uri') ?? '';
  if (!isRedirectUri(redirectUri) || !isRegistered(client.redirectUris, redirectUri))
    return { error: 'unknown_redirect' };

  const state = only('state');
  const hasState = state !== undefined && STATE.test(state);
  const fail = (error: string, description: string): AuthorizationFailure => ({
    redirectUri,
    state: hasState ? state : undefined,
    error,
    description,
  });
  const names = [...query.keys()];
  const repeated = names.find((name, index) => name !== 'resource' && names.indexOf(name) !== index);
  if (repeated !== undefined) return fail('invalid_request', 'A parameter occurs twice.');
  if (!hasState) return fail('invalid_request', 'state is missing, too long, or not printable.');
  if (only('response_type') !== 'code')
    return fail('unsupported_response_type', 'response_type has to be code.');
  const codeChallenge = only('code_challenge');
  if (codeChallenge === undefined || !CHALLENGE.test(codeChallenge))
    return fail('invalid_request', 'code_challenge has to be a SHA-256 in base64url.');
  if (only('code_challenge_method') !== 'S256')
    return fail('invalid_request', 'code_challenge_method has to be S256.');
  const scope = readScope(query.get('scope') ?? '');
  if (scope === null) return fail('invalid_scope', 'The scopes are read, act, admin and offline_access.');
  const audience = query.has('resource') ? resources.find(only('resource') ?? '') : 'api';
  if (audience === undefined)
    return fail('invalid_target', `resource has to be one of ${resources.names.join(', ')}.`);
  const renews = scope.isOffline || client.renews;
  return { client, redirectUri, state, codeChallenge, scope: scope.scope, audience, renews };
};
