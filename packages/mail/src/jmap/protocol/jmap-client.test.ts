import { createFakeAccessTokens } from '@mailsweep/mail/mailbox/testing';
import { describe, expect, it } from 'vitest';
import { setUpClient } from '../testing/test-client.ts';
import type { JmapSession } from './jmap-client.ts';
import { createJmapConnections } from './jmap-connections.ts';
import { JmapMethodError } from './jmap-errors.ts';
import { EmailStateSchema, getEmails, queryEmails, resultOf, setEmails } from './jmap-schemas.ts';

const readState = async ({ send }: JmapSession) => {
  const [{ state }] = await send([getEmails(EmailStateSchema, { ids: [] })]);
  return state;
};

describe('a request', () => {
  it('takes arguments from results of its earlier calls', async () => {
    const { client, server } = await setUpClient();
    const email = server.deliver();
    const [, { list }] = await client.withSession(({ send }) =>
      send([
        queryEmails({ limit: 10 }),
        getEmails(EmailStateSchema, {
          '#ids': resultOf(0, 'Email/query', '/ids'),
          properties: ['mailboxIds', 'keywords'],
        }),
      ]),
    );
    expect(list).toEqual([{ id: email.id, mailboxIds: { inbox: true }, keywords: {} }]);
  });

  it.each([
    ['503', { status: 503 }],
    ['500', { status: 500 }],
    ['a lost response', 'lost'],
    [
      'too many requests at a time',
      { status: 400, body: { type: 'urn:ietf:params:jmap:error:limit', limit: 'maxConcurrentRequests' } },
    ],
    ['a limit without its name', { status: 400, body: { type: 'urn:ietf:params:jmap:error:limit' } }],
  ] as const)('that only reads is repeated after %s', async (_, failure) => {
    const { client, server, clock } = await setUpClient();
    server.intercept(({ methodCalls }) => {
      if (methodCalls === undefined) return undefined;
      server.intercept(() => undefined);
      return failure;
    });
    await client.withSession(readState);
    expect(server.methodsCalled()).toHaveLength(2);
    expect(clock.waitsMs).toEqual([250]);
  });

  it.each([
    [429, undefined],
    [503, undefined],
    [400, { type: 'urn:ietf:params:jmap:error:limit', limit: 'maxConcurrentRequests' }],
  ])('is repeated after as long as a server asks for that responds with %i', async (status, body) => {
    const { client, server, clock } = await setUpClient();
    server.intercept(() => {
      server.intercept(() => undefined);
      return { status, headers: { 'retry-after': '7' }, body };
    });
    await client.withSession(readState);
    expect(clock.waitsMs).toEqual([7_000]);
  });

  it('gives up when the wait is longer than its budget, and says how long the server asked for', async () => {
    const { client, server } = await setUpClient();
    server.intercept(() => ({ status: 429, headers: { 'retry-after': '120' } }));
    await expect(client.withSession(readState)).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 120_000,
    });
    expect(server.requests).toHaveLength(1);
  });

  it('is repeated when one of its methods was not available', async () => {
    const { client, server } = await setUpClient();
    server.beforeMethod(() => {
      server.beforeMethod(() => undefined);
      return 'serverUnavailable';
    });
    await client.withSession(readState);
    expect(server.methodsCalled()).toHaveLength(2);
  });

  it.each([
    ['forbidden', 'forbidden'],
    ['accountReadOnly', 'forbidden'],
    ['accountNotFound', 'mailbox_unavailable'],
    ['unknownMethod', 'failed'],
  ])('with a method that responds with %s fails as %s', async (type, code) => {
    const { client, server } = await setUpClient();
    server.beforeMethod(() => type);
    await expect(client.withSession(readState)).rejects.toMatchObject({ code, type });
    expect(server.methodsCalled()).toHaveLength(1);
  });

  it.each([
    ['invalidArguments', 'invalidArguments'],
    ['urn:example:own', 'urn:example:own'],
    ['a'.repeat(61), 'an error'],
    ['Dear Ada, this is your code: 1234', 'an error'],
    ['line\r\nbreak', 'an error'],
  ])(
    'with a method that responds with %j names server, method and error, of words alone',
    async (type, shown) => {
      const { client, server } = await setUpClient();
      server.beforeMethod(() => type);
      const message = `${new URL(server.origin).host} responded to Email/get with ${shown}`;
      await expect(client.withSession(readState)).rejects.toMatchObject({ code: 'failed', message });
    },
  );

  it('that is refused as a whole names the server, what it was asked, and its error', async () => {
    const { client, server } = await setUpClient();
    const body = { type: 'urn:ietf:params:jmap:error:unknownCapability', detail: 'secret' };
    server.intercept(({ methodCalls }) => (methodCalls ? { status: 400, body } : undefined));
    const { host } = new URL(server.origin);
    await expect(client.withSession(readState)).rejects.toMatchObject({
      code: 'failed',
      message: `${host} responded to Email/get with 400 (${body.type})`,
    });
  });

  it('with a refused token is repeated with a fresh one, once', async () => {
    const { client, server, tokens } = await setUpClient({ token: () => 'token-2' });
    await client.withSession(readState);
    expect(tokens.refused).toEqual(['token-1']);
    server.intercept(() => ({ status: 401 }));
    await expect(client.withSession(readState)).rejects.toMatchObject({ code: 'reauth_required' });
    expect(tokens.refused).toEqual(['token-1', 'token-2']);
  });

  it('fails with what the source of tokens rejects with', async () => {
    const accessTokens = {
      ...createFakeAccessTokens(),
      current: () => Promise.reject(new Error('no database')),
    };
    const { client } = await setUpClient({}, { accessTokens });
    await expect(client.withSession(readState)).rejects.toMatchObject({ code: 'failed' });
  });

  it.each([
    ['is too large', { status: 200, body: 'x'.repeat(2_000) }],
    ['is no JSON', { status: 200, body: '<html>' }],
    ['lacks the response to a method', { status: 200, body: { methodResponses: [] } }],
  ])('whose response %s is not taken', async (_, response) => {
    const { client, server } = await setUpClient({}, { maxResponseBytes: 1_000 });
    server.intercept(({ methodCalls }) => (methodCalls === undefined ? undefined : response));
    await expect(client.withSession(readState)).rejects.toMatchObject({ code: 'mailbox_unavailable' });
  });

  it.each([
    ['limit', { status: 400, body: { type: 'urn:ietf:params:jmap:error:limit', limit: 'maxSizeRequest' } }],
    ['status alone', { status: 413, body: 'Payload Too Large' }],
  ])('that is too large by a %s fails, and the next call reads the limits again', async (_, response) => {
    const { client, server } = await setUpClient();
    server.intercept(({ methodCalls }) => (methodCalls ? response : undefined));
    await expect(client.withSession(readState)).rejects.toMatchObject({ code: 'mailbox_unavailable' });
    server.intercept(() => undefined);
    await client.withSession(readState);
    expect(server.requests.map(({ path }) => path)).toEqual(['/session', '/jmap/', '/session', '/jmap/']);
  });

  it('waits while as many of the user’s are in flight as the server takes', async () => {
    const { client, server } = await setUpClient({ limits: { maxConcurrentRequests: 3 } });
    const third = Promise.withResolvers<undefined>();
    server.intercept(({ methodCalls }) => {
      if (server.methodsCalled().length === 3) third.resolve(undefined);
      return methodCalls && third.promise;
    });
    await client.withSession((session) => Promise.all(Array.from({ length: 10 }, () => readState(session))));
    expect(server.mostInFlight()).toBe(3);
  });

  it('is sent once all processes together have few enough in flight, and says when it has its response', async () => {
    const { slots, connection } = setUpSlots([undefined, 'slot']);
    const { client, server } = await setUpClient({ limits: { maxConcurrentRequests: 3 } }, { connection });
    server.intercept(({ methodCalls }) => {
      if (methodCalls) expect(slots.held).toBe(1);
      return undefined;
    });
    await client.withSession(readState);
    expect(slots.asked).toEqual([
      ['user', 3, 5_000],
      ['user', 3, 5_000],
    ]);
    expect(server.methodsCalled()).toHaveLength(1);
    expect(slots.held).toBe(0);
  });

  it('gives its slot back when its response is lost', async () => {
    const { slots, connection } = setUpSlots(['slot', 'slot']);
    const { client, server } = await setUpClient({}, { connection });
    server.intercept(({ methodCalls }) =>
      methodCalls && server.methodsCalled().length === 1 ? 'lost' : undefined,
    );
    await client.withSession(readState);
    expect(slots.asked).toHaveLength(2);
    expect(slots.held).toBe(0);
  });

  it('fails when the others have too many in flight for too long', async () => {
    const { connection } = setUpSlots([]);
    const { client, server } = await setUpClient({}, { connection });
    await expect(client.withSession(readState)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(server.methodsCalled()).toHaveLength(0);
  });

  it('ends with its signal', async () => {
    const ending = new AbortController();
    const { client } = await setUpClient({}, { signal: ending.signal });
    const reason = new Error('the process ends');
    const work = client.withSession((session) => {
      ending.abort(reason);
      return readState(session);
    });
    await expect(work).rejects.toBe(reason);
  });
});

describe('a change', () => {
  const markRead = (id: string, more: object = {}) =>
    setEmails({ update: { [id]: { 'keywords/$seen': true } }, ...more });

  it('is not repeated when its response is lost', async () => {
    const { client, server } = await setUpClient();
    const email = server.deliver();
    server.intercept(({ methodCalls }) => (methodCalls ? 'lost' : undefined));
    const work = client.withSession(({ change }) => change([markRead(email.id)]));
    await expect(work).rejects.toMatchObject({ code: 'mailbox_unavailable' });
    expect(server.methodsCalled()).toHaveLength(1);
    expect(email.keywords.has('$seen')).toBe(true);
  });

  it('is repeated when the server had too much to do to begin', async () => {
    const { client, server } = await setUpClient();
    const email = server.deliver();
    server.intercept(({ methodCalls }) => {
      if (methodCalls === undefined) return undefined;
      server.intercept(() => undefined);
      return { status: 503 };
    });
    const [result] = await client.withSession(({ change }) => change([markRead(email.id)]));
    expect(result).toMatchObject({ updated: { [email.id]: null } });
  });

  it('gives the result of each of its calls, errors too', async () => {
    const { client, server } = await setUpClient();
    const [one, other] = [server.deliver(), server.deliver()];
    const chained = { '#ifInState': resultOf(0, 'Email/set', '/newState') };
    const results = await client.withSession(({ change }) =>
      change([markRead(one.id), markRead(other.id, chained), markRead(one.id, { ifInState: 'other' })]),
    );
    expect(results[1]).toMatchObject({ updated: { [other.id]: null }, newState: server.state() });
    expect(results[2]).toBeInstanceOf(JmapMethodError);
    expect(results[2]).toMatchObject({ type: 'stateMismatch' });
  });
});

/** Slots of which each is there or taken by other processes; taken when none is named. */
const setUpSlots = (given: ('slot' | undefined)[]) => {
  const slots = { held: 0, asked: [] as unknown[] };
  const connections = createJmapConnections({
    async take(...asked) {
      slots.asked.push(asked);
      if (given.shift() === undefined) return undefined;
      slots.held += 1;
      return async () => {
        slots.held -= 1;
      };
    },
  });
  return { slots, connection: connections.of('user') };
};
