import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXIT, Failure, refused } from '../failures.ts';

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
        EXIT.error,
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
        throw new Failure('timeout', EXIT.error, 'Nobody allowed it in time. Try again: mailsweep login');
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
