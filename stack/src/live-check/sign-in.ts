import { once } from 'node:events';
import { createServer } from 'node:http';
import { allowsMail, type OidcProvider } from '@mailsweep/provider-connection';

/** How long the owner may take at Google, in milliseconds. */
const SIGN_IN_MS = 10 * 60_000;
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const PAGE = '<!doctype html><title>Mailsweep live check</title><p>Done. Go back to the terminal.';

/** Something that the owner has to change before a live check can run; the message says what. */
export class LiveCheckError extends Error {
  override readonly name = 'LiveCheckError';
}

/** Waits for the browser to come back to the redirect address of the product's own client. */
const openCallback = async (
  redirectUri: URL,
): Promise<{ query: Promise<URLSearchParams>; close: () => void }> => {
  const query = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', redirectUri);
    const isCallback = url.pathname === redirectUri.pathname;
    response.writeHead(isCallback ? 200 : 404, { 'content-type': 'text/html' }).end(isCallback ? PAGE : '');
    if (isCallback) query.resolve(url.searchParams);
  });
  server.listen(Number(redirectUri.port || 80), redirectUri.hostname.replace(/^\[|\]$/g, ''));
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new LiveCheckError(
      `Nothing can listen at ${redirectUri.origin} (${code}): stop what runs there, such as npm start.`,
    );
  }
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { query: query.promise, close };
};

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/**
 * Signs the owner in at Google through the product's own OAuth client, in their browser.
 *
 * @param options.show - shows the owner which address to open
 * @returns the access token
 * @throws {LiveCheckError} when the sign-in cannot begin, or did not bring access to the mailbox
 */
export const signIn = async (options: {
  oidcProvider: OidcProvider;
  redirectUri: string;
  show: (url: URL) => void;
  signal: AbortSignal;
}): Promise<string> => {
  const { oidcProvider } = options;
  const redirectUri = new URL(options.redirectUri);
  if (redirectUri.protocol !== 'http:' || !LOOPBACK_HOSTS.includes(redirectUri.hostname)) {
    throw new LiveCheckError(
      'The browser has to come back to this machine: add http://localhost:3000/auth/idp/callback to the redirect URIs of the OAuth client, and set OAUTH_REDIRECT_URI to it for this command.',
    );
  }
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(SIGN_IN_MS)]);
  const callback = await openCallback(redirectUri);
  try {
    const { url, secrets } = await oidcProvider.beginLogin({ prompt: 'consent' });
    options.show(url);
    const query = await Promise.race([callback.query, untilAborted(signal)]);
    const refusal = query.get('error');
    if (refusal !== null) throw new LiveCheckError(`Google ended the sign-in with ${refusal}.`);
    const { tokens } = await oidcProvider.redeemCode(query, secrets);
    if (!allowsMail(tokens.scope)) {
      throw new LiveCheckError('The box for Gmail was not ticked: run this again, and tick it.');
    }
    return tokens.accessToken;
  } finally {
    callback.close();
  }
};
