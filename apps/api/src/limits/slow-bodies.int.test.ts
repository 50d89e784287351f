import { once } from 'node:events';
import { connect } from 'node:net';
import { API_ROUTES } from '@mailsweep/contracts';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type ApiClient,
  type ApiHarness,
  createClient,
  createProgram,
  startApi,
} from '../testing/api-harness.ts';

/** Routes beside those of the contracts that read a body. */
const OTHERS_WITH_BODY = [
  'post /auth/logout',
  'post /auth/logout-everywhere',
  'post /auth/token',
  'post /mcp',
  'post /oauth/revoke',
  'post /oauth/token',
];

test('no route holds a slot while a body arrives', { timeout: 120_000 }, async () => {
  const { app, url } = await api.startReplica({}, { slots: 1 });
  const witness = createClient(url, ada.token);
  const routes = listRoutes(app.router as unknown as Routes);
  const asked: { route: string; readStatus: () => number | undefined }[] = [];
  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ');
    const ids = path.replaceAll(/:\w+/g, () => uuidv7());
    asked.push({ route, ...(await beginBody(url, method, ids, await signInFor(route))) });
    const readStatus = async () => (await witness.get('/api/v1/me')).status;
    await expect.poll(readStatus, { message: `after ${route}`, timeout: PATIENCE_MS }).toBe(200);
  }
  // All others respond without the rest of the body. The server gives up on those that waited for ten seconds.
  const withBody = Object.values(API_ROUTES).flatMap((route) =>
    route.method !== 'get' ? [`${route.method} ${route.path.replaceAll(/\{(\w+)\}/g, ':$1')}`] : [],
  );
  const listWaiting = () =>
    asked.flatMap(({ route, readStatus }) => ([undefined, 408].includes(readStatus()) ? [route] : []));
  await expect.poll(() => listWaiting().toSorted()).toEqual([...withBody, ...OTHERS_WITH_BODY].toSorted());
  expect(asked.map(({ readStatus }) => readStatus())).not.toContain(503);
});

test('hundreds of slow bodies from many addresses keep nobody out', async () => {
  const { url } = await api.startReplica({ TRUST_PROXY_HOPS: '1' }, { slots: 50 });
  const witness = createClient(url, ada.token);
  const slow = await Promise.all(
    Array.from({ length: 240 }, (_, index) =>
      beginBody(url, 'post', '/oauth/token', { 'x-forwarded-for': `192.0.2.${index % 20}` }),
    ),
  );
  for (let time = 0; time < 10; time += 1) await witness.get('/api/v1/me').expect(200);
  expect(slow.map(({ readStatus }) => readStatus())).toEqual(Array(240).fill(undefined));
});

test.each([
  ['session', async () => ({ cookie: ada.cookie }), () => ada.post('/auth/logout-everywhere')],
  [
    'token',
    async () => ({ authorization: program.authorization }),
    () => ada.delete(`/api/v1/me/tokens/${program.id}`),
  ],
] as const)('a body that comes after its %s has ended changes nothing', async (_kind, readHeaders, endIt) => {
  ada = await api.signIn();
  program = await createProgram(api.url, ada);
  const headers = await readHeaders();
  let probes = 0;
  const countLeft = async () => {
    const response = await fetch(`${api.url}/api/v1/me`, { headers });
    probes += 1;
    return Number(response.headers.get('ratelimit-remaining')) + probes;
  };
  const left = await countLeft();
  const late = await beginBody(api.url, 'post', '/api/v1/protections', headers);
  // Requests that were let through count.
  await expect.poll(countLeft).toBe(left - 1);
  await endIt().expect(204);
  late.end('"name":"boss@example.com"}');
  await expect.poll(late.readStatus).toBe(401);
  expect(await api.testDatabase.query('SELECT FROM "Protection"')).toEqual([]);
});

const BODY_LENGTH = 100;
/** Sooner than the server gives up on a slow body. */
const PATIENCE_MS = 5_000;

/** What the test reads of a router. */
interface Routes {
  stack: {
    rawPath: string | string[];
    route?: { path: string | string[]; methods: Record<string, boolean> };
    handle: Partial<Routes>;
  }[];
}

/** All routes of an app, such as `post /oauth/token`, however deep their routers are. */
const listRoutes = ({ stack = [] }: Partial<Routes>, prefix = ''): string[] =>
  stack.flatMap(({ rawPath, route, handle }) => {
    if (route === undefined) {
      return [rawPath].flat().flatMap((path) => listRoutes(handle, prefix + path.replace(/\/$/, '')));
    }
    const methods = Object.keys(route.methods).map((method) => (method === '_all' ? 'put' : method));
    return [route.path].flat().flatMap((path) => methods.map((method) => `${method} ${prefix}${path}`));
  });

/** The header of a session, or token, of its own, which the route may end. */
const signInFor = async (route: string): Promise<Record<string, string>> => {
  if (route.startsWith('get ')) return { cookie: ada.cookie };
  const grace = await api.signIn('grace@example.com');
  if (!route.endsWith(' /mcp')) return { cookie: grace.cookie };
  return { authorization: (await createProgram(api.url, grace)).authorization };
};

/** Sends a request with the first byte of its body; the status of its response is undefined until there is one. */
const beginBody = async (url: string, method: string, path: string, headers: Record<string, string>) => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes;
  });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const type = path.startsWith('/oauth/') ? 'application/x-www-form-urlencoded' : 'application/json';
  const head = { host: 'localhost', 'content-type': type, 'content-length': String(BODY_LENGTH), ...headers };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method.toUpperCase()} ${path} HTTP/1.1\r\n${lines.join('')}\r\n{`);
  return {
    readStatus: () => (received === '' ? undefined : Number(received.split(' ')[1])),
    /** Sends the rest of the body, whose first byte was `{`. */
    end: (rest: string) => void socket.write(rest.padEnd(BODY_LENGTH - 1)),
  };
};

let api: ApiHarness;
let ada: ApiClient;
let program: Awaited<ReturnType<typeof createProgram>>;
beforeAll(async () => {
  api = await startApi({ limits: { inFlightPerAddress: 10_000, inFlightPerUser: 10_000 } });
  ada = await api.signIn();
});
afterAll(() => api.close());
