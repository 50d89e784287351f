import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { createTestDatabase } from '@mailsweep/database/testing';
import { createLogger, type HttpServer, listen } from '@mailsweep/service-kit';
import supertest from 'supertest';
import { createApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { createDependencies } from '../dependencies.ts';
import { startClassificationStub } from './classification-stub.ts';
import { chooseAccount, type SandboxMessage, startGoogleSandbox } from './google-sandbox.ts';

export const FRONTEND_ORIGIN = 'http://localhost:5173';
const REDIRECT_URI = 'http://localhost:3000/auth/idp/callback';
const CLIENT = { clientId: 'client', clientSecret: 'client-secret' };

/** The environment of an API under test; a test may change single variables. */
export const createEnvironment = (urls: { database: string; google: string; ml: string }) => ({
  DATABASE_URL: urls.database,
  OAUTH_ISSUER: urls.google,
  GMAIL_BASE_URL: urls.google,
  OAUTH_CLIENT_ID: CLIENT.clientId,
  OAUTH_CLIENT_SECRET: CLIENT.clientSecret,
  OAUTH_REDIRECT_URI: REDIRECT_URI,
  FRONTEND_ORIGIN,
  TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  INTERNAL_JWT_SECRET: 'internal-secret-of-at-least-32-bytes',
  ML_BASE_URL: urls.ml,
  PORT: '3000',
  AUTH_RATE_LIMIT_PER_MINUTE: '1000',
});

/**
 * A whole API on a real database, a real queue on it, and stand-ins over real HTTP for Google and the
 * classification service.
 */
export const startApi = async (
  options: { mail?: Record<string, SandboxMessage[]>; env?: Record<string, string> } = {},
) => {
  const testDatabase = await createTestDatabase();
  const google = await startGoogleSandbox({ ...CLIENT, redirectUri: REDIRECT_URI, mail: options.mail ?? {} });
  const ml = await startClassificationStub();
  const logLines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logLines.push(String(chunk));
      done();
    },
  });
  const env = { ...createEnvironment({ database: testDatabase.url, google: google.url, ml: ml.url }), ...options.env };
  const closers: (() => unknown)[] = [];

  /** One more API process on the same database. */
  const startReplica = async (): Promise<HttpServer & { url: string }> => {
    const config = readConfig(env);
    const logger = createLogger({ service: 'api', level: 'debug', destination });
    const dependencies = await createDependencies(config, logger, { onClose: (_name, close) => closers.push(close) });
    const server = await listen({ app: createApp(config, dependencies), port: 0 });
    closers.push(() => server.close());
    return { ...server, url: `http://127.0.0.1:${server.port}` };
  };
  const { url } = await startReplica();

  const signIn = async (email = 'ada@example.com') => {
    const begun = await supertest(url).get('/auth/idp').expect(302);
    const callback = await chooseAccount(begun.headers['location'] ?? '', email);
    const cookies = toCookieHeader(begun.headers['set-cookie']);
    const ended = await supertest(url).get(callback.pathname + callback.search).set('cookie', cookies).expect(302);
    const token = /session_token=([^;]+)/.exec(String(ended.headers['set-cookie']))?.[1] ?? '';
    return createClient(url, token);
  };

  return {
    url,
    google,
    ml,
    testDatabase,
    logLines,
    signIn,
    startReplica,
    async close() {
      for (const close of closers.toReversed()) await close();
      await Promise.all([google.close(), ml.close()]);
      await testDatabase.drop();
    },
  };
};

export type ApiHarness = Awaited<ReturnType<typeof startApi>>;

/** Turns Set-Cookie lines into what a browser sends back. */
export const toCookieHeader = (setCookie: string | string[] | undefined): string =>
  [setCookie ?? []].flat().map((line) => line.split(';')[0]).join('; ');

/** A signed-in client that carries its token as browsers do. */
const createClient = (url: string, token: string) => {
  const cookie = `session_token=${token}`;
  return {
    token,
    cookie,
    get: (path: string) => supertest(url).get(path).set('cookie', cookie),
    post: (path: string, body?: object) => supertest(url).post(path).set('cookie', cookie).send(body),
  };
};

export type ApiClient = ReturnType<typeof createClient>;
