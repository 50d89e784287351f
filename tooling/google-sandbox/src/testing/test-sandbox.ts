import { createHash, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { listenOnLoopback } from '@mailsweep/service-kit';
import { onTestFinished } from 'vitest';
import { createGoogleSandbox, type GoogleSandboxOptions } from '../create-google-sandbox.ts';
import type { MailboxSeed, SeedMessage } from '../mailbox/mailbox-seed.ts';
import { chooseAccount } from './sign-in-pages.ts';

const MAIL_SCOPE = 'openid email profile https://www.googleapis.com/auth/gmail.modify';
/** Allows reading alone. */
export const READ_SCOPE = 'openid email profile https://www.googleapis.com/auth/gmail.readonly';
/** Allows deleting mail for good, too. */
export const FULL_SCOPE = 'openid email profile https://mail.google.com/';
export const CLIENT = {
  clientId: 'test-client',
  clientSecret: 'test-secret',
  name: 'Test',
  redirectUris: ['http://localhost:3000/auth/idp/callback'],
};
const REDIRECT_URI = 'http://localhost:3000/auth/idp/callback';
export const ADA = { email: 'ada@example.com', givenName: 'Ada', familyName: 'Lovelace', locale: 'en' };
export const GRACE = { email: 'grace@example.com', givenName: 'Grace', familyName: 'Hopper', locale: 'en' };
/** Now, for mailboxes in tests. */
const NOW_MS = Date.parse('2026-06-15T12:00:00Z');
const MS_PER_DAY = 86_400_000;

/** A message that is unremarkable but for what the test says. */
export const message = (
  id: string,
  { ageDays = 1, ...more }: Partial<SeedMessage> & { ageDays?: number } = {},
): SeedMessage => ({
  id,
  threadId: `thread-${id}`,
  from: 'Shop <news@shop.example>',
  to: ADA.email,
  subject: `Subject of ${id}`,
  text: 'Hello',
  labels: ['INBOX'],
  receivedAtMs: NOW_MS - ageDays * MS_PER_DAY,
  bodySizeBytes: 2_048,
  attachments: [],
  ...more,
});

export const mailboxOf = (...messages: SeedMessage[]): MailboxSeed => ({ user: ADA, labels: [], messages });

/** Starts a sandbox on a free port. */
export const openSandbox = async (mailboxes: MailboxSeed[], more: Partial<GoogleSandboxOptions> = {}) => {
  let app: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = await listenOnLoopback((request, response) => app(request, response), 0);
  const sandbox = createGoogleSandbox({
    publicUrl: server.url,
    clients: [CLIENT],
    seedMailboxes: () => mailboxes,
    tokenKey: Buffer.alloc(32, 7),
    accessTokenTtlSeconds: 3_600,
    quotaUnitsPerMinute: 0,
    concurrentCalls: 0,
    latencyMs: 0,
    nowMs: () => NOW_MS,
    ...more,
  });
  app = sandbox.app;
  return { url: server.url, close: server.close };
};

/** Starts a sandbox that ends with the test. */
export const startSandbox = async (...given: Parameters<typeof openSandbox>) => {
  const sandbox = await openSandbox(...given);
  onTestFinished(sandbox.close);
  return sandbox;
};

const sendJson = (url: string, method: string, body: object): Promise<Response> =>
  fetch(url, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Changes how a running sandbox behaves. */
export const changeBehaviour = (url: string, change: object): Promise<Response> =>
  sendJson(`${url}/sandbox/behaviour`, 'PATCH', change);

/** Orders the next calls to go wrong. */
export const orderFault = (url: string, fault: object): Promise<Response> =>
  sendJson(`${url}/sandbox/faults`, 'POST', fault);

/** Snoozes and schedules messages, by id. */
export const setAside = (url: string, messages: Record<string, 'snoozed' | 'scheduled' | null>) =>
  sendJson(`${url}/sandbox/set-aside`, 'PATCH', messages);

/** The query of a sign-in, and the secret that redeems its code (RFC 7636). */
export const beginSignIn = (scope = MAIL_SCOPE) => {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: CLIENT.clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    access_type: 'offline',
    scope,
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return { query, verifier };
};

export interface Tokens {
  access_token: string;
  refresh_token: string;
  id_token: string;
  scope: string;
  expires_in: number;
}

/** Where a client sends the browser. */
export const toAuthorizationUrl = (url: string, query: URLSearchParams): string =>
  `${url}/o/oauth2/v2/auth?${query}`;

/** Signs a user in as a browser does: by the pages' forms, and the code in the redirect. */
export const signIn = async (url: string, email = ADA.email, scope = MAIL_SCOPE): Promise<Tokens> => {
  const { query, verifier } = beginSignIn(scope);
  const callback = await chooseAccount(toAuthorizationUrl(url, query), email);
  const code = callback.searchParams.get('code') ?? '';
  const response = await postToken(url, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT_URI,
    code_verifier: verifier,
  });
  return (await response.json()) as Tokens;
};

/** Asks for tokens, as the registered client unless the fields name another. */
export const postToken = (url: string, fields: Record<string, string>): Promise<Response> =>
  fetch(`${url}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: CLIENT.clientId,
      client_secret: CLIENT.clientSecret,
      ...fields,
    }),
  });

/** A client of the Gmail API with the token of a user who has signed in. */
export const openMailbox = async (url: string, email = ADA.email, scope = MAIL_SCOPE) => {
  const { access_token } = await signIn(url, email, scope);
  const authorization = `Bearer ${access_token}`;
  const call = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${url}/gmail/v1/users/me${path}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads only the expected parts of a response.
  const get = async (path: string): Promise<any> => (await call('GET', path)).json();
  return {
    authorization,
    call,
    get,
    search: async (q: string): Promise<string[]> => {
      const list = await get(`/messages?q=${encodeURIComponent(q)}`);
      return (list.messages ?? []).map(({ id }: { id: string }) => id);
    },
  };
};
