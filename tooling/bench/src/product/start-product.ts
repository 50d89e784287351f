import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createTokenMint, type GoogleSandboxOptions } from '@mailsweep/google-sandbox';
import { signInAtApi } from '@mailsweep/google-sandbox/testing/api-sign-in';
import { startClassificationStandIn } from '@mailsweep/ml-client/testing';
import getPort from 'get-port';
import type { MailboxPlan } from '../google-sandbox/generate-mailbox.ts';
import type { GoogleSandboxOrder } from '../google-sandbox/main.ts';
import { startProcess } from './child-process.ts';
import { SUGGEST_ARCHIVE } from './suggest-archive.ts';

const API = fileURLToPath(new URL('../../../../apps/api/src/main.ts', import.meta.url));
const WORKER = fileURLToPath(new URL('../../../../apps/worker/src/main.ts', import.meta.url));
const GOOGLE_SANDBOX = fileURLToPath(new URL('../google-sandbox/main.ts', import.meta.url));
const CLIENT = { clientId: 'client', clientSecret: 'client-secret' };
const NO_LIMIT = '1000000';

/** What the sandbox counted since a mark. */
export interface Usage {
  units: number;
  byMethod: Record<string, { calls: number; units: number }>;
  refused: { units: number; concurrency: number };
  peakInFlight: number;
}

/** How often one Gmail method was called. */
export const callsOf = (usage: Usage, method: string): number => usage.byMethod[method]?.calls ?? 0;

// biome-ignore lint/suspicious/noExplicitAny: a bench reads only the needed parts of a response.
export type Json = any;

const readJson = async (response: Response): Promise<Json> => {
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${response.url} responded with ${response.status}: ${text.slice(0, 500)}`);
  return text === '' ? undefined : JSON.parse(text);
};

const toInit = (headers: Record<string, string>, json: unknown): RequestInit =>
  json === undefined
    ? { headers }
    : {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(json),
      };

const toMultipart = (paths: readonly string[]): string => {
  const parts = paths.map(
    (path, index) =>
      `--part\r\nContent-Type: application/http\r\nContent-ID: <${index}>\r\n\r\nGET /gmail/v1/users/me/${path} HTTP/1.1\r\n\r\n\r\n`,
  );
  return `${parts.join('')}--part--\r\n`;
};

/** One user, signed in at the API, who may also ask Gmail directly. */
export interface SignedIn {
  email: string;
  /** Asks the API; a body makes it a POST. */
  ask(path: string, json?: object): Promise<Json>;
  /** Asks Gmail past the product; paths begin below `users/me/`. */
  askGmail(path: string, json?: object): Promise<Json>;
  /** Asks Gmail for several things in one batch; the responses are read and discarded. */
  askGmailTogether(paths: readonly string[]): Promise<void>;
}

/**
 * Starts the product's API as it runs in production, with the Google sandbox as a process of its own and a
 * fake classification service.
 *
 * @param options.sandbox - limits of the sandbox; without any where left out
 * @param options.env - variables of the API, and of the worker, that differ
 * @param options.redisUrl - without one the queue is in the database
 * @param options.workers - how many workers run; none if left out
 */
export const startProduct = async (options: {
  databaseUrl: string;
  mailboxes: MailboxPlan[];
  sandbox?: Partial<GoogleSandboxOrder['limits']>;
  env?: Record<string, string>;
  redisUrl?: string | null;
  workers?: number;
}) => {
  await using started = new AsyncDisposableStack();
  const [googlePort, port, operationsPort] = [await getPort(), await getPort(), await getPort()];
  const google = `http://127.0.0.1:${googlePort}`;
  const api = `http://127.0.0.1:${port}`;
  const redirectUri = `${api}/auth/idp/callback`;
  const tokenKey = randomBytes(32);
  const limits: Pick<GoogleSandboxOptions, 'quotaUnitsPerMinute' | 'concurrentCalls' | 'latencyMs'> = {
    quotaUnitsPerMinute: 0,
    concurrentCalls: 25,
    latencyMs: 0,
    ...options.sandbox,
  };
  const order: GoogleSandboxOrder = {
    port: googlePort,
    redirectUri,
    ...CLIENT,
    tokenKey: tokenKey.toString('base64'),
    mailboxes: options.mailboxes,
    limits,
  };
  const classification = await startClassificationStandIn(SUGGEST_ARCHIVE);
  started.defer(() => classification.close());
  const sandboxProcess = await startProcess({
    module: GOOGLE_SANDBOX,
    arguments: [JSON.stringify(order)],
    healthUrl: `${google}/sandbox/health`,
  });
  started.defer(() => sandboxProcess.close());
  const sharedEnv: Record<string, string> = {
    DATABASE_URL: options.databaseUrl,
    ...(options.redisUrl && { REDIS_URL: options.redisUrl }),
    OAUTH_ISSUER: google,
    GMAIL_BASE_URL: google,
    OAUTH_CLIENT_ID: CLIENT.clientId,
    OAUTH_CLIENT_SECRET: CLIENT.clientSecret,
    TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    ML_BASE_URL: classification.url,
    GMAIL_QUOTA_UNITS_PER_MINUTE: String(limits.quotaUnitsPerMinute || NO_LIMIT),
    LOG_LEVEL: 'info',
    ...options.env,
  };
  const apiProcess = await startProcess({
    module: API,
    healthUrl: `${api}/api/v1/health`,
    env: {
      API_RATE_LIMIT_PER_MINUTE: NO_LIMIT,
      AUTH_RATE_LIMIT_PER_MINUTE: NO_LIMIT,
      ...sharedEnv,
      OAUTH_REDIRECT_URI: redirectUri,
      FRONTEND_ORIGIN: 'http://localhost:5173',
      PORT: String(port),
      OPERATIONS_PORT: String(operationsPort),
    },
  });
  started.defer(() => apiProcess.close());
  for (let worker = 0; worker < (options.workers ?? 0); worker += 1) {
    const workerPort = await getPort();
    const workerProcess = await startProcess({
      module: WORKER,
      healthUrl: `http://127.0.0.1:${workerPort}/ready`,
      env: { ...sharedEnv, WORKER_PORT: String(workerPort) },
    });
    started.defer(() => workerProcess.close());
  }
  const mint = createTokenMint({ key: tokenKey, accessTokenTtlSeconds: 3_600, nowMs: Date.now });
  const running = started.move();

  return {
    classification,
    async signIn(email: string): Promise<SignedIn> {
      const { cookie } = await signInAtApi(api, email);
      const scope = 'https://www.googleapis.com/auth/gmail.modify';
      const { token } = mint.access({ grantId: `own-${email}`, email, clientId: CLIENT.clientId, scope });
      const authorization = `Bearer ${token}`;
      return {
        email,
        ask: async (path, json) => readJson(await fetch(api + path, toInit({ cookie }, json))),
        askGmail: async (path, json) =>
          readJson(await fetch(`${google}/gmail/v1/users/me/${path}`, toInit({ authorization }, json))),
        async askGmailTogether(paths) {
          const response = await fetch(`${google}/batch/gmail/v1`, {
            method: 'POST',
            headers: { authorization, 'content-type': 'multipart/mixed; boundary=part' },
            body: toMultipart(paths),
          });
          const successes = (await response.text()).split('HTTP/1.1 200').length - 1;
          if (successes !== paths.length) throw new Error(`${successes} of ${paths.length} calls succeeded`);
        },
      };
    },
    /** What some work cost at the provider. */
    async countUsage<T>(work: () => Promise<T>): Promise<{ response: T; usage: Usage }> {
      const { mark } = await readJson(await fetch(`${google}/sandbox/quota/marks`, { method: 'POST' }));
      const response = await work();
      return { response, usage: await readJson(await fetch(`${google}/sandbox/quota?since=${mark}`)) };
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
};

export type Product = Awaited<ReturnType<typeof startProduct>>;
