import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createListener } from 'node:net';
import { startHttpsServer } from '@mailsweep/service-kit/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type ApiClient, type ApiHarness, FRONTEND_ORIGIN, startApi } from '../../testing/api-harness.ts';
import { createOAuthProgram, ISSUER } from '../../testing/oauth-program.ts';

const HOST = 'app.example';
const INTERNAL_HOST = 'metadata.example';
const CALLBACK = 'https://app.example/callback';

describe('a client with a document', () => {
  test('is shown by its name and hosts, and told of the decision', async () => {
    const program = serve({ client_name: '  Mail\u202e Assistant ' });
    const path = await program.ask(ada, { scope: 'admin', resource: `${ISSUER}/mcp` });
    expect((await ada.get(path).expect(200)).body).toMatchObject({
      client: { name: 'Mail Assistant', host: `${HOST}:${server.port}` },
      redirectHost: 'app.example',
      scope: 'admin',
      audience: 'mcp',
    });
    const { body } = await ada.post(`${path}/allow`, {}).expect(200);
    const redirect = new URL(body.redirectTo);
    expect(`${redirect.origin}${redirect.pathname}`).toBe(CALLBACK);
    await program.exchange(redirect.searchParams.get('code') ?? '').expect(200);
  });

  test('may be on this computer, at any port', async () => {
    const uri = 'http://localhost:50001/done';
    const program = serve({ redirect_uris: ['http://localhost/done'] }, { redirect_uri: uri });
    const path = await program.ask(ada);
    expect((await ada.get(path)).body.redirectHost).toBeNull();
  });

  test('that renews its token is given a refresh token', async () => {
    const program = serve({ grant_types: ['authorization_code', 'refresh_token'] });
    const { body } = await program.exchange(await program.getCode(ada)).expect(200);
    expect(body.refresh_token).toMatch(/^msr_/);
  });

  test('may prefer to sign with a key, as ChatGPT does, where it can do without', async () => {
    // chatgpt.com/oauth/client.json, as jazzband/django-oauth-toolkit#1857 quotes it.
    const program = serve({
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    });
    await program.exchange(await program.getCode(ada)).expect(200);
  });

  test('may be served by this computer, if the API is there, too', async () => {
    const local = createServer((request, response) => {
      const client_id = `http://127.0.0.1:${port}${request.url}`;
      json(response).end(JSON.stringify({ client_id, client_name: 'Mine', redirect_uris: [CALLBACK] }));
    }).listen(0, '127.0.0.1');
    await once(local, 'listening');
    const { port } = local.address() as AddressInfo;
    onTestFinished(() => void local.close());
    const open = (id: string, url = api.url) =>
      createOAuthProgram(url, { client_id: id, redirect_uri: CALLBACK }).open();
    expect((await open(`http://127.0.0.1:${port}/c.json`)).searchParams.has('request')).toBe(true);
    expect((await open('http://app.example/c.json')).href).toBe(unknownClient('invalid_id'));
    const elsewhere = await api.startReplica({
      OAUTH_REDIRECT_URI: 'https://mail.example/auth/idp/callback',
    });
    const page = await open(`http://127.0.0.1:${port}/c.json`, elsewhere.url);
    expect(page.href).toBe(unknownClient('invalid_id'));
  });

  test('has its document requested once for a while, also where there is none', async () => {
    const program = serve({});
    await Promise.all([program.open(), program.open(), program.open()]);
    await program.open();
    expect(requests).toBe(1);
    const missing = serve((response) => response.writeHead(404).end());
    for (let time = 0; time < 3; time += 1)
      expect((await missing.open()).href).toBe(unknownClient('unreachable'));
    expect(requests).toBe(2);
  });

  test('is not told of a wrong request: nobody is sent elsewhere from our address without being asked', async () => {
    expect((await serve({}).open({ scope: 'everything' })).href).toBe(errorPage('invalid_request'));
  });
});

describe('nobody is a client', () => {
  test('whose document names another id, as page and log say', async () => {
    const page = await serve({ client_id: 'https://other.example/client.json' }).open();
    expect(page.href).toBe(unknownClient('other_id'));
    expect(api.logLines.join('')).toContain('"reason":"other_id"');
  });

  test.each<[string, object]>([
    ['whose document names none', { client_id: undefined }],
    ['without a name', { client_name: '\u200b' }],
    ['with a name without end', { client_name: 'x'.repeat(101) }],
    ['without redirect URIs', { redirect_uris: undefined }],
    ['with a secret', { client_secret: 'secret' }],
    ['that wants to show a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    [
      'that takes nothing but a key',
      {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['private_key_jwt'],
      },
    ],
    ['with a large document', { logo: 'x'.repeat(10_001) }],
  ])('%s', async (_what, fields) => {
    const { href } = await serve(fields).open();
    expect([unknownClient('invalid'), unknownClient('unreachable')]).toContain(href);
  });

  test.each<[string, (response: ServerResponse) => unknown]>([
    ['whose document is no JSON', (response) => json(response).end('<html>')],
    [
      'whose document has another type',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('{}'),
    ],
    ['who redirects', (response) => response.writeHead(302, { location: `https://${HOST}/` }).end()],
    ['who does not respond', () => undefined],
    ['who responds without end', (response) => json(response).write('{')],
  ])('%s', async (_what, respond) => {
    const { href } = await serve(respond).open();
    expect([unknownClient('invalid'), unknownClient('unreachable')]).toContain(href);
  });

  test('whose name leads to an internal address', async () => {
    const id = `https://${INTERNAL_HOST}:${server.port}/client.json`;
    const program = createOAuthProgram(api.url, { client_id: id, redirect_uri: CALLBACK });
    expect((await program.open()).href).toBe(unknownClient('unreachable'));
    expect(requests).toBe(0);
  });

  test.each(['', '#x', '/../client.json'])('with the odd id …%s', async (path) => {
    const id = `https://${HOST}:${server.port}${path}`;
    const program = createOAuthProgram(api.url, { client_id: id, redirect_uri: CALLBACK });
    expect((await program.open()).href).toBe(unknownClient('invalid_id'));
  });

  test('with an address that is not public, in the product itself, which does not even connect', async () => {
    let connections = 0;
    const listener = createListener((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const product = await startApi();
    onTestFinished(async () => {
      await product.close();
      listener.close();
    });
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      '169.254.169.254',
    ]) {
      const parameters = { client_id: `https://${host}/client.json`, redirect_uri: CALLBACK };
      const page = await createOAuthProgram(product.url, parameters).open();
      expect(page.href).toBe(unknownClient('invalid_id'));
    }
    expect(connections).toBe(0);
  });
});

test.each([
  'https://app.example/callback/',
  'https://app.example/callback?x=1',
  'https://evil.example/callback',
  'http://app.example/callback',
  'cursor://callback',
  'http://127.0.0.1:1/callback',
])('a redirect URI that the document does not list is refused: %s', async (redirect_uri) => {
  const program = serve({ redirect_uris: [CALLBACK, 'cursor://callback'] }, { redirect_uri });
  expect((await program.open()).href).toBe(errorPage('unknown_redirect'));
});

const unknownClient = (reason: string) => `${errorPage('unknown_client')}&reason=${reason}`;

const errorPage = (error: string) => `${FRONTEND_ORIGIN}/authorize?error=${error}`;

const json = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' });

let nextClient = 0;
const responders = new Map<string, (response: ServerResponse) => unknown>();

/** A program whose id is the address of a document with these fields, or of what responds so. */
const serve = (document: object | ((response: ServerResponse) => unknown), parameters: object = {}) => {
  nextClient += 1;
  const path = `/clients/${nextClient}.json`;
  const id = `https://${HOST}:${server.port}${path}`;
  const body = JSON.stringify({ client_id: id, client_name: 'App', redirect_uris: [CALLBACK], ...document });
  responders.set(
    path,
    typeof document === 'function' ? (document as never) : (response) => json(response).end(body),
  );
  return createOAuthProgram(api.url, { client_id: id, redirect_uri: CALLBACK, ...parameters });
};

let requests = 0;
let server: Awaited<ReturnType<typeof startHttpsServer>>;
let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  server = await startHttpsServer([HOST, INTERNAL_HOST], (request, response) => {
    requests += 1;
    const respond = responders.get(request.url ?? '');
    if (respond) respond(response);
    else response.writeHead(404).end();
  });
  api = await startApi({
    clientDocuments: {
      policy: { allowPrivate: true },
      timeoutMs: 1_000,
      certificateAuthority: server.certificate,
      resolveAll: (name, _options, done) =>
        done(null, [{ address: name === HOST ? '127.0.0.1' : '169.254.169.254', family: 4 }]),
    },
  });
  ada = await api.signIn();
});
beforeEach(() => {
  requests = 0;
});
afterAll(async () => {
  await api.close();
  await server.close();
});
