import { createECDH, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { type ApiDescription, listOperations, type Operation } from './fuzzing/api-description.ts';
import { toTooLarge } from './fuzzing/change-body.ts';
import { describeRequest, type FuzzedRequest, withoutQuery } from './fuzzing/fuzzed-request.ts';
import { createJudge } from './fuzzing/judge-response.ts';
import { exchangeRaw, type RawResponse } from './fuzzing/raw-exchange.ts';
import { createRequestArbitrary, createValidRequestArbitrary } from './fuzzing/request-arbitrary.ts';
import { ask } from './harness/ask.ts';
import { byForm, eventually, openRow } from './harness/campaign.ts';
import { explainFailure, type FaultStack, startFaultStack, type User } from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';
import { INSPECTED, openInspector } from './harness/process-inspector.ts';
import { sessionIdOf } from './harness/session-id.ts';

/** How many requests are made up, over all operations. */
const REQUESTS = byForm(500, 10_000);
const GRACE = 'grace@example.com';
const HEIDI = 'heidi@example.com';
/** Part of everything that belongs to another user. */
const FOREIGN = 'of-grace';
/** One user for each operation: what some do to a session or an account must not get into the others' way. */
const USERS = Array.from({ length: 100 }, (_, index) => `user-${index + 1}@example.com`);

/** What a browser tells to be notified; any point of the curve will do for the key of the API, too. */
const createPublicKey = (): string => createECDH('prime256v1').generateKeys('base64url');
const toSubscription = (email: string) => ({
  endpoint: `https://push.example/${email}`,
  keys: { p256dh: createPublicKey(), auth: randomBytes(16).toString('base64url') },
});

/** Emails of a mailing list. */
const listMails = (prefix: string) =>
  mails(7, prefix).map((mail) => ({
    ...mail,
    headers: [{ name: 'List-Unsubscribe', value: '<https://shop.example/leave>' }],
  }));

/** How many requests to each operation are sent as the document describes them, before all others. */
const GOOD_REQUESTS = 24;
/** The same for each id that a path could take: requests with one id hardly differ, unless they have a body. */
const GOOD_REQUESTS_PER_ID = 2;
const UUID = /^[0-9a-f-]{36}$/;
const ADDRESS = /^[^@/]+@[^@/]+$/;
/** How often a request is sent that the API has no time for. */
const ATTEMPTS = 5;
/** How many operations are tried at the same time. */
const LANES = 3;

const row = openRow('R13');

describe('R13 whatever is sent to a route of the API’s own document', () => {
  it('gets what the document says, reveals no internals and no data of other users, and does no harm', async () => {
    explainFailure(stack);
    const inspector = await openInspector(stack.api);
    onTestFinished(() => inspector.close());
    const pidBefore = stack.api.pid();
    const prototypeBefore = await inspector.evaluate('Object.getOwnPropertyNames(Object.prototype).join()');
    const description = (await ask(`${stack.api.url}/openapi.json`)).body as ApiDescription;
    const operations = listOperations(description);
    const judge = createJudge(description, [FOREIGN, graceUserId]);

    /** @returns the statuses of the responses */
    const fuzz = async (operation: Operation, index: number): Promise<Set<number>> => {
      const statuses = new Set<number>();
      const email = USERS[index] ?? '';
      // Every other operation that takes a personal access token gets one.
      const signIn = () =>
        operation.takesToken && index % 2 === 1 ? stack.signInProgram(email) : stack.signIn(email);
      const knownTexts = await prepare(await stack.signIn(email));
      let user = await signIn();
      const requests = createRequestArbitrary(description, operation, knownTexts);
      // Good ones first: chance alone might make up none that the route lets through.
      const differs = !takesId(operation) || operation.bodySchema !== undefined;
      const numRuns = differs ? GOOD_REQUESTS : GOOD_REQUESTS_PER_ID;
      const examples = toKnownSets(operation, knownTexts).flatMap((known) =>
        fc.sample(createValidRequestArbitrary(description, operation, known), {
          numRuns,
          seed: inject('faultsSeed'),
        }),
      );
      await fc.assert(
        fc.asyncProperty(requests, async (request) => {
          const response = await sendUntilServed(request, user);
          row.ran();
          statuses.add(response?.status ?? 0);
          const faults = judge(request, response);
          if (faults.length > 0) throw new Error(toReport(request, response, faults));
          if (hasChangedSomething(operation, response) && (await user.ask('/api/v1/me')).status === 401) {
            // To end a session is what some requests are for.
            user = await signIn();
          }
        }),
        {
          numRuns: Math.max(Math.ceil(REQUESTS / operations.length), examples.length + 2),
          seed: inject('faultsSeed'),
          examples: [
            ...examples.slice(0, 1).flatMap((request) => [toTooLarge(request), withoutQuery(request)]),
            ...examples,
          ].map((request) => [request]),
          endOnFailure: true,
        },
      );
      return statuses;
    };

    expect(operations.length).toBeLessThanOrEqual(USERS.length);
    const waiting = [...operations.entries()];
    const runLane = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, operation] = next;
        const statuses = await fuzz(operation, index);
        // The route was really reached: some of its requests were good.
        const isReached = [...statuses].some((status) => status >= 200 && status < 400);
        // Neither forms nor tokens of a mail server are made up here: those operations have tests of their own.
        if (!operation.takesForm && operation.path !== '/auth/token')
          expect(isReached, `${operation.name} responded with ${[...statuses].join()}`).toBe(true);
      }
    };
    await Promise.all(Array.from({ length: LANES }, runLane));

    expect(await inspector.evaluate('Object.getOwnPropertyNames(Object.prototype).join()')).toBe(
      prototypeBefore,
    );
    expect(await inspector.evaluate('Object.keys(Object.prototype)')).toEqual([]);
    expect(stack.api.pid()).toBe(pidBefore);
    expect((await ask(`${stack.api.url}/api/v1/health`)).status).toBe(200);
    const errors = stack.readLogs().filter((line) => /"level":[56]0/.test(line));
    expect(errors.filter((line) => !/"database_unavailable"|"statusCode":503/.test(line))).toEqual([]);
  });

  it('gets it, or 503 with a time to come back, from a database that takes no writes', async () => {
    explainFailure(stack);
    const knownTexts = await prepare(await stack.signIn(HEIDI));
    const [user, program] = [await stack.signIn(HEIDI), await stack.signInProgram(HEIDI)];
    const description = (await ask(`${stack.api.url}/openapi.json`)).body as ApiDescription;
    const change = (words: string) =>
      stack.query(`DO $$ BEGIN
        EXECUTE format('ALTER ROLE mailsweep_service IN DATABASE %I ${words}', current_database());
        PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND usename = 'mailsweep_service';
      END $$`);
    await change('SET default_transaction_read_only = on');
    const askHealth = async () => (await ask(`${stack.api.url}/api/v1/health/db`)).status;
    onTestFinished(async () => {
      await change('RESET default_transaction_read_only');
      await eventually(async () => expect(await askHealth()).toBe(200));
    });
    await eventually(async () => expect(await askHealth()).toBe(503));
    const faults: string[] = [];
    for (const operation of listOperations(description)) {
      const requests = toKnownSets(operation, knownTexts).flatMap((known) =>
        fc.sample(createValidRequestArbitrary(description, operation, known), {
          numRuns: takesId(operation) && operation.bodySchema === undefined ? 1 : GOOD_REQUESTS,
          seed: inject('faultsSeed'),
        }),
      );
      const statuses = new Set<number>();
      for (const [index, request] of [...requests.slice(0, 1).map(withoutQuery), ...requests].entries()) {
        const caller = operation.takesToken && index % 2 === 1 ? program : user;
        const { status = 0, headers = {}, body = '' } = (await send(request, caller)) ?? {};
        row.ran();
        statuses.add(status);
        const isRefused = status === 503 && Number(headers['retry-after']) > 0;
        // Nobody's session or token is unknown for that.
        const isServed = status > 0 && status < 500 && !(status === 401 && operation.isAuthenticated);
        if (!isRefused && !isServed)
          faults.push(`${describeRequest(request)}: ${status} ${body.slice(0, 300)}`);
      }
      const isReached = [...statuses].some((status) => status === 503 || status < 400);
      if (!operation.takesForm && operation.path !== '/auth/token')
        expect(isReached, `${operation.name} responded with ${[...statuses].join()}`).toBe(true);
    }
    expect(faults).toEqual([]);
  });

  let stack: FaultStack;
  let graceUserId: string;
  beforeAll(async () => {
    stack = await startFaultStack({
      workers: 0,
      apiEnv: { ...INSPECTED, VAPID_PUBLIC_KEY: createPublicKey() },
      mail: {
        [GRACE]: mails(7, `mail-${FOREIGN}`).map((mail) => ({ ...mail, text: `Text ${FOREIGN}` })),
        [HEIDI]: listMails('mail-heidi'),
        ...Object.fromEntries(USERS.map((email, index) => [email, listMails(`mail-${index}`)])),
      },
    });
    const grace = await stack.signIn(GRACE);
    graceUserId = grace.userId;
    await prepare(grace);
  });

  /**
   * A machine with much else to do may keep the database from responding in time, whatever was asked. A fault that
   * the request itself brings about comes again.
   */
  const sendUntilServed = async (request: FuzzedRequest, user: User): Promise<RawResponse | null> => {
    let response = await send(request, user);
    for (let attempts = 1; response?.status === 503 && attempts < ATTEMPTS; attempts += 1) {
      await sleep(attempts * 1_000);
      response = await send(request, user);
    }
    return response;
  };

  const send = (request: FuzzedRequest, user: User): Promise<RawResponse | null> => {
    const isIdentified = request.headers.some(([name]) => name === 'cookie' || name === 'authorization');
    const headers = [
      ['host', new URL(stack.api.url).host],
      ['connection', 'close'],
      ...(isIdentified ? [] : Object.entries(user.headers)),
      ...(request.body.length === 0 ? [] : [['content-length', String(request.body.length)]]),
      ...request.headers,
    ];
    const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    const start = Buffer.from(`${request.method} ${request.target} HTTP/1.1\r\n${head}\r\n`, 'latin1');
    return exchangeRaw(stack.api.url, Buffer.concat([start, request.body]), {
      isWhole: request.mutation !== 'protocol',
    });
  };
});

/** Gives a user suggestions, a history, a scan, cleanups in several states, a rule, a token and a browser to notify; returns the ids that requests can reach something with. */
const prepare = async (user: User): Promise<string[]> => {
  const { emails } = (await user.ask('/api/v1/suggestions')).body;
  const emailIds = emails.map((email: { id: string }) => email.id) as string[];
  for (const json of [
    { emailIds: emailIds.slice(0, 2), action: 'accept' },
    // Three in a row, so that this is no longer suggested.
    { emailIds: emailIds.slice(2, 5), action: 'reject' },
  ]) {
    expect((await user.ask('/api/v1/notifications/confirm', { json })).status).toBe(200);
  }
  const [stopped] = (await user.ask('/api/v1/suggestions/stopped')).body.data;
  const { data } = (await user.ask('/api/v1/notifications/history')).body;
  const { emails: listed } = (await user.ask('/api/v1/emails?scope=all')).body;
  const { data: senders } = (await user.ask('/api/v1/senders')).body;
  const scan = await user.ask('/api/v1/scans', { json: {} });
  expect([200, 202]).toContain(scan.status);
  const [sender] = senders.map(({ id }: { id: string }) => id);
  const condition = { type: 'sender', sender };
  const rule = await user.ask('/api/v1/rules', { json: { condition, olderThan: 0, action: 'archive' } });
  expect(rule.status).toBe(200);
  const subscription = toSubscription(user.email);
  const subscribed = await user.ask('/api/v1/push/subscriptions', { json: subscription });
  expect(subscribed.status).toBe(200);
  const token = await user.ask('/api/v1/me/tokens', { json: { name: 'Script', scope: 'read' } });
  expect(token.status).toBe(200);
  return [
    ...(await prepareCleanups(user)),
    await askForToken(user),
    rule.body.id,
    token.body.id,
    stopped.id,
    subscription.endpoint,
    ...Object.values(subscription.keys),
    subscribed.body.id,
    ...emailIds,
    ...listed.map((email: { threadId: string }) => email.threadId),
    'mail-unknown',
    user.userId,
    user.email,
    sessionIdOf(user),
    scan.body.id,
    ...data.map((record: { id: string }) => record.id),
    sender,
    data[0].batchId,
  ];
};

/** Has a program ask for a token; returns the id of its request, which the user was shown and has not decided. */
const askForToken = async (user: User): Promise<string> => {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'mailsweep-cli',
    redirect_uri: 'http://127.0.0.1:1/callback',
    state: 'x'.repeat(32),
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    scope: 'read',
  });
  const { headers } = await user.ask(`/oauth/authorize?${query}`);
  const id = new URL(String(headers.location)).searchParams.get('request') ?? '';
  // Only who was shown it can decide.
  expect((await user.ask(`/api/v1/me/authorizations/${id}`)).status).toBe(200);
  return id;
};

/** Plans three cleanups, runs two of them and pauses one of these; returns their ids. */
const prepareCleanups = async (user: User): Promise<string[]> => {
  const json = { action: 'archive', selection: { type: 'filter' } };
  const ids: string[] = [];
  for (const commands of [[], ['run'], ['run', 'pause']]) {
    const { body } = await user.ask('/api/v1/cleanups', { json });
    for (const command of commands) {
      expect((await user.ask(`/api/v1/cleanups/${body.id}/${command}`, { json: {} })).status).toBe(200);
    }
    ids.push(body.id);
  }
  return ids;
};

/** What good requests know: where the path takes an id, each id alone; elsewhere everything, and their address alone. */
const toKnownSets = (operation: Operation, knownTexts: string[]): string[][] =>
  takesId(operation)
    ? knownTexts.filter((text) => isIdFor(operation, text)).map((text) => [text])
    : [knownTexts, knownTexts.filter((text) => ADDRESS.test(text))];

/** Our own ids are UUIDs, those of Gmail are not. */
const isIdFor = ({ parameters }: Operation, text: string): boolean =>
  UUID.test(text) === parameters.some((one) => one.in === 'path' && one.schema.format === 'uuid');

const takesId = ({ parameters }: Operation): boolean =>
  parameters.some((parameter) => parameter.in === 'path');

const hasChangedSomething = (operation: Operation, response: RawResponse | null): boolean =>
  operation.method !== 'GET' && response !== null && response.status < 300;

const toReport = (request: FuzzedRequest, response: RawResponse | null, faults: string[]): string =>
  [
    ...faults,
    describeRequest(request),
    `response ${response?.status ?? 'by closing'}: ${response?.body.slice(0, 1_000) ?? ''}`,
    `the whole run again: FAULTS_SEED=${inject('faultsSeed')}`,
  ].join('\n');
