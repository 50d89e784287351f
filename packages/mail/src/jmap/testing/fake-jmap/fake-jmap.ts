import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CORE, type JmapLimits, MAIL } from '../../protocol/jmap-schemas.ts';
import { createFakeAccount, type FakeTraits } from './fake-account.ts';
import { createFakeEventSource } from './fake-event-source.ts';
import { createFakeMethods, FakeMethodError } from './fake-methods.ts';

type Arguments = Record<string, unknown>;
type Invocation = [name: string, args: Arguments, id: string];

/** One request, as the fake server received it. */
export interface FakeRequest {
  path: string;
  token: string | undefined;
  /** Of the body, in bytes. */
  size: number;
  /** Undefined of a request for the session resource. */
  methodCalls?: Invocation[];
}

/** A response in place of the fake's own; `lost` carries the request out, then drops the connection. */
export type FakeResponse = { status: number; body?: unknown; headers?: Record<string, string> } | 'lost';

export interface FakeJmapOptions extends FakeTraits {
  limits?: Partial<JmapLimits>;
  /** Replaces what the session resource says. */
  session?: Record<string, unknown>;
  /** The only token that is taken; any by default. */
  token?: () => string;
}

const ACCOUNT_ID = 'account';

const TOO_LARGE: Exclude<FakeResponse, 'lost'> = {
  status: 400,
  body: { type: 'urn:ietf:params:jmap:error:limit', limit: 'maxSizeRequest' },
};

/** Puts values of earlier responses in place of references to them (RFC 8620, 3.7). */
const resolve = (args: Arguments, responses: readonly Invocation[]): Arguments =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (!name.startsWith('#')) return [name, value];
      const { resultOf, name: method, path } = value as { resultOf: string; name: string; path: string };
      const [, source] = responses.find(([other, , id]) => id === resultOf && other === method) ?? [];
      if (source === undefined) throw new FakeMethodError('invalidResultReference');
      return [name.slice(1), readPath(source, path.split('/').slice(1))];
    }),
  );

const readPath = (value: unknown, [step, ...rest]: string[]): unknown => {
  if (step === undefined) return value;
  if (step === '*') return (value as unknown[]).flatMap((item) => readPath(item, rest));
  return readPath((value as Arguments)[step], rest);
};

/** A JMAP server with one account in memory, on a free port of this machine. */
export const startFakeJmap = async (options: FakeJmapOptions = {}) => {
  const events = createFakeEventSource();
  const account = createFakeAccount({
    ...options,
    onChange: (state) =>
      events.send('state', { '@type': 'StateChange', changed: { [ACCOUNT_ID]: { Email: state } } }),
  });
  const call = createFakeMethods(account, options);
  const limits = {
    maxSizeRequest: 10_000_000,
    maxConcurrentRequests: 4,
    maxCallsInRequest: 16,
    maxObjectsInGet: 500,
    maxObjectsInSet: 500,
    ...options.limits,
  };
  const requests: FakeRequest[] = [];
  let intercept: (request: FakeRequest) => FakeResponse | undefined | Promise<FakeResponse | undefined> =
    () => undefined;
  let afterMethods: (responses: Invocation[]) => unknown = (responses) => responses;
  let beforeMethod: (name: string, args: Arguments) => string | undefined = () => undefined;
  let inFlight = 0;
  let mostInFlight = 0;

  const toSession = (): Arguments => ({
    capabilities: { [CORE]: limits, [MAIL]: {} },
    accounts: {
      [ACCOUNT_ID]: {
        name: 'ada',
        isPersonal: true,
        isReadOnly: false,
        accountCapabilities: { [MAIL]: {} },
      },
    },
    primaryAccounts: { [MAIL]: ACCOUNT_ID },
    apiUrl: '/jmap/',
    eventSourceUrl: '/events?types={types}&closeafter={closeafter}&ping={ping}',
    state: 's1',
    ...options.session,
  });

  const tooMany = (name: string, args: Arguments): boolean => {
    const gets = name.endsWith('/get') && Array.isArray(args.ids) ? args.ids.length : 0;
    const sets = name.endsWith('/set') ? Object.keys(args.update ?? {}).length : 0;
    return gets > limits.maxObjectsInGet || sets > limits.maxObjectsInSet;
  };

  const carryOut = (calls: readonly Invocation[]): Invocation[] => {
    const responses: Invocation[] = [];
    for (const [name, args, id] of calls) {
      try {
        if (args.accountId !== ACCOUNT_ID) throw new FakeMethodError('accountNotFound');
        const resolved = resolve(args, responses);
        if (tooMany(name, resolved)) throw new FakeMethodError('requestTooLarge');
        const type = beforeMethod(name, resolved);
        if (type !== undefined) throw new FakeMethodError(type);
        responses.push([name, { accountId: ACCOUNT_ID, ...call(name, resolved) }, id]);
      } catch (error) {
        if (!(error instanceof FakeMethodError)) throw error;
        responses.push(['error', { type: error.type }, id]);
      }
    }
    return responses;
  };

  const respond = (request: FakeRequest): Exclude<FakeResponse, 'lost'> => {
    if (options.token !== undefined && request.token !== options.token()) return { status: 401 };
    const { methodCalls } = request;
    if (methodCalls === undefined) return { status: 200, body: toSession() };
    if (methodCalls.length > limits.maxCallsInRequest) {
      return { status: 400, body: { type: 'urn:ietf:params:jmap:error:limit', limit: 'maxCallsInRequest' } };
    }
    const { state } = toSession();
    return {
      status: 200,
      body: { methodResponses: afterMethods(carryOut(methodCalls)), sessionState: state },
    };
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(incoming);
    const request: FakeRequest = {
      path: incoming.url ?? '',
      token: incoming.headers.authorization?.replace('Bearer ', ''),
      size: Buffer.byteLength(body),
      ...(body !== '' && { methodCalls: (JSON.parse(body) as { methodCalls: Invocation[] }).methodCalls }),
    };
    requests.push(request);
    const intercepted = await intercept(request);
    if (intercepted === 'lost') {
      respond(request);
      incoming.socket.destroy();
      return;
    }
    const isListening = intercepted === undefined && request.path.startsWith('/events?');
    if (isListening && (options.token === undefined || request.token === options.token())) {
      events.open(response);
      return;
    }
    const isTooLarge = request.size > limits.maxSizeRequest;
    const { status, headers, body: sent } = intercepted ?? (isTooLarge ? TOO_LARGE : respond(request));
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof sent === 'string' ? sent : JSON.stringify(sent ?? {}));
  };

  const server = createServer((incoming, response) => {
    inFlight += 1;
    mostInFlight = Math.max(mostInFlight, inFlight);
    response.once('close', () => {
      inFlight -= 1;
    });
    void handle(incoming, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    ...account,
    events,
    origin,
    sessionUrl: `${origin}/session`,
    requests,
    /** The requests with method calls: the names of each one's calls. */
    methodsCalled: (): string[][] =>
      requests.flatMap(({ methodCalls }) => (methodCalls ? [methodCalls.map(([name]) => name)] : [])),
    /** Most requests that were in flight at once. */
    mostInFlight: () => mostInFlight,
    /** Responds to requests in place of the fake, unless `next` gives undefined. */
    intercept(next: typeof intercept): void {
      intercept = next;
    },
    /** Looks at each method call before it is carried out; may give the type of an error to respond with. */
    beforeMethod(next: typeof beforeMethod): void {
      beforeMethod = next;
    },
    /** Changes the responses to the method calls of a request before they are sent. */
    afterMethods(next: typeof afterMethods): void {
      afterMethods = next;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** A running fake server. */
export type FakeJmap = Awaited<ReturnType<typeof startFakeJmap>>;
