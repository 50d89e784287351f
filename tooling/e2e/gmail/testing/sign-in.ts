import { once } from 'node:events';
import { createServer } from 'node:http';
import { type OidcProvider, toMailAccess } from '@mailsweep/mail/provider-connection';

const SIGN_IN_MS = 10 * 60_000;
const MAX_SIGN_INS = 3;
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const PAGE = '<!doctype html><title>Mailsweep live check</title><p>Done. Go back to the terminal.';

/** Something that the owner has to change before a live check can run; the message says what. */
export class LiveCheckError extends Error {
  override readonly name = 'LiveCheckError';
}

export interface SignInOptions {
  oidcProvider: OidcProvider;
  redirectUri: string;
  /** Shows the owner which address to open. */
  show: (url: URL) => void;
  /** Tells the owner that the box for Gmail was not ticked, and that the sign-in starts again. */
  tellUnticked: () => void;
  signal: AbortSignal;
}

/** One walk through Google's pages, until the browser comes back to the redirect address of the product's own client. */
const signInOnce = async ({ oidcProvider, show, ...options }: SignInOptions, redirectUri: URL) => {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(SIGN_IN_MS)]);
  signal.throwIfAborted();
  const callback = Promise.withResolvers<URLSearchParams>();
  // Nobody waits for it where the sign-in does not begin.
  callback.promise.catch(() => undefined);
  signal.addEventListener('abort', () => callback.reject(signal.reason), { once: true });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', redirectUri);
    const isCallback = url.pathname === redirectUri.pathname;
    response.writeHead(isCallback ? 200 : 404, { 'content-type': 'text/html' }).end(isCallback ? PAGE : '');
    if (isCallback) callback.resolve(url.searchParams);
  });
  try {
    server.listen(Number(redirectUri.port || 80), redirectUri.hostname.replace(/^\[|\]$/g, ''));
    await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
      throw new LiveCheckError(
        `Nothing can listen at ${redirectUri.origin} (${code}): stop what runs there, such as npm start.`,
      );
    });
    const { url, secrets } = await oidcProvider.beginLogin({ prompt: 'consent' });
    show(url);
    const query = await callback.promise;
    const refusal = query.get('error');
    if (refusal !== null) throw new LiveCheckError(`Google ended the sign-in with ${refusal}.`);
    const { tokens } = await oidcProvider.redeemCode(query, secrets);
    return { tokens, parameters: [...new Set(query.keys())] };
  } finally {
    server.close();
    server.closeAllConnections();
  }
};

/** What the sign-in has shown of Google. */
export interface SignInFacts {
  /** Names of the parameters with which the browser came back, sorted. */
  parameters: string[];
  hasRefreshToken: boolean;
  /** What Google gave when the owner signed in without ticking the box for Gmail; undefined when they did not try. */
  untickedAccess: 'none' | 'read' | undefined;
}

/**
 * Signs the owner in at Google through the product's own OAuth client, in their browser; again as long as the box for
 * Gmail is not ticked.
 *
 * @throws {LiveCheckError} when the sign-in cannot begin, or did not bring access to the mailbox
 */
export const signIn = async (
  options: SignInOptions,
): Promise<{ accessToken: string; facts: SignInFacts }> => {
  const redirectUri = new URL(options.redirectUri);
  if (redirectUri.protocol !== 'http:' || !LOOPBACK_HOSTS.includes(redirectUri.hostname)) {
    throw new LiveCheckError(
      'The browser has to come back to this machine: add http://localhost:3000/auth/idp/callback to the redirect URIs of the OAuth client, and set OAUTH_REDIRECT_URI to it for this command.',
    );
  }
  let untickedAccess: SignInFacts['untickedAccess'];
  for (let attempts = 1; attempts <= MAX_SIGN_INS; attempts += 1) {
    const { tokens, parameters } = await signInOnce(options, redirectUri);
    const access = toMailAccess(tokens.scope);
    if (access !== 'change') {
      untickedAccess = access ?? 'none';
      options.tellUnticked();
      continue;
    }
    const facts = {
      parameters: parameters.toSorted(),
      hasRefreshToken: tokens.refreshToken !== undefined,
      untickedAccess,
    };
    return { accessToken: tokens.accessToken, facts };
  }
  throw new LiveCheckError('The box for Gmail was not ticked.');
};
