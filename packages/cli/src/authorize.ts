import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UnreachableError } from '@mailsweep/client';
import { Failure, refused } from './failures.ts';

const PATH = '/callback';

const sendPage = (response: ServerResponse, status: number, title: string, text: string): void => {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      connection: 'close',
    })
    .end(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${text}</p></html>\n`);
};

/** What the user decided: a code, or why there is none. */
const readDecision = (query: URLSearchParams): string | Failure => {
  const code = query.get('code');
  if (code) return code;
  return query.get('error') === 'access_denied'
    ? refused('You did not allow it. Nothing was changed.')
    : new Failure(
        'not_authorized',
        `The API refused: ${query.get('error_description') ?? query.get('error') ?? 'it gave no reason'}`,
      );
};

/**
 * Listens on this computer alone, at a port that is free, for the browser to come back (RFC 8252, section 7.3) with the
 * response to one request. Others, which any page can make a browser send, are ignored.
 */
export const listenForRedirect = async (expected: { state: string; issuer: string }) => {
  const decided = Promise.withResolvers<string>();
  // Nobody waits for it where the program ends before.
  decided.promise.catch(() => undefined);
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const isOurs =
      searchParams.get('state') === expected.state && searchParams.get('iss') === expected.issuer;
    if (request.method !== 'GET' || pathname !== PATH || !isOurs)
      return sendPage(response, 404, 'Nothing is here', 'Go on at the terminal.');
    const decision = readDecision(searchParams);
    if (typeof decision === 'string') {
      sendPage(response, 200, 'You are done here', 'You can close this window and go back to the terminal.');
      decided.resolve(decision);
    } else {
      sendPage(response, 200, 'Not signed in', 'You can close this window and go back to the terminal.');
      decided.reject(decision);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    /** @throws Failure where the user or the API refused, or nobody came in time */
    async waitForCode(signal: AbortSignal, timeoutSeconds: number): Promise<string> {
      const late = AbortSignal.timeout(timeoutSeconds * 1_000);
      const ended = once(AbortSignal.any([signal, late]), 'abort').then(() => {
        signal.throwIfAborted();
        throw new Failure('timeout', 'Nobody allowed it in time. Try again: mailsweep login');
      });
      ended.catch(() => undefined);
      signal.throwIfAborted();
      return Promise.race([decided.promise, ended]);
    },
    close(): void {
      server.close();
      // The last page is sent; browsers keep connections open for the next.
      server.closeIdleConnections();
    },
  };
};

const CLIENT_ID = 'mailsweep-cli';
const TIMEOUT_MS = 20_000;

export const SCOPES = ['read', 'act', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The API as the authorization server of its own tokens (RFC 8414). */
interface AuthorizationServer {
  issuer: string;
  authorize: string;
  token: string;
  revoke: string;
}

export const createSecret = (): string => randomBytes(32).toString('base64url');

const requestJson = async (
  url: string,
  signal: AbortSignal,
  form?: Record<string, string>,
): Promise<{ isOk: boolean; body: Record<string, unknown> }> => {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal: limit,
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    // What is no JSON, such as a page of a proxy, has none of the fields that are looked for.
    const body = await response.json().catch(() => null);
    return { isOk: response.ok, body: typeof body === 'object' && body !== null ? body : {} };
  } catch (error) {
    signal.throwIfAborted();
    throw new UnreachableError(error);
  }
};

/**
 * Finds the endpoints of an API. All of them are at its own address, so that no code or token goes elsewhere.
 *
 * @throws Failure where the API has none
 */
export const findAuthorizationServer = async (
  api: string,
  signal: AbortSignal,
): Promise<AuthorizationServer> => {
  const { isOk, body } = await requestJson(`${api}/.well-known/oauth-authorization-server`, signal);
  const { issuer, authorization_endpoint, token_endpoint, revocation_endpoint } = body;
  const endpoints = [authorization_endpoint, token_endpoint, revocation_endpoint].map(String);
  if (!isOk || typeof issuer !== 'string')
    throw new Failure(
      'no_authorization',
      `At ${api}, programs can't ask for a token. Check the address (--api), or sign in with: mailsweep login --token`,
    );
  if (issuer !== api || !endpoints.every((url) => url.startsWith(`${api}/`)))
    throw new Failure(
      'other_issuer',
      `The API at ${api} says that its address is ${issuer}. Sign in there with: mailsweep login --api ${issuer}`,
    );
  const [authorize = '', token = '', revoke = ''] = endpoints;
  return { issuer, authorize, token, revoke };
};

/** One request for a token: where the user decides about it, and what only this program knows of it. */
export const createRequest = (
  server: AuthorizationServer,
  { redirectUri, state, scope }: { redirectUri: string; state: string; scope: Scope },
) => {
  const verifier = createSecret();
  const resource = `${server.issuer}/api/v1`;
  const url = new URL(server.authorize);
  url.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: redirectUri,
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope,
      resource,
    }),
  );
  return {
    url: url.href,
    async exchange(code: string, signal: AbortSignal): Promise<string> {
      const { isOk, body } = await requestJson(server.token, signal, {
        grant_type: 'authorization_code',
        client_id: CLIENT_ID,
        redirect_uri: redirectUri,
        code,
        code_verifier: verifier,
        resource,
      });
      if (isOk && typeof body.access_token === 'string') return body.access_token;
      const why = typeof body.error_description === 'string' ? ` ${body.error_description}` : '';
      throw new Failure('not_authorized', `The API gave no token.${why} Try again.`);
    },
  };
};

/** Ends a token that this program was given. @returns whether it has ended */
export const revokeToken = async (
  server: AuthorizationServer,
  token: string,
  signal: AbortSignal,
): Promise<boolean> => (await requestJson(server.revoke, signal, { token, client_id: CLIENT_ID })).isOk;
