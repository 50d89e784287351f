import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { mailboxOf, startSandbox } from '@mailsweep/google-sandbox/testing';
import { startJmapServer } from '@mailsweep/mail/provider-connection/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openSetup } from './open-setup.ts';

const REDIRECT_URI = 'http://localhost:3000/auth/idp/callback';
const CLIENT = {
  clientId: '123-abc.apps.googleusercontent.com',
  clientSecret: 'GOCSPX-0123456789abcdefghij',
  name: 'Mailsweep',
  redirectUris: [REDIRECT_URI],
};

const open = async (environment: Record<string, string> = {}, redirectUri = REDIRECT_URI) => {
  const folder = temporaryFolder();
  const envFile = join(folder, '.env');
  const stackFile = join(folder, 'stack.json');
  const setup = await openSetup({ envFile, stackFile });
  onTestFinished(setup.close);
  const saved = setup.follow({ redirectUri, frontendOrigin: 'http://localhost:5173', environment });
  const post = async (name: string, body: object) => {
    const headers = { 'content-type': 'application/json', origin: new URL(setup.url).origin };
    const response = await fetch(new URL(name, setup.url), {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return (await response.json()) as { faults: string[] };
  };
  return { ...setup, envFile, stackFile, saved, post };
};

const openWithGoogle = async (redirectUri?: string) => {
  const { url } = await startSandbox([mailboxOf()], { clients: [CLIENT] });
  return await open({ OAUTH_ISSUER: url }, redirectUri);
};

const typed = (change: object = {}) => ({
  file: '',
  clientId: CLIENT.clientId,
  clientSecret: CLIENT.clientSecret,
  ...change,
});
const fileOf = (change: object = {}) =>
  JSON.stringify({
    web: {
      client_id: CLIENT.clientId,
      client_secret: CLIENT.clientSecret,
      redirect_uris: CLIENT.redirectUris,
      ...change,
    },
  });

it('tries a client at Google, saves it, and has the stack start again', async () => {
  const { url, envFile, stackFile, saved, post } = await openWithGoogle();
  writeFileSync(
    envFile,
    '# mine\r\nREDIS_URL=redis://localhost\n#OAUTH_CLIENT_ID=\nexport OAUTH_CLIENT_SECRET = "old"\nLAST=1',
  );
  writeFileSync(stackFile, '{}');
  const readState = async () => await (await fetch(new URL('state', url))).json();
  expect(await readState()).toEqual({ signInUrl: 'http://localhost:5173/sign-in' });
  const good = { file: fileOf(), clientId: '', clientSecret: '' };
  expect(await post('google', good)).toEqual({ faults: [] });
  expect(await saved).toBe('saved');
  expect(await readState()).toEqual({ signInUrl: null });
  expect(readFileSync(envFile, 'utf8')).toBe(
    `# mine\r\nREDIS_URL=redis://localhost\n#OAUTH_CLIENT_ID=\nOAUTH_CLIENT_SECRET=${CLIENT.clientSecret}\nLAST=1\nOAUTH_CLIENT_ID=${CLIENT.clientId}\nOAUTH_REDIRECT_URI=${REDIRECT_URI}\n`,
  );
  expect(statSync(envFile).mode & 0o777).toBe(0o600);
});

it.each([
  ['another secret', typed({ clientSecret: 'GOCSPX-another-secret-of-theirs' }), /secret is not of this/],
  ['another client', typed({ clientId: '9-z.apps.googleusercontent.com' }), /^Google knows no client/],
  ['both exchanged', typed({ clientId: CLIENT.clientSecret, clientSecret: CLIENT.clientId }), /each other/],
  ['the name of a project', typed({ clientId: 'mailsweep-1234' }), /looks like 123/],
  ['half a secret', typed({ clientSecret: 'GOCSPX-' }), /not a secret of Google/],
  [
    'a file without a secret',
    { ...typed({ clientSecret: '' }), file: fileOf({ client_secret: undefined }) },
    /no secret/,
  ],
  ['the file of a desktop app', typed({ file: '{"installed":{}}' }), /Desktop app/],
  ['another file', typed({ file: '{"type":"service_account"}' }), /not the JSON file/],
  ['half a file', typed({ file: '{"web":{' }), /not the JSON file/],
])('says what is wrong with %s', async (_title, body, words) => {
  const { envFile, post } = await openWithGoogle();
  expect(await post('google', body)).toEqual({ faults: [expect.stringMatching(words)] });
  expect(existsSync(envFile)).toBe(false);
});

it('names the redirect URI that the client lacks, and those of its file', async () => {
  const { post } = await openWithGoogle('http://localhost:3001/auth/idp/callback');
  const { faults } = await post('google', typed({ file: fileOf() }));
  expect(faults).toEqual([expect.stringMatching(`redirect URI.*The file has: ${REDIRECT_URI}`)]);
});

it('says when Google cannot be reached', async () => {
  const { post } = await open({ OAUTH_ISSUER: 'http://127.0.0.1:1' });
  expect((await post('google', typed())).faults[0]).toMatch(/cannot be reached/);
});

it('says when a variable of the process hides what it saved', async () => {
  const { post } = await openWithGoogle();
  vi.stubEnv('OAUTH_CLIENT_ID', 'of the process');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect((await post('google', typed())).faults[0]).toMatch(/^OAUTH_CLIENT_ID is set in the environment/);
});

it('tries a token at a JMAP server, and saves the server beside others', async () => {
  const jmap = await startJmapServer({ users: { 'ada@jmap.example': { accountId: 'u1' } } });
  onTestFinished(jmap.close);
  const { envFile, post } = await open();
  const own = { key: 'own', name: "Ada's", sessionUrl: 'https://mail.example/jmap', token: true };
  writeFileSync(envFile, `JMAP_PROVIDERS=${JSON.stringify([own])}\n`);
  const refused = await post('jmap', { sessionUrl: jmap.url, token: 'none' });
  expect(refused.faults).toEqual([expect.stringMatching(/not take this token/)]);
  const token = jmap.issueToken('ada@jmap.example');
  expect(await post('jmap', { sessionUrl: jmap.url, token })).toEqual({ faults: [] });
  const sessionUrl = `${jmap.url}/.well-known/jmap`;
  const added = { key: 'jmap-2', name: new URL(jmap.url).host, sessionUrl, token: true };
  const { JMAP_PROVIDERS } = parseEnv(readFileSync(envFile, 'utf8'));
  expect(JSON.parse(JMAP_PROVIDERS ?? '')).toEqual([own, added]);
});

it('sends a token nowhere without encryption', async () => {
  const { post } = await open();
  const body = { sessionUrl: 'http://mail.example/jmap', token: 'a-token' };
  expect((await post('jmap', body)).faults[0]).toMatch(/not the https address/);
});

it('refuses other sites, names that lead here, and who does not know the address', async () => {
  const { url, envFile } = await open();
  const { origin, host, port, pathname } = new URL(url);
  const ask = (method: string, headers: Record<string, string>, path = pathname) =>
    new Promise<number | undefined>((resolve, reject) => {
      const call = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.on('error', reject).end();
    });
  expect(await ask('GET', { host })).toBe(200);
  expect(await ask('GET', { host: `evil.example:${port}` })).toBe(403);
  expect(await ask('GET', { host, origin: 'https://evil.example' })).toBe(403);
  expect(await ask('GET', { host }, `/${'0'.repeat(32)}/`)).toBe(404);
  for (const headers of [{ host }, { host, origin: 'null' }, { host, origin: 'https://evil.example' }])
    expect(await ask('POST', headers, `${pathname}google`)).toBe(403);
  expect(await ask('POST', { host, origin }, `${pathname}google`)).toBe(400);
  expect(existsSync(envFile)).toBe(false);
});
