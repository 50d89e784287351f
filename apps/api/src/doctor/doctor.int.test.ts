import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@mailsweep/database';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { openQueueBackend, PermanentFailureError, WEBHOOK_QUEUE } from '@mailsweep/event-bus';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import { startJmapServer } from '@mailsweep/mail/provider-connection/testing';
import { startClassificationStandIn } from '@mailsweep/ml-client/testing';
import { createLogger, listenOnLoopback } from '@mailsweep/service-kit';
import { findFreePort, openFaultProxy, startHttpsServer } from '@mailsweep/service-kit/testing';
import { respondWithStatuses } from '@mailsweep/worker/testing/webhook-receiver';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  createRole,
  hasRedis,
  runAsCommand,
  startInstallation,
  startRedis,
  startWebApp,
} from './testing/installation.ts';

let installation: Awaited<ReturnType<typeof startInstallation>>;
beforeAll(async () => {
  installation = await startInstallation();
});
afterAll(() => installation.close());

type Changes = Record<string, string | undefined>;

/** Breaks something, for one test, and returns the variables to change. */
type Break = () => Promise<Changes> | Changes;

interface BrokenSetUp {
  title: string;
  change: Changes | Break;
  /** Every finding that is not `ok` or `skipped`: status, check and variable. */
  expected: string[];
  /** Of those, the ones about other variables of what runs; undefined: not looked at, for most tests change the doctor's alone. */
  running?: string[];
  /** What one of the findings says. */
  says?: string;
}

const isSecret = (name: string) => /(SECRET|PASSWORD|_KEY(_PREVIOUS)?)$/.test(name);

/** Runs the doctor on the installation with these changes; no output may hold a secret of its environment. */
const examine = async (changes: Changes, words?: string[]) => {
  const env = { ...installation.env, ...changes };
  const result = await runAsCommand(env, words);
  const secrets = Object.entries(env).flatMap(([name, value]) => (value && isSecret(name) ? [value] : []));
  for (const secret of [...secrets, 'database-password', 'redis-password', 'jmap-client-secret', '/hook'])
    expect(result.output).not.toContain(secret);
  return result;
};

const listFaults = ({ findings }: Awaited<ReturnType<typeof examine>>, ofRunning = false): string[] =>
  findings
    .filter(({ status }) => status === 'error' || status === 'warning')
    .filter(({ message }) => message.includes('that runs was started with another') === ofRunning)
    .map(({ status, check, variable }) => [status, check, variable].filter(Boolean).join(' '));

const describeSetUps = (title: string, setUps: readonly BrokenSetUp[]) =>
  describe(title, () => {
    test.each(setUps)('$title', async ({ change, expected, running, says }) => {
      const result = await examine(typeof change === 'function' ? await change() : change);
      expect(listFaults(result)).toEqual(expected);
      if (running) expect(listFaults(result, true)).toEqual(running);
      if (says) expect(result.output).toContain(says);
      expect(result.exitCode).toBe(result.findings.some(({ status }) => status === 'error') ? 1 : 0);
      for (const { status, message, why, fix } of result.findings)
        expect(status === 'ok' || status === 'skipped' ? message : message && why && fix).toBeTruthy();
    });
  });

const closeLater = <T extends { close(): unknown }>(opened: T): T => {
  onTestFinished(async () => void (await opened.close()));
  return opened;
};

/** A server that answers every request with this status. */
const startServer = async (status: number, headers: Record<string, string> = {}) =>
  closeLater(
    await listenOnLoopback((_request, response) => void response.writeHead(status, headers).end(), 0),
  );

/** JMAP_PROVIDERS with a server by OAuth and one by tokens of its users, each with what a test changes of it. */
const listJmapProviders = async (oauth: Record<string, unknown>, own: Record<string, unknown>) => {
  const clientSecret = 'jmap-client-secret';
  const { url: issuer, sessionUrl } = closeLater(await startJmapServer({ users: {}, clientSecret }));
  return JSON.stringify([
    { key: 'oauth', name: 'By OAuth', sessionUrl, issuer, clientId: 'client', clientSecret, ...oauth },
    { key: 'own', name: 'By token', sessionUrl, token: true, ...own },
  ]);
};

/** Another database, which a test may break; `at` gives its address. */
const createDatabase = async (): Promise<TestDatabase> => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return database;
};

const withUser = (url: string): string => {
  const { username, password } = new URL(installation.env.DATABASE_URL ?? '');
  return Object.assign(new URL(url), { username, password }).href;
};

/** A statement on the database that it is run in. */
const changeDatabase = (words: string): string =>
  `DO $$ BEGIN EXECUTE format('${words}', current_database()); END $$`;

/** A connection with the name of a process. */
const connectAs = async (databaseUrl: string, applicationName: string): Promise<void> => {
  const database = openDatabase({ databaseUrl, applicationName });
  onTestFinished(() => database.$disconnect());
  await database.user.count();
};

test('nothing is found where nothing is wrong', async () => {
  const result = await examine({});
  expect(listFaults(result)).toEqual([]);
  expect(result.exitCode).toBe(0);
  const skipped = result.findings.filter(({ status }) => status === 'skipped').map(({ check }) => check);
  expect(skipped).toEqual(['disk', 'tls', 'jmap providers']);
  const [call] = installation.webhook.calls.slice(-1);
  expect(call?.headers['webhook-signature']).toMatch(/^v1,/);
  expect(JSON.parse(call?.body ?? '')).toMatchObject({ type: 'mailsweep.test', data: {} });
});

test('people get the same in words, with what to change', async () => {
  const { output, exitCode } = await examine({ ML_BASE_URL: 'http://127.0.0.1:1' }, []);
  expect(output).toMatch(/^✓ database: /m);
  expect(output).toMatch(/^✗ classification: .*\n.*Why it matters: .*\n.*What to change: ML_BASE_URL\. /m);
  expect(output).toMatch(/^\d+ errors, 0 warnings, \d+ ok, \d+ skipped\.$/m);
  expect(exitCode).toBe(1);
});

test('words that equal a short password stay, and the password in an address does not', async () => {
  const url = Object.assign(new URL(installation.env.DATABASE_URL ?? ''), { password: 'address' });
  const { output } = await runAsCommand({ ...installation.env, DATABASE_URL: url.href });
  expect(output).toContain('public address');
  expect(output).not.toContain('[hidden]');
});

test('an argument that it does not know is wrong usage', async () => {
  const { output, exitCode } = await runAsCommand({}, ['--fix']);
  expect(output).toContain('Usage: doctor [--json]');
  expect(exitCode).toBe(2);
});

test('it ends in time when nothing that it calls ever answers', async () => {
  const hanging = closeLater(await listenOnLoopback(() => undefined, 0));
  const proxy = closeLater(await openFaultProxy(installation.env.DATABASE_URL ?? ''));
  proxy.freeze();
  const { host } = new URL(hanging.url);
  const env = {
    ...installation.env,
    DATABASE_URL: proxy.url,
    REDIS_URL: `redis://127.0.0.1:${proxy.port}`,
    OAUTH_ISSUER: hanging.url,
    GMAIL_BASE_URL: hanging.url,
    ML_BASE_URL: hanging.url,
    ML_TIMEOUT_MS: '600000',
    WORKFLOW_WEBHOOK_URL: `${hanging.url}/hook`,
    OAUTH_REDIRECT_URI: `https://${host}/auth/idp/callback`,
  };
  const result = await runAsCommand(env, ['--json'], 0);
  const parts = ['database', 'redis', 'provider', 'gmail', 'classification', 'webhook'];
  const failed = result.findings.filter(({ status }) => status === 'error').map(({ check }) => check);
  expect(failed).toEqual(expect.arrayContaining(parts));
}, 20_000);

describeSetUps('variables', [
  {
    title: 'one is missing',
    change: { ML_BASE_URL: undefined },
    expected: ['error variables ML_BASE_URL'],
  },
  { title: 'one is malformed', change: { PORT: 'http' }, expected: ['error variables PORT'] },
  {
    title: 'the file of a secret is missing',
    change: { OPERATIONS_PASSWORD_FILE: '/run/secrets/operations_password' },
    expected: ['error variables OPERATIONS_PASSWORD_FILE'],
  },
  {
    title: 'none, with a secret from a file',
    change() {
      const folder = mkdtempSync(join(tmpdir(), 'doctor-secrets-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = join(folder, 'key');
      writeFileSync(file, `${installation.env.TOKEN_ENCRYPTION_KEY}\n`);
      return { TOKEN_ENCRYPTION_KEY: undefined, TOKEN_ENCRYPTION_KEY_FILE: file };
    },
    expected: [],
  },
  {
    title: 'one is misspelled',
    change: { OAUTH_CLIENT_SECERT: 'another-secret-value' },
    expected: ['warning variables OAUTH_CLIENT_SECERT'],
  },
  {
    title: 'one lacks its unit',
    change: { ML_TIMEOUT: '5000' },
    expected: ['warning variables ML_TIMEOUT'],
    says: 'ML_TIMEOUT_MS',
  },
  {
    title: 'one has only its first words',
    change: { TRUST_PROXY: '1' },
    expected: ['warning variables TRUST_PROXY'],
    says: 'TRUST_PROXY_HOPS',
  },
  {
    title: 'one is in small letters',
    change: { session_ttl_hours: '5' },
    expected: ['warning variables session_ttl_hours'],
  },
  {
    title: 'one is called as elsewhere',
    change: { REDIS_HOST: 'redis' },
    expected: ['warning variables REDIS_HOST'],
    says: 'REDIS_URL',
  },
  {
    title: 'a count is true',
    change: { TRUST_PROXY_HOPS: 'true' },
    expected: ['error variables TRUST_PROXY_HOPS'],
    says: 'must be a whole number in digits',
  },
  {
    title: 'a time has a unit',
    change: { ML_TIMEOUT_MS: '5s' },
    expected: ['error variables ML_TIMEOUT_MS'],
    says: 'must be a whole number in digits',
  },
  {
    title: 'a value is that of an example',
    change: { OAUTH_CLIENT_SECRET: 'your-client-secret' },
    expected: ['warning variables OAUTH_CLIENT_SECRET', 'error oauth client OAUTH_CLIENT_SECRET'],
  },
  {
    title: 'nothing put the value of another variable in',
    change: { WORKFLOW_WEBHOOK_URL: 'http://localhost:{{PORT_OF_N8N}}/x' },
    expected: ['error variables WORKFLOW_WEBHOOK_URL', 'warning variables WORKFLOW_WEBHOOK_URL'],
  },
  ...[
    ['ML_TIMEOUT_MS', '900000'],
    ['SESSION_TTL_HOURS', '0.02'],
    ['API_RATE_LIMIT_PER_MINUTE', '1'],
    ['AUTH_RATE_LIMIT_PER_MINUTE', '1'],
    ['SUGGESTIONS_PUBLISH_THRESHOLD', '100000'],
    ['LOG_LEVEL', 'silent'],
    ['DB_HOST', 'another.example.com'],
  ].map(([name = '', value]) => ({
    title: `${name} is ${value}`,
    change: { [name]: value },
    expected: [`warning variables ${name}`],
  })),
  {
    title: 'notifications go to a webhook that is not there',
    change: { NOTIFICATION_WEBHOOK: 'true', WORKFLOW_WEBHOOK_URL: undefined },
    expected: ['warning variables NOTIFICATION_WEBHOOK'],
  },
  {
    title: 'a value is in quotes',
    change: { OAUTH_CLIENT_ID: '"client"' },
    expected: ['warning variables OAUTH_CLIENT_ID', 'error oauth client OAUTH_CLIENT_SECRET'],
  },
  {
    title: 'the encryption key is too short',
    change: { TOKEN_ENCRYPTION_KEY: 'dG9vIHNob3J0IGEga2V5' },
    expected: ['error keys TOKEN_ENCRYPTION_KEY'],
  },
  {
    title: 'the previous key is the present one',
    change: () => ({ TOKEN_ENCRYPTION_KEY_PREVIOUS: installation.env.TOKEN_ENCRYPTION_KEY }),
    expected: ['warning keys TOKEN_ENCRYPTION_KEY_PREVIOUS'],
  },
  {
    title: 'the internal secret is too short',
    change: { INTERNAL_JWT_SECRET: 'too-short-a-secret' },
    expected: ['error keys INTERNAL_JWT_SECRET'],
  },
  {
    title: 'the signing secret of the webhook is no base64',
    change: { WEBHOOK_SIGNING_SECRET: 'whsec_***not-base64***' },
    expected: ['error keys WEBHOOK_SIGNING_SECRET'],
  },
  {
    title: 'the push keys are no pair',
    change: { VAPID_PRIVATE_KEY: Buffer.alloc(32, 7).toString('base64url') },
    expected: ['error push keys VAPID_PRIVATE_KEY'],
  },
  {
    title: 'the push subject is no public address',
    change: { VAPID_SUBJECT: 'mailto:me@localhost' },
    expected: ['error push keys VAPID_SUBJECT'],
  },
]);

describeSetUps('this machine', [
  {
    title: 'another program has the port',
    async change() {
      const { port } = await startServer(200);
      return { OPERATIONS_PORT: String(port) };
    },
    expected: ['error ports OPERATIONS_PORT'],
  },
  {
    title: 'the data folder is a file',
    change() {
      const file = join(tmpdir(), `doctor-${process.pid}`);
      writeFileSync(file, '', { mode: 0o600 });
      return { MAILSWEEP_HOME: join(file) };
    },
    expected: ['error disk MAILSWEEP_HOME'],
  },
]);

describeSetUps('addresses', [
  {
    title: 'http on a public host',
    change: {
      OAUTH_REDIRECT_URI: 'http://mail.example.invalid/auth/idp/callback',
      FRONTEND_ORIGIN: 'http://example.invalid',
    },
    expected: [
      'error addresses OAUTH_REDIRECT_URI',
      'error addresses FRONTEND_ORIGIN',
      'warning public address OAUTH_REDIRECT_URI',
      'warning web app FRONTEND_ORIGIN',
    ],
  },
  {
    title: 'a slash after the redirect URI',
    change: () => ({ OAUTH_REDIRECT_URI: `${installation.env.OAUTH_REDIRECT_URI}/` }),
    expected: ['warning addresses OAUTH_REDIRECT_URI'],
  },
  {
    title: 'another path in the redirect URI',
    change: { OAUTH_REDIRECT_URI: 'http://localhost:3000/callback' },
    expected: ['error variables OAUTH_REDIRECT_URI'],
  },
  {
    title: 'another port in the redirect URI',
    change: async () => ({
      OAUTH_REDIRECT_URI: `http://localhost:${await findFreePort()}/auth/idp/callback`,
    }),
    expected: ['warning addresses OAUTH_REDIRECT_URI'],
  },
  {
    title: 'API and web app on two sites',
    change: { FRONTEND_ORIGIN: 'http://127.0.0.1:5173' },
    expected: [
      'error addresses FRONTEND_ORIGIN',
      'error public address FRONTEND_ORIGIN',
      'error web app FRONTEND_ORIGIN',
    ],
  },
  {
    title: 'a cookie for https alone, on http',
    change: { SESSION_COOKIE_SAMESITE: 'none' },
    expected: ['error addresses SESSION_COOKIE_SAMESITE'],
  },
  {
    title: 'a certificate that nobody trusts',
    async change() {
      const { port } = closeLater(
        await startHttpsServer(['localhost'], (_request, response) => response.end()),
      );
      return {
        OAUTH_REDIRECT_URI: `https://localhost:${port}/auth/idp/callback`,
        PORT: String(port),
        FRONTEND_ORIGIN: 'https://localhost:5173',
      };
    },
    expected: [
      'error ports PORT',
      'error tls OAUTH_REDIRECT_URI',
      'warning tls FRONTEND_ORIGIN',
      'error public address OAUTH_REDIRECT_URI',
      'error web app FRONTEND_ORIGIN',
    ],
  },
  {
    title: 'a proxy that does not pass the path on',
    async change() {
      const { port } = await startServer(404);
      return { OAUTH_REDIRECT_URI: `http://localhost:${port}/auth/idp/callback`, PORT_HTTP: String(port) };
    },
    expected: ['error ports PORT_HTTP', 'error public address OAUTH_REDIRECT_URI', 'error sign-in'],
  },
]);

/** A proxy in front of the API; `change` sees the response before it is passed on. */
const startProxy = async (change: (headers: Headers) => void = () => undefined, forwards = true) =>
  closeLater(
    await listenOnLoopback((request, response) => {
      const { origin, 'mailsweep-doctor': question } = request.headers;
      const headers = {
        ...(forwards && { 'x-forwarded-for': '192.0.2.1' }),
        ...(origin && { origin }),
        ...(typeof question === 'string' && { 'mailsweep-doctor': question }),
      };
      const url = `http://localhost:${installation.env.PORT}${request.url}`;
      void fetch(url, { headers, redirect: 'manual' }).then(async (answer) => {
        const passed = new Headers(answer.headers);
        for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection'])
          passed.delete(name);
        change(passed);
        response.writeHead(answer.status, Object.fromEntries(passed)).end(await answer.text());
      });
    }, 0),
  );

const behindProxy = async (...options: Parameters<typeof startProxy>) => ({
  OAUTH_REDIRECT_URI: `http://localhost:${(await startProxy(...options)).port}/auth/idp/callback`,
});
const OTHER_PORT = 'warning addresses OAUTH_REDIRECT_URI';

/** Has a process hang while the doctor looks. */
const freeze = (name: 'api' | 'worker' | 'ml') => {
  installation.signal(name, 'SIGSTOP');
  onTestFinished(() => void installation.signal(name, 'SIGCONT'));
  return {};
};

/** As FRONTEND_ORIGIN, which the API that runs does not know. */
const asWebApp = (port: number | string) => ({ FRONTEND_ORIGIN: `http://localhost:${port}` });
const OTHER_ORIGIN = 'error public address FRONTEND_ORIGIN';

describeSetUps('what is in front', [
  {
    title: 'one proxy, and none is counted',
    change: () => behindProxy(),
    expected: [OTHER_PORT, 'error public address TRUST_PROXY_HOPS'],
    says: 'Set TRUST_PROXY_HOPS=1.',
  },
  {
    title: 'one proxy, counted',
    change: async () => ({ ...(await behindProxy()), TRUST_PROXY_HOPS: '1' }),
    expected: [OTHER_PORT],
    running: ['error public address OAUTH_REDIRECT_URI', 'error public address TRUST_PROXY_HOPS'],
  },
  {
    title: 'no proxy, and two are counted',
    change: { TRUST_PROXY_HOPS: '2' },
    expected: ['error public address TRUST_PROXY_HOPS'],
    says: 'Clients choose their own address',
  },
  {
    title: 'a proxy that does not tell the client',
    change: () => behindProxy((headers) => headers.set('server', 'nginx'), false),
    expected: [OTHER_PORT, 'error public address TRUST_PROXY_HOPS'],
    says: 'sends no X-Forwarded-For',
  },
  {
    title: 'a proxy that drops cookies',
    change: async () => ({
      ...(await behindProxy((headers) => headers.delete('set-cookie'))),
      TRUST_PROXY_HOPS: '1',
    }),
    expected: [OTHER_PORT, 'error sign-in OAUTH_REDIRECT_URI'],
  },
  {
    title: 'a proxy that sets the headers of CORS, too',
    change: async () => ({
      ...(await behindProxy((headers) => headers.append('access-control-allow-origin', '*'))),
      TRUST_PROXY_HOPS: '1',
    }),
    expected: [OTHER_PORT, OTHER_ORIGIN],
  },
  {
    title: 'the redirect URI is not registered at the provider',
    change: async () => ({
      ...(await behindProxy((headers) => {
        const page = headers.get('location');
        if (page?.includes('redirect_uri='))
          headers.set(
            'location',
            page.replace(/redirect_uri=[^&]*/, 'redirect_uri=http%3A%2F%2Flocalhost%2F'),
          );
      })),
      TRUST_PROXY_HOPS: '1',
    }),
    expected: [OTHER_PORT, 'error sign-in OAUTH_REDIRECT_URI'],
  },
  {
    title: 'nothing is where the web app should be',
    change: async () => asWebApp(await findFreePort()),
    expected: [OTHER_ORIGIN, 'error web app FRONTEND_ORIGIN'],
  },
  {
    title: 'the API is where the web app should be',
    change: () => asWebApp(installation.env.PORT ?? ''),
    expected: [OTHER_ORIGIN, 'error web app FRONTEND_ORIGIN'],
  },
  {
    title: 'another server is where the web app should be',
    change: async () => asWebApp((await startServer(200, { 'content-type': 'application/json' })).port),
    expected: [OTHER_ORIGIN, 'error web app FRONTEND_ORIGIN'],
  },
  {
    title: 'the web app calls another API',
    change: async () => asWebApp(closeLater(await startWebApp('<http://localhost:1>; rel=preconnect')).port),
    expected: [OTHER_ORIGIN, 'error web app API_ORIGIN'],
  },
]);

describeSetUps('what hangs', [
  {
    title: 'the API',
    change: () => freeze('api'),
    expected: ['warning ports PORT', 'error public address OAUTH_REDIRECT_URI'],
  },
  {
    title: 'the worker',
    change: () => freeze('worker'),
    expected: ['warning ports WORKER_PORT', 'error queue REDIS_URL'],
  },
  {
    title: 'the classification service',
    change: () => freeze('ml'),
    expected: ['error classification ML_TIMEOUT_MS'],
  },
]);

describeSetUps('the database', [
  {
    title: 'the password is wrong',
    change: () => ({
      DATABASE_URL: installation.env.DATABASE_URL?.replace('database-password', 'wrong-password'),
    }),
    expected: ['error database DATABASE_URL'],
  },
  {
    title: 'the password is wrong, given in parts',
    change() {
      const { hostname, port, username, pathname } = new URL(installation.env.DATABASE_URL ?? '');
      return {
        DATABASE_URL: undefined,
        DB_HOST: hostname,
        DB_PORT: port,
        DB_USER: username,
        DB_PASSWORD: 'wrong-password',
        DB_NAME: pathname.slice(1),
      };
    },
    expected: ['error database DB_PASSWORD'],
  },
  {
    title: 'nothing is there',
    change: async () => ({
      DATABASE_URL: `postgresql://user:database-password@127.0.0.1:${await findFreePort()}/none`,
    }),
    expected: ['error database DATABASE_URL'],
  },
  {
    title: 'it cannot hold all letters',
    async change() {
      const { url, query } = await createDatabase();
      const name = `doctor_${randomUUID().replaceAll('-', '')}`;
      await query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'`);
      onTestFinished(() => query(`DROP DATABASE ${name} WITH (FORCE)`).then(() => undefined));
      return { DATABASE_URL: Object.assign(new URL(withUser(url)), { pathname: name }).href };
    },
    expected: ['error database DATABASE_URL'],
  },
  {
    title: 'the role may not look into the schema',
    async change() {
      const { url, query } = await createDatabase();
      const role = await createRole(query, 'NOSUPERUSER');
      await query(changeDatabase(`GRANT CONNECT ON DATABASE %I TO ${role.name}`));
      await query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
      return { DATABASE_URL: role.at(url) };
    },
    expected: [
      'error migrations',
      'error rights',
      'error rights REDIS_URL',
      'warning rights',
      'warning processes',
    ],
  },
  {
    title: 'it takes connections and never answers',
    async change() {
      const proxy = closeLater(await openFaultProxy(installation.env.DATABASE_URL ?? ''));
      proxy.freeze();
      return { DATABASE_URL: proxy.url };
    },
    expected: ['error database DATABASE_URL'],
  },
  {
    title: 'a migration is not applied',
    async change() {
      const { url, query } = await createDatabase();
      await query('DELETE FROM schemaversion WHERE version = (SELECT max(version) FROM schemaversion)');
      return { DATABASE_URL: withUser(url) };
    },
    expected: ['error migrations', 'warning processes'],
  },
  {
    title: 'a newer version made it',
    async change() {
      const { url, query } = await createDatabase();
      await query(`INSERT INTO schemaversion (version, name) VALUES (900, 'of_tomorrow')`);
      return { DATABASE_URL: withUser(url) };
    },
    expected: ['error migrations', 'warning processes'],
  },
  {
    title: 'the role may not write',
    async change() {
      const { url, query } = await createDatabase();
      const role = await createRole(query, 'NOSUPERUSER');
      await query(changeDatabase(`GRANT CONNECT, TEMPORARY ON DATABASE %I TO ${role.name}`));
      await query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role.name}`);
      for (const what of ['SCHEMA', 'ALL TABLES IN SCHEMA', 'ALL SEQUENCES IN SCHEMA'])
        await query(`GRANT ALL ON ${what} bullmq TO ${role.name}`);
      return { DATABASE_URL: role.at(url) };
    },
    expected: ['error rights', 'warning processes'],
  },
  {
    title: 'it has become a standby or is read-only for another reason',
    async change() {
      const { url, query } = await createDatabase();
      await query(changeDatabase('ALTER DATABASE %I SET default_transaction_read_only = on'));
      return { DATABASE_URL: withUser(url) };
    },
    expected: ['error database DATABASE_URL'],
  },
  {
    title: 'the role may make no temporary tables',
    async change() {
      const { url, query } = await createDatabase();
      await query(changeDatabase('REVOKE TEMPORARY ON DATABASE %I FROM mailsweep_service'));
      return { DATABASE_URL: withUser(url) };
    },
    expected: ['warning rights', 'warning processes'],
  },
  {
    title: 'the role may not make the tables of the queue',
    async change() {
      const { url, query } = await createDatabase();
      await query('DROP SCHEMA bullmq CASCADE');
      return { DATABASE_URL: withUser(url) };
    },
    expected: ['error rights REDIS_URL', 'warning processes'],
  },
  {
    title: 'the role gets too few connections',
    async change() {
      const { url, query } = await createDatabase();
      const role = await createRole(query, 'IN ROLE mailsweep_service CONNECTION LIMIT 20');
      return { DATABASE_URL: role.at(url) };
    },
    expected: ['warning connections', 'warning processes'],
  },
]);

describeSetUps('processes', [
  {
    title: 'no worker runs',
    async change() {
      const { url } = await createDatabase();
      await connectAs(url, 'mailsweep/api/0.1.0/');
      return { DATABASE_URL: withUser(url) };
    },
    expected: ['error processes'],
  },
  {
    title: 'API and worker have another key than these variables',
    change: { TOKEN_ENCRYPTION_KEY: Buffer.from('another key, of thirty-two bytes').toString('base64') },
    expected: [
      'warning public address TOKEN_ENCRYPTION_KEY',
      'error processes TOKEN_ENCRYPTION_KEY',
      'error processes TOKEN_ENCRYPTION_KEY',
    ],
  },
  {
    title: 'stored tokens were encrypted with another key',
    async change() {
      const { url, database } = await createDatabase();
      const userId = randomUUID();
      await database.user.create({ data: { id: userId, providerSubject: 'ada', email: 'ada@example.com' } });
      const cipher = createTokenCipher({ current: Buffer.alloc(32, 9) });
      const encryptedAccessToken = cipher.encrypt('token', userId);
      const connection = { userId, encryptedAccessToken, accessTokenExpiresAt: new Date(), scope: '' };
      await database.providerConnection.create({ data: connection });
      return { DATABASE_URL: withUser(url) };
    },
    expected: ['warning processes', 'error stored tokens TOKEN_ENCRYPTION_KEY'],
  },
  {
    title: 'the worker is of another version and has no keys',
    async change() {
      const { url } = await createDatabase();
      await connectAs(url, 'mailsweep/api/0.1.0/');
      await connectAs(url, 'mailsweep/worker/0.0.9/');
      return { DATABASE_URL: withUser(url) };
    },
    expected: ['warning processes', 'warning processes TOKEN_ENCRYPTION_KEY'],
  },
]);

/** Has a worker take a job and do this with it, and waits until the job is in the state. */
const workOnJob = async (
  target: { databaseUrl: string; redisUrl?: string },
  state: 'failed' | 'active',
  work: () => Promise<never>,
) => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const backend = await openQueueBackend({ ...target, logger });
  onTestFinished(() => backend.close());
  await backend.addJobs(WEBHOOK_QUEUE, [{ id: 'job-1', name: 'an event', data: {} }]);
  const worker = backend.startWorker(WEBHOOK_QUEUE, work, { concurrency: 1 });
  onTestFinished(async () => void (await worker.close(0)));
  await expect.poll(async () => (await backend.countJobs(WEBHOOK_QUEUE))[state], { timeout: 10_000 }).toBe(1);
};

const failForGood = () => Promise.reject(new PermanentFailureError('it can never succeed'));

/** The worker of the installation has its queue in Postgres. */
const NO_WORKER_THERE = 'error queue REDIS_URL';

describe.skipIf(!hasRedis())('with Redis', () => {
  const withRedis =
    (...settings: string[]) =>
    async () => ({
      REDIS_URL: closeLater(await startRedis(settings)).url,
    });
  describeSetUps('Redis', [
    {
      title: 'it drops jobs when it is full',
      change: withRedis('--maxmemory-policy', 'allkeys-lru'),
      expected: ['error redis REDIS_URL'],
    },
    {
      title: 'it keeps nothing on disk',
      change: withRedis('--appendonly', 'no'),
      expected: ['warning redis REDIS_URL', NO_WORKER_THERE],
    },
    {
      title: 'the password is wrong',
      change: async () => ({
        REDIS_URL: (await withRedis()()).REDIS_URL.replace('redis-password', 'redis-passwort'),
      }),
      expected: ['error redis REDIS_URL'],
    },
    {
      title: 'nothing is there',
      change: async () => ({ REDIS_URL: `redis://127.0.0.1:${await findFreePort()}` }),
      expected: ['error redis REDIS_URL'],
    },
    {
      title: 'its user may not write',
      async change() {
        const { REDIS_URL } = await withRedis()();
        const redis = new Redis(REDIS_URL);
        await redis.acl('SETUSER', 'default', '-@write');
        redis.disconnect();
        return { REDIS_URL };
      },
      expected: ['error redis REDIS_URL'],
    },
    {
      title: 'its user may run no scripts',
      async change() {
        const { REDIS_URL } = await withRedis()();
        const redis = new Redis(REDIS_URL);
        await redis.acl('SETUSER', 'default', '-@scripting');
        redis.disconnect();
        return { REDIS_URL };
      },
      expected: ['error redis REDIS_URL'],
      says: 'right',
    },
    {
      title: 'it is a replica',
      change: async () => ({ REDIS_URL: (await withRedis('--replicaof', '127.0.0.1', '1')()).REDIS_URL }),
      expected: ['error redis REDIS_URL'],
      says: 'replica',
    },
    {
      title: 'it is full',
      change: withRedis('--maxmemory', '100kb'),
      expected: ['error redis REDIS_URL'],
      says: 'memory is full',
    },
    {
      title: 'it has no database of that number',
      change: async () => ({ REDIS_URL: `${(await withRedis()()).REDIS_URL}/99` }),
      expected: ['error redis REDIS_URL'],
      says: 'no database of that number',
    },
    {
      title: 'it is a cluster',
      change: withRedis('--cluster-enabled', 'yes'),
      expected: ['error redis REDIS_URL'],
      says: 'cluster',
    },
    {
      title: 'it is called with TLS, and has none',
      change: async () => ({
        REDIS_URL: (await withRedis()()).REDIS_URL.replace('redis://', 'rediss://'),
      }),
      expected: ['error redis REDIS_URL'],
    },
    {
      title: 'a web server is there',
      change: async () => ({ REDIS_URL: (await startServer(200)).url.replace('http', 'redis') }),
      expected: ['error redis REDIS_URL'],
    },
    {
      title: 'API and worker have their queue in Postgres',
      change: withRedis(),
      expected: [NO_WORKER_THERE],
      running: ['error public address REDIS_URL'],
    },
    {
      title: 'a job has failed for good',
      async change() {
        const { REDIS_URL: redisUrl } = await withRedis()();
        await workOnJob({ databaseUrl: installation.testDatabase.url, redisUrl }, 'failed', failForGood);
        return { REDIS_URL: redisUrl };
      },
      expected: ['warning queue', NO_WORKER_THERE],
    },
    {
      title: 'a worker took a job long ago',
      async change() {
        const { REDIS_URL: redisUrl } = await withRedis()();
        const target = { databaseUrl: installation.testDatabase.url, redisUrl };
        await workOnJob(target, 'active', () => new Promise(() => undefined));
        const redis = new Redis(redisUrl);
        await redis.hset(`mailsweep:${WEBHOOK_QUEUE}:job-1`, 'processedOn', Date.now() - 120_000);
        redis.disconnect();
        return { REDIS_URL: redisUrl };
      },
      expected: ['error queue', NO_WORKER_THERE],
    },
  ]);
});

describeSetUps('the queue', [
  {
    title: 'it is not there yet',
    async change() {
      const { url, query } = await createDatabase();
      await query('DROP SCHEMA bullmq CASCADE; CREATE SCHEMA bullmq AUTHORIZATION mailsweep_service');
      return { DATABASE_URL: withUser(url) };
    },
    expected: ['warning processes'],
  },
  {
    title: 'Postgres lets the role take jobs but add none',
    async change() {
      const { url, query } = await createDatabase();
      await query('REVOKE INSERT ON bullmq.job FROM mailsweep_service');
      return { DATABASE_URL: withUser(url) };
    },
    expected: ['warning processes', 'error queue'],
  },
  {
    title: 'events wait in the outbox',
    async change() {
      const { url, query } = await createDatabase();
      await query(
        `INSERT INTO "User" ("id", "providerSubject", "email") VALUES (gen_random_uuid(), 'a', 'a@example.com')`,
      );
      await query(`INSERT INTO "OutboxEvent" ("id", "type", "userId", "payload", "createdAt")
        SELECT gen_random_uuid(), 'domain.suggestions.confirmed', "id", '{}', now() - interval '1 hour' FROM "User"`);
      return { DATABASE_URL: withUser(url) };
    },
    expected: ['warning processes', 'error queue'],
  },
  {
    title: 'a job in Postgres has failed for good',
    async change() {
      const { url } = await createDatabase();
      await workOnJob({ databaseUrl: url }, 'failed', failForGood);
      return { DATABASE_URL: withUser(url) };
    },
    expected: ['warning processes', 'warning queue'],
  },
  {
    title: 'a watch of which workers died is parked',
    async change() {
      const { url, query } = await createDatabase();
      await query(
        `INSERT INTO "User" ("id", "providerSubject", "email") VALUES (gen_random_uuid(), 'a', 'a@example.com')`,
      );
      await query(
        `INSERT INTO "MailboxWatch" ("userId", "state", "dueAt", "crashes") SELECT "id", 'active', now(), 5 FROM "User"`,
      );
      return { DATABASE_URL: withUser(url) };
    },
    expected: ['warning processes', 'warning queue'],
  },
]);

describeSetUps('Google', [
  {
    title: 'the issuer cannot be reached',
    change: async () => ({ OAUTH_ISSUER: `http://127.0.0.1:${await findFreePort()}` }),
    expected: ['error provider OAUTH_ISSUER'],
  },
  {
    title: 'the issuer is another server',
    change: async () => ({ OAUTH_ISSUER: (await startServer(404)).url }),
    expected: ['error provider OAUTH_ISSUER'],
  },
  {
    title: 'the client secret is wrong',
    change: { OAUTH_CLIENT_SECRET: 'wrong-secret-value' },
    expected: ['error oauth client OAUTH_CLIENT_SECRET'],
  },
  {
    title: 'the client does not exist',
    change: { OAUTH_CLIENT_ID: 'nobody' },
    expected: ['error oauth client OAUTH_CLIENT_SECRET'],
  },
  {
    title: 'the clock is ten minutes wrong',
    async change() {
      const discovery = await (
        await fetch(`${installation.env.OAUTH_ISSUER}/.well-known/openid-configuration`)
      ).json();
      const server = closeLater(
        await listenOnLoopback((_request, response) => {
          response.setHeader('date', new Date(Date.now() + 600_000).toUTCString());
          response.end(JSON.stringify({ ...discovery, issuer: server.url }));
        }, 0),
      );
      return { OAUTH_ISSUER: server.url };
    },
    expected: ['error provider'],
  },
  {
    title: 'Gmail is another server',
    change: async () => ({ GMAIL_BASE_URL: (await startServer(404)).url }),
    expected: ['error gmail GMAIL_BASE_URL'],
  },
]);

describeSetUps('JMAP servers', [
  {
    title: 'each is as it should be',
    change: async () => ({ JMAP_PROVIDERS: await listJmapProviders({}, {}) }),
    expected: [],
  },
  {
    title: 'one has another client',
    change: async () => ({
      JMAP_PROVIDERS: await listJmapProviders({ clientSecret: 'jmap-secret-of-another' }, {}),
    }),
    expected: ['error jmap providers JMAP_PROVIDERS'],
  },
  {
    title: 'one has no authorization server at its issuer',
    change: async () => ({
      JMAP_PROVIDERS: await listJmapProviders({ issuer: (await startServer(404)).url }, {}),
    }),
    expected: ['warning jmap providers JMAP_PROVIDERS'],
  },
  {
    title: 'one has no session there, and another does not run',
    change: async () => ({
      JMAP_PROVIDERS: await listJmapProviders(
        { sessionUrl: (await startServer(404)).url },
        { sessionUrl: `http://127.0.0.1:${await findFreePort()}` },
      ),
    }),
    expected: ['error jmap providers JMAP_PROVIDERS', 'error jmap providers JMAP_PROVIDERS'],
  },
  {
    title: 'one redirects to another origin',
    async change() {
      const sessionUrl = closeLater(await startJmapServer({ users: {} })).sessionUrl;
      const front = await listenOnLoopback((_request, response) => {
        response.writeHead(302, { location: sessionUrl }).end();
      }, 0);
      return { JMAP_PROVIDERS: await listJmapProviders({}, { sessionUrl: closeLater(front).url }) };
    },
    expected: ['error jmap providers JMAP_PROVIDERS'],
  },
  {
    title: 'one is not configured whole',
    change: async () => ({ JMAP_PROVIDERS: await listJmapProviders({ clientId: undefined }, {}) }),
    expected: ['error variables JMAP_PROVIDERS'],
  },
]);

describeSetUps('the classification service', [
  {
    title: 'it does not run',
    change: async () => ({ ML_BASE_URL: `http://127.0.0.1:${await findFreePort()}` }),
    expected: ['error classification ML_BASE_URL'],
  },
  {
    title: 'it has the secret of another installation',
    change: { INTERNAL_JWT_SECRET: 'a-secret-of-another-installation-123' },
    expected: ['error classification INTERNAL_JWT_SECRET'],
  },
  {
    title: 'its address has a path too much',
    change: () => ({ ML_BASE_URL: `${installation.env.ML_BASE_URL}/v1` }),
    expected: ['error classification ML_BASE_URL'],
  },
  {
    title: 'it breaks the contract',
    async change() {
      const service = closeLater(await startClassificationStandIn());
      service.behave((response) => response.writeHead(200).end('<html>hello</html>'));
      return { ML_BASE_URL: service.url };
    },
    expected: ['error classification ML_BASE_URL'],
  },
  {
    title: 'it is too slow',
    async change() {
      const service = closeLater(await startClassificationStandIn());
      service.behave(() => undefined);
      return { ML_BASE_URL: service.url, ML_TIMEOUT_MS: '500' };
    },
    expected: ['error classification ML_TIMEOUT_MS'],
  },
]);

describeSetUps('the shadow classification service', [
  {
    title: 'it does not run',
    change: async () => ({ ML_SHADOW_URL: `http://127.0.0.1:${await findFreePort()}` }),
    expected: ['warning shadow classification ML_SHADOW_URL'],
  },
  {
    title: 'it has another secret',
    change: async () => ({ ML_SHADOW_URL: (await startServer(401)).url }),
    expected: ['warning shadow classification INTERNAL_JWT_SECRET'],
  },
  {
    title: 'it breaks the contract',
    async change() {
      const service = closeLater(await startClassificationStandIn());
      service.behave((response) => response.writeHead(200).end('<html>hello</html>'));
      return { ML_SHADOW_URL: service.url };
    },
    expected: ['warning shadow classification ML_SHADOW_URL'],
  },
  {
    title: 'it never answers',
    async change() {
      const service = closeLater(await startClassificationStandIn());
      service.behave(() => undefined);
      return { ML_SHADOW_URL: service.url };
    },
    expected: ['warning shadow classification ML_SHADOW_URL'],
  },
  {
    title: 'it is the classification service itself',
    change: () => ({ ML_SHADOW_URL: installation.env.ML_BASE_URL }),
    expected: ['warning shadow classification ML_SHADOW_URL'],
  },
  {
    title: 'its address is malformed',
    change: { ML_SHADOW_URL: 'ftp://shadow.example.com' },
    expected: ['error variables ML_SHADOW_URL'],
  },
  {
    title: 'nothing is wrong with it',
    async change() {
      const service = closeLater(await startClassificationStandIn());
      return { ML_SHADOW_URL: service.url };
    },
    expected: [],
  },
]);

describeSetUps('the webhook', [
  {
    title: 'the receiver refuses the signature',
    change() {
      installation.webhook.behave(respondWithStatuses(401));
      onTestFinished(() => installation.webhook.behave());
      return {};
    },
    expected: ['error webhook WEBHOOK_SIGNING_SECRET'],
  },
  {
    title: 'the address redirects',
    change: async () => ({
      WORKFLOW_WEBHOOK_URL: (await startServer(308, { location: 'https://example.com' })).url,
    }),
    expected: ['error webhook WORKFLOW_WEBHOOK_URL'],
  },
  {
    title: 'the address is private and may not be called',
    change: { ALLOW_PRIVATE_ADDRESSES: 'none' },
    expected: ['error webhook ALLOW_PRIVATE_ADDRESSES'],
  },
  {
    title: 'the address is that of cloud metadata',
    change: { WORKFLOW_WEBHOOK_URL: 'http://169.254.169.254/hook' },
    expected: ['error webhook WORKFLOW_WEBHOOK_URL'],
  },
  {
    title: 'the address is that of a test',
    change: () => ({
      WORKFLOW_WEBHOOK_URL: installation.env.WORKFLOW_WEBHOOK_URL?.replace('/hook', '/webhook-test/hook'),
    }),
    expected: ['error webhook WORKFLOW_WEBHOOK_URL'],
    says: 'production address',
  },
  {
    title: 'a web page is there',
    change: async () => ({
      WORKFLOW_WEBHOOK_URL: (await startServer(200, { 'content-type': 'text/html' })).url,
    }),
    expected: ['error webhook WORKFLOW_WEBHOOK_URL'],
    says: 'A web page answers',
  },
  {
    title: 'the receiver is too slow',
    change: async () => ({
      WORKFLOW_WEBHOOK_URL: closeLater(await listenOnLoopback(() => undefined, 0)).url,
    }),
    expected: ['error webhook WORKFLOW_WEBHOOK_URL'],
    says: 'did not answer within',
  },
  {
    title: 'the certificate of the receiver is its own',
    async change() {
      const server = await startHttpsServer(['localhost'], (_request, response) => response.end());
      return { WORKFLOW_WEBHOOK_URL: `https://localhost:${closeLater(server).port}/hook` };
    },
    expected: ['error webhook WORKFLOW_WEBHOOK_URL'],
    says: 'certificate',
  },
  {
    title: 'the receiver does not run',
    change: async () => ({ WORKFLOW_WEBHOOK_URL: `http://127.0.0.1:${await findFreePort()}/hook` }),
    expected: ['error webhook WORKFLOW_WEBHOOK_URL'],
  },
  {
    title: 'calls are not signed',
    change: { WEBHOOK_SIGNING_SECRET: undefined },
    expected: ['warning webhook WEBHOOK_SIGNING_SECRET'],
  },
]);
