import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import type { CreatedToken, TokenScope } from '@mailsweep/contracts';
import { createTestDatabase } from '@mailsweep/database/testing';
import { startClassificationStandIn } from '@mailsweep/ml-client/testing';
import { createLogger, listen } from '@mailsweep/service-kit';
import supertest from 'supertest';
import { createApp } from '../app.ts';
import type { ClientDocumentOptions } from '../auth/authorization-server/oauth-clients.ts';
import type { DomainLookup } from '../auth/sign-in/providers-of-domain.ts';
import { type ApiLimits, readConfig } from '../config.ts';
import { createDependencies } from '../dependencies.ts';
import { createOperationsApp } from '../operations/operations-app.ts';
import { openBrowser } from './browser.ts';
import { type SandboxMessage, startGoogleSandbox } from './google-sandbox.ts';

export const FRONTEND_ORIGIN = 'http://localhost:5173';
const REDIRECT_URI = 'http://localhost:3000/auth/idp/callback';
const CLIENT = { clientId: 'client', clientSecret: 'client-secret' };

/** The environment of an API under test; a test may change single variables. */
export const createEnvironment = (urls: { database: string; google: string; ml: string }) => ({
  DATABASE_URL: urls.database,
  OAUTH_ISSUER: urls.google,
  GMAIL_BASE_URL: urls.google,
  // Tests do more in a minute than a user does.
  GMAIL_QUOTA_UNITS_PER_MINUTE: '1000000',
  OAUTH_CLIENT_ID: CLIENT.clientId,
  OAUTH_CLIENT_SECRET: CLIENT.clientSecret,
  OAUTH_REDIRECT_URI: REDIRECT_URI,
  FRONTEND_ORIGIN,
  TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  INTERNAL_JWT_SECRET: 'internal-secret-of-at-least-32-bytes',
  ML_BASE_URL: urls.ml,
  PORT: '3000',
  AUTH_RATE_LIMIT_PER_MINUTE: '10000',
  API_RATE_LIMIT_PER_MINUTE: '10000',
});

export interface ApiOptions {
  /** The messages of each user's mailbox. */
  mail?: Record<string, SandboxMessage[]>;
  env?: Record<string, string>;
  /** Limits other than those of the product. */
  limits?: Partial<ApiLimits>;
  /** How the documents of OAuth clients are requested; by default not from this machine. */
  clientDocuments?: ClientDocumentOptions;
  /** How domains of addresses are asked; by default over the network. */
  domainLookup?: DomainLookup;
  /** Where the API finds its database; a test puts a breakable way in between. */
  routeDatabase?: (databaseUrl: string) => Promise<string>;
}

/**
 * A whole API on a real database, a real queue on it, and stand-ins over real HTTP for Google and the
 * classification service.
 */
export const startApi = async (options: ApiOptions = {}) => {
  const testDatabase = await createTestDatabase();
  const redirectUri = options.env?.OAUTH_REDIRECT_URI ?? REDIRECT_URI;
  const google = await startGoogleSandbox({ ...CLIENT, redirectUri, mail: options.mail ?? {} });
  const ml = await startClassificationStandIn();
  const logLines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logLines.push(String(chunk));
      done();
    },
  });
  const database = (await options.routeDatabase?.(testDatabase.url)) ?? testDatabase.url;
  const env = { ...createEnvironment({ database, google: google.url, ml: ml.url }), ...options.env };
  const stops: (() => Promise<void>)[] = [];

  /** One more API process on the same database, with the same configuration but for `changes`. */
  const startReplica = async (changes: Record<string, string> = {}, limits: Partial<ApiLimits> = {}) => {
    const read = readConfig({ ...env, ...changes });
    const config = { ...read, limits: { ...read.limits, ...options.limits, ...limits } };
    const logger = createLogger({ service: 'api', level: 'debug', destination });
    const closers: (() => unknown)[] = [];
    const stop = async () => {
      for (const close of closers.splice(0).toReversed()) await close();
    };
    stops.push(stop);
    const lifecycle = { onClose: (_name: string, close: () => unknown) => void closers.push(close) };
    // Tests see each call by its own path.
    const dependencies = await createDependencies(config, logger, lifecycle, {
      batchReads: false,
      ...(options.clientDocuments && { clientDocuments: options.clientDocuments }),
      ...(options.domainLookup && { domainLookup: options.domainLookup }),
    });
    const app = createApp(config, dependencies);
    const server = await listen({ app, port: 0 });
    closers.push(() => server.close());
    const operations = createOperationsApp(dependencies);
    const operationsServer = await listen({ app: operations.app, port: 0, host: '127.0.0.1' });
    closers.push(() => operationsServer.close());
    const operationsUrl = `http://127.0.0.1:${operationsServer.port}`;
    return { app, url: `http://127.0.0.1:${server.port}`, operationsUrl, stop };
  };
  const { url, operationsUrl } = await startReplica();

  const signIn = async (email = 'ada@example.com', { userAgent = '' } = {}) => {
    const browser = openBrowser(url, { 'user-agent': userAgent });
    await browser.signIn(email);
    const token = browser.cookies.get('session_token') ?? '';
    const account = await supertest(url).get('/api/v1/me').auth(token, { type: 'bearer' }).expect(200);
    return { ...createClient(url, token), userId: account.body.userId as string };
  };

  return {
    url,
    operationsUrl,
    env,
    google,
    ml,
    testDatabase,
    logLines,
    signIn,
    startReplica,
    /** The published events, oldest first. */
    listEvents: () =>
      testDatabase.query<{ id: string; type: string; userId: string; payload: Record<string, unknown> }>(
        'SELECT "id", "type", "userId", "payload" FROM "OutboxEvent" ORDER BY "id"',
      ),
    async close() {
      await Promise.all(stops.map((stop) => stop()));
      await Promise.all([google.close(), ml.close()]);
      await testDatabase.drop();
    },
  };
};

export type ApiHarness = Awaited<ReturnType<typeof startApi>>;

/** Sends each request with the same header. */
const createSender = (url: string, header: Record<string, string>) => ({
  get: (path: string) => supertest(url).get(path).set(header),
  options: (path: string) => supertest(url).options(path),
  patch: (path: string, body?: object) => supertest(url).patch(path).set(header).send(body),
  delete: (path: string, body?: object) => supertest(url).delete(path).set(header).send(body),
  put: (path: string, body?: object) => supertest(url).put(path).set(header).send(body),
  post: (path: string, body?: object) => supertest(url).post(path).set(header).send(body),
});

/** A signed-in client that carries its token as browsers do, for the mailbox with a number. */
export const createClient = (url: string, token: string, mailbox?: number) => {
  const cookie = `session_token=${token}`;
  const named = mailbox === undefined ? {} : { 'mailsweep-mailbox': String(mailbox) };
  return { token, cookie, ...createSender(url, { cookie, ...named }) };
};

/** A program with a new personal access token of a signed-in user. */
export const createProgram = async (
  url: string,
  user: Pick<ApiClient, 'post'>,
  scope: TokenScope = 'admin',
  { requiresConfirmation = false } = {},
) => {
  const request = { name: `A ${scope} program`, scope, requiresConfirmation };
  const { body } = await user.post('/api/v1/me/tokens', request).expect(200);
  const { id, secret } = body as CreatedToken;
  const authorization = `Bearer ${secret}`;
  return { id, secret, authorization, ...createSender(url, { authorization }) };
};

export type ApiClient = Awaited<ReturnType<ApiHarness['signIn']>>;
