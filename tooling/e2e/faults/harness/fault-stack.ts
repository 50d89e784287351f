import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { DOMAIN_EVENTS_QUEUE, openQueueBackend, QUEUE_NAMES } from '@mailsweep/event-bus';
import type { GoogleSandboxOptions } from '@mailsweep/google-sandbox';
import { beginSignIn, signInAtApi } from '@mailsweep/google-sandbox/testing/api-sign-in';
import { respondWithSuggestions, startClassificationStandIn } from '@mailsweep/ml-client/testing';
import { createRecordingLogger, type FaultProxy, openFaultProxy } from '@mailsweep/service-kit/testing';
import { type RedisServer, startRedisServer } from '@mailsweep/stack/testing';
import { startWebhookReceiver } from '@mailsweep/worker/testing/webhook-receiver';
import { afterAll, describe, inject, onTestFailed } from 'vitest';
import { ask, type Question, type Reply } from './ask.ts';
import { byForm, eventually } from './campaign.ts';
import { findFreePort } from './free-port.ts';
import { type Mail, startGoogle } from './google.ts';
import { openLedger } from './ledger.ts';
import { createServiceProcess, type ServiceProcess } from './service-process.ts';

export type QueueKind = 'redis' | 'postgres';
/** What a process talks to. */
export type LinkName = 'postgres' | 'redis' | 'ml' | 'gmail' | 'webhook';

/** A process with a breakable way to each of its neighbours. */
export interface Member extends ServiceProcess {
  links: Record<LinkName, FaultProxy>;
}

export interface FaultStackOptions {
  /** Where the queue lives; `postgres` when left out. */
  queue?: QueueKind;
  /** The database; one of the test run's server when left out. */
  database?: TestDatabase;
  /** For a queue on Redis; one of its own in memory when left out. */
  redis?: Pick<RedisServer, 'url'>;
  /** How many API processes; 1 when left out. */
  apis?: number;
  /** How many worker processes; 1 when left out. */
  workers?: number;
  /** The messages of each user, by mail address; `ada@example.com` with an empty mailbox when left out. */
  mail?: Record<string, readonly Mail[]>;
  /** Variables of the API processes, and of the workers, that differ from the harness's. */
  apiEnv?: Record<string, string>;
  workerEnv?: Record<string, string>;
  /** false: the workers call no workflow service. */
  hasWebhook?: boolean;
  /** Settings of the Google sandbox. */
  sandbox?: Partial<GoogleSandboxOptions>;
  /** false: the processes are made but not started. */
  isStarted?: boolean;
}

const FRONTEND_ORIGIN = 'http://localhost:5173';
/** As in `apps/api/Dockerfile`: without it, V8 keeps 130 to 170 MB more under load on a large machine. */
const API_NODE_OPTIONS = ['--max-semi-space-size=8'];
export const ADA = 'ada@example.com';
/** How the stack's classification service responds until a scenario says otherwise. */
export const suggestArchive = respondWithSuggestions([
  { action: 'archive', classification: 'bulk', confidence_score: 0.9 },
]);

/** Whether this machine can carry the queue on Redis. */
const hasRedis = (): boolean => inject('redisUrl') !== null;

const closers: (() => unknown)[] = [];
/** Takes down what the stacks so far have opened, the newest first. */
const closeStacks = async (): Promise<void> => {
  for (const close of closers.splice(0).toReversed()) await close();
};
// Said here, while tests are collected: a hook that is set up within another one never runs.
afterAll(closeStacks);

/**
 * Runs a suite with the queue on Postgres and on Redis: in the long form on both; in the short form on the one that the
 * scenario is about, or on Postgres where the machine has no Redis.
 */
export const describeOnEachQueue = (
  title: string,
  inShortForm: QueueKind,
  suite: (queue: QueueKind) => void,
): void => {
  const short = hasRedis() ? inShortForm : 'postgres';
  const isRun = (queue: QueueKind): boolean => byForm(queue === short, true);
  if (isRun('postgres')) {
    describe(`${title}, queue on Postgres`, () => {
      afterAll(closeStacks);
      suite('postgres');
    });
  }
  if (isRun('redis')) describeOnRedis(`${title}, queue on Redis`, () => suite('redis'));
};

/** Runs a suite with the queue on Redis alone. */
export const describeOnRedis = (title: string, suite: () => void): void => {
  describe.skipIf(!hasRedis())(hasRedis() ? title : `${title} (skipped: no redis-server)`, suite);
};

/**
 * Starts a whole product of real processes on a real database and a real queue, each way between two of them
 * through a proxy of its own. Call it at the top of a suite's `beforeAll`; it is taken down with the suite on
 * that queue, or with the file.
 */
export const startFaultStack = async (options: FaultStackOptions = {}) => {
  const opened = <T>(part: T, close: (part: T) => unknown): T => {
    closers.push(() => close(part));
    return part;
  };

  const queueKind = options.queue ?? 'postgres';
  const database = opened(options.database ?? (await createTestDatabase()), (one) => one.drop());
  const redis =
    queueKind === 'redis'
      ? (options.redis ?? opened(await startRedisServer(await findFreePort()), (one) => one?.close()))
      : null;
  const apiPorts = await Promise.all(Array.from({ length: options.apis ?? 1 }, findFreePort));
  const workerPorts = await Promise.all(Array.from({ length: options.workers ?? 1 }, findFreePort));
  const publicUrl = `http://127.0.0.1:${apiPorts[0]}`;
  const redirectUri = `${publicUrl}/auth/idp/callback`;
  const google = opened(
    await startGoogle({ mail: options.mail ?? { [ADA]: [] }, redirectUri, sandbox: options.sandbox }),
    (one) => one.close(),
  );
  const ml = opened(await startClassificationStandIn(suggestArchive), (one) => one.close());
  const webhook = opened(await startWebhookReceiver(), (one) => one.close());

  const openLinks = async (): Promise<Record<LinkName, FaultProxy>> => {
    const open = async (url: string) => opened(await openFaultProxy(url), (one) => one.close());
    return {
      postgres: await open(database.url),
      // Never asked for where the queue is on Postgres.
      redis: await open(redis?.url ?? 'redis://127.0.0.1:1'),
      ml: await open(ml.url),
      gmail: await open(google.url),
      webhook: await open(webhook.url),
    };
  };
  const backendEnv = (links: Record<LinkName, FaultProxy>) => ({
    DATABASE_URL: links.postgres.url,
    ...(redis === null ? {} : { REDIS_URL: links.redis.url }),
    LOG_LEVEL: 'debug',
  });
  const secrets = {
    TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    INTERNAL_JWT_SECRET: randomBytes(32).toString('hex'),
    WEBHOOK_SIGNING_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  };
  /** What API and worker open mailboxes with. */
  const mailboxEnv = (links: Record<LinkName, FaultProxy>) => ({
    OAUTH_ISSUER: google.url,
    GMAIL_BASE_URL: links.gmail.url,
    // Rows ask for more in a minute than a user does.
    GMAIL_QUOTA_UNITS_PER_MINUTE: '100000000',
    OAUTH_CLIENT_ID: google.clientId,
    OAUTH_CLIENT_SECRET: google.clientSecret,
    TOKEN_ENCRYPTION_KEY: secrets.TOKEN_ENCRYPTION_KEY,
    INTERNAL_JWT_SECRET: secrets.INTERNAL_JWT_SECRET,
    ML_BASE_URL: links.ml.url,
    SUGGESTIONS_PUBLISH_THRESHOLD: '1',
  });

  const createApi = async (port: number, index: number): Promise<Member> => {
    const links = await openLinks();
    const operationsPort = await findFreePort();
    const env = {
      ...backendEnv(links),
      ...mailboxEnv(links),
      OAUTH_REDIRECT_URI: redirectUri,
      FRONTEND_ORIGIN,
      API_RATE_LIMIT_PER_MINUTE: '1000000',
      AUTH_RATE_LIMIT_PER_MINUTE: '1000000',
      PORT: String(port),
      OPERATIONS_PORT: String(operationsPort),
      ...options.apiEnv,
    };
    const main = 'apps/api/src/main.ts';
    const process = createServiceProcess({
      name: `api-${index + 1}`,
      main,
      nodeOptions: API_NODE_OPTIONS,
      port,
      operationsPort,
      livenessPath: '/api/v1/health',
      env,
    });
    return opened({ ...process, links }, (one) => one.kill());
  };
  const createWorker = async (port: number, index: number): Promise<Member> => {
    const links = await openLinks();
    const env = {
      ...backendEnv(links),
      ...(options.hasWebhook === false ? {} : { WORKFLOW_WEBHOOK_URL: links.webhook.url }),
      WEBHOOK_SIGNING_SECRET: secrets.WEBHOOK_SIGNING_SECRET,
      ...mailboxEnv(links),
      WORKER_PORT: String(port),
      ...options.workerEnv,
    };
    const main = 'apps/worker/src/main.ts';
    const process = createServiceProcess({
      name: `worker-${index + 1}`,
      main,
      port,
      operationsPort: port,
      livenessPath: '/health',
      env,
    });
    return opened({ ...process, links }, (one) => one.kill());
  };

  const apis: Member[] = [];
  for (const [index, port] of apiPorts.entries()) apis.push(await createApi(port, index));
  const workers: Member[] = [];
  for (const [index, port] of workerPorts.entries()) workers.push(await createWorker(port, index));
  const members = [...apis, ...workers];
  if (options.isStarted !== false) await Promise.all(members.map((member) => member.start()));

  const { logger } = createRecordingLogger();
  const queue = opened(
    await openQueueBackend({ redisUrl: redis?.url, databaseUrl: database.url, logger }),
    (one) => one.close(),
  );
  // On Postgres the first to come makes the tables; a busy machine may take longer than a single try lasts.
  if (queueKind === 'postgres') await eventually(() => queue.openQueue(DOMAIN_EVENTS_QUEUE));
  const at = <T>(list: T[], index: number): T => {
    const member = list[index];
    if (member === undefined) throw new Error(`this stack has ${list.length} of them`);
    return member;
  };

  const openUser = async (email: string, cookie: string) => {
    const token = cookie.slice(cookie.indexOf('=') + 1);
    /** Asks an API, the first when none is named. */
    const askApi = (path: string, question: Question & { of?: Member | undefined } = {}): Promise<Reply> =>
      ask(`${(question.of ?? at(apis, 0)).url}${path}`, { cookie, ...question });
    const account = await askApi('/api/v1/me');
    const headers: Record<string, string> = { cookie };
    return { email, headers, cookie, token, userId: account.body.userId as string, ask: askApi };
  };
  /** Signs a user in at the first API by the real flow; returns a client that carries the session. */
  const signIn = async (email = ADA) => openUser(email, (await signInAtApi(publicUrl, email)).cookie);
  /** The same with a token of another provider. */
  const signInByToken = async (provider: string, token: string) => {
    const headers = { origin: FRONTEND_ORIGIN };
    const response = await ask(`${publicUrl}/auth/token`, { headers, json: { provider, token } });
    const [cookie = ''] = response.headers['set-cookie']?.[0]?.split(';') ?? [];
    return await openUser(provider, cookie);
  };
  /** Signs a user in, and returns a program of theirs: with a new personal access token that may do all that one can. */
  const signInProgram = async (email = ADA) => {
    const user = await signIn(email);
    const json = { name: 'A program', scope: 'admin', requiresConfirmation: false };
    const made = await user.ask('/api/v1/me/tokens', { json });
    const token = made.body.secret as string;
    const headers: Record<string, string> = { authorization: `Bearer ${token}` };
    const askApi: typeof user.ask = (path, question = {}) =>
      user.ask(path, { cookie: '', ...question, headers: { ...headers, ...question.headers } });
    return { ...user, token, headers, ask: askApi };
  };

  return {
    queueKind,
    /** The first API process; all of them are in `apis`. */
    api: at(apis, 0),
    apis,
    /** The first worker, if any; all of them are in `workers`. */
    worker: workers[0] as Member,
    workers,
    members,
    google,
    ml,
    webhook,
    /** What signs sessions and encrypts tokens, for scenarios that forge or look into them. */
    secrets,
    /** The stack's own Redis; null where the queue is on Postgres. */
    redis,
    /** The queues, past every proxy. */
    queue,
    /** Runs SQL, past every proxy, and returns the rows. */
    query: database.query,
    database,
    ...openLedger({ database, queue, queueNames: QUEUE_NAMES }),

    signIn,
    signInByToken,
    signInProgram,
    /** Brings a sign-in at the first API to its callback, which is not asked for yet. */
    beginSignIn: (email: string) => beginSignIn(publicUrl, email),
    /** Breaks or heals one way of several processes at once. */
    links: (name: LinkName, of: readonly Member[] = members) => of.map((member) => member.links[name]),
    /** Everything that the processes wrote, as lines. */
    readLogs: () =>
      members.flatMap((member) => member.output.join('').split('\n')).filter((line) => line !== ''),
  };
};

export type FaultStack = Awaited<ReturnType<typeof startFaultStack>>;
export type User = Awaited<ReturnType<FaultStack['signIn']>>;

/** Shows the warnings and errors of all processes when the test fails. */
export const explainFailure = (stack: FaultStack): void =>
  onTestFailed(() => {
    const lines = stack.readLogs().filter((line) => /"level":[456]0/.test(line) || !line.startsWith('{'));
    // Errors are few, and may be older than many warnings.
    const told = [...lines.filter((line) => /"level":[56]0/.test(line)).slice(0, 20), ...lines.slice(-40)];
    process.stderr.write(`${told.join('\n')}\n`);
  });
