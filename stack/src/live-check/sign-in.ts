import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { allowsMail, type OidcProvider } from '@mailsweep/provider-connection';
import { compare, type Finding } from './check.ts';

/** How long the owner may take at Google, in milliseconds. */
const SIGN_IN_MS = 10 * 60_000;
const MAX_SIGN_INS = 3;
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
  const server: Server = createServer((request, response) => {
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

/** One walk through Google's pages. */
const signInOnce = async (options: SignInOptions, redirectUri: URL) => {
  const { oidcProvider } = options;
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(SIGN_IN_MS)]);
  const callback = await openCallback(redirectUri);
  try {
    const { url, secrets } = await oidcProvider.beginLogin({ prompt: 'consent' });
    options.show(url);
    const query = await Promise.race([callback.query, untilAborted(signal)]);
    const refusal = query.get('error');
    if (refusal !== null) throw new LiveCheckError(`Google ended the sign-in with ${refusal}.`);
    const { tokens } = await oidcProvider.redeemCode(query, secrets);
    return { tokens, parameters: [...new Set(query.keys())] };
  } finally {
    callback.close();
  }
};

export interface SignInOptions {
  oidcProvider: OidcProvider;
  redirectUri: string;
  /** Shows the owner which address to open. */
  show: (url: URL) => void;
  /** Tells the owner that the box for Gmail was not ticked, and that the sign-in starts again. */
  tellUnticked: () => void;
  signal: AbortSignal;
}

/**
 * Signs the owner in at Google through the product's own OAuth client, in their browser; again as long as the box for
 * Gmail is not ticked.
 *
 * @throws {LiveCheckError} when the sign-in cannot begin, or did not bring access to the mailbox
 */
export const signIn = async (
  options: SignInOptions,
): Promise<{ accessToken: string; findings: Finding[] }> => {
  const redirectUri = new URL(options.redirectUri);
  if (redirectUri.protocol !== 'http:' || !LOOPBACK_HOSTS.includes(redirectUri.hostname)) {
    throw new LiveCheckError(
      'The browser has to come back to this machine: add http://localhost:3000/auth/idp/callback to the redirect URIs of the OAuth client, and set OAUTH_REDIRECT_URI to it for this command.',
    );
  }
  for (let attempts = 1; attempts <= MAX_SIGN_INS; attempts += 1) {
    const { tokens, parameters } = await signInOnce(options, redirectUri);
    if (!allowsMail(tokens.scope)) {
      options.tellUnticked();
      continue;
    }
    const wasUnticked = attempts > 1;
    const findings: Finding[] = [
      compare({
        id: 'callback-parameters',
        title: 'Parameters of the redirect back from Google',
        expected: 'authuser, code, iss, prompt, scope, state',
        // `hd` is there for accounts of an organization alone.
        observed: parameters
          .filter((name) => name !== 'hd')
          .toSorted()
          .join(', '),
      }),
      compare({
        id: 'refresh-token',
        title: 'A refresh token comes with consent',
        expected: 'yes',
        observed: tokens.refreshToken === undefined ? 'no' : 'yes',
      }),
      {
        id: 'unticked-box',
        title: 'Signing in without ticking the box for Gmail',
        expected: 'tokens without the scope',
        observed: wasUnticked ? 'tokens without the scope' : 'not tried',
        verdict: wasUnticked ? 'same' : 'unknown',
      },
    ];
    return { accessToken: tokens.accessToken, findings };
  }
  throw new LiveCheckError('The box for Gmail was not ticked.');
};
