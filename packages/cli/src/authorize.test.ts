import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TOKEN } from './testing/contract-server.ts';
import { makeConfigFolder, runProgram } from './testing/run-program.ts';
import { ME } from './testing/samples.ts';

const fileIn = (folder: string): string => join(folder, 'mailsweep/credentials.json');

describe('signing in with a browser', () => {
  it('opens it, waits for the user, keeps the token for this user alone, and ends it at sign-out', async () => {
    const server = await serveAuthorization();
    const { api } = server;
    const env = { XDG_CONFIG_HOME: makeConfigFolder() };
    let page = '';
    const login = await runProgram(['login', '--api', api, '--scope', 'admin'], {
      env,
      openBrowser: async (url) => {
        page = await visit(allow(url));
      },
    });
    expect(login).toMatchObject({ exitCode: 0, stdout: `Signed in as ${ME.email} at ${api}.\n` });
    expect(page).toContain('You can close this window');
    const [asked] = server.opened(login.stderr);
    expect(Object.fromEntries(asked ?? [])).toEqual({
      response_type: 'code',
      client_id: 'mailsweep-cli',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      scope: 'admin',
      resource: `${api}/api/v1`,
    });
    const [exchange] = server.forms;
    expect(exchange).toMatchObject({ code: 'the-code', redirect_uri: asked?.get('redirect_uri') });
    expect(
      createHash('sha256')
        .update(exchange?.code_verifier ?? '')
        .digest('base64url'),
    ).toBe(asked?.get('code_challenge'));
    if (process.platform !== 'win32') expect(statSync(fileIn(env.XDG_CONFIG_HOME)).mode & 0o777).toBe(0o600);
    for (const secret of [TOKEN, 'the-code', exchange?.code_verifier ?? ''])
      expect(login.stdout + login.stderr).not.toContain(secret);

    const logout = await runProgram(['logout', '--json'], { env });
    expect(JSON.parse(logout.stdout)).toEqual({ signedOut: true, revoked: true });
    expect(server.forms[1]).toEqual({ token: TOKEN, client_id: 'mailsweep-cli' });
    expect(existsSync(fileIn(env.XDG_CONFIG_HOME))).toBe(false);
  });

  it('prints the address where no browser can be opened, and only does so where none is wanted', async () => {
    const { api } = await serveAuthorization();
    for (const [args, note] of [
      [[], 'No browser could be opened.'],
      [['--no-browser'], 'Open this address on this computer:'],
    ] as const) {
      let hasOpened = false;
      const { exitCode, stderr } = await runProgram(['login', '--api', api, ...args], {
        env: { XDG_CONFIG_HOME: makeConfigFolder() },
        onMessage: (text) => {
          const url = /^http\S+authorize\S+$/m.exec(text)?.[0];
          if (url === undefined || hasOpened) return;
          hasOpened = true;
          void visit(allow(url));
        },
      });
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining(note)]);
    }
  });

  it('ignores what other pages make a browser send, and believes only its own request', async () => {
    const server = await serveAuthorization();
    const pages: string[] = [];
    const login = await runProgram(['login', '--api', server.api], {
      env: { XDG_CONFIG_HOME: makeConfigFolder() },
      openBrowser: async (url) => {
        const good = new URL(allow(url));
        for (const change of [{ state: 'forged' }, { iss: 'https://evil.example' }, { state: '' }]) {
          const forged = new URL(good);
          forged.searchParams.set('code', 'forged-code');
          for (const [name, value] of Object.entries(change)) forged.searchParams.set(name, value);
          pages.push(await visit(forged.href));
        }
        pages.push(await visit(new URL('/other', good).href));
        await visit(good.href);
      },
    });
    expect(login.exitCode).toBe(0);
    expect(pages.every((page) => page.includes('Nothing is here'))).toBe(true);
    expect(server.forms.map(({ code }) => code)).toEqual(['the-code']);
  });

  it.each([
    ['access_denied', 4, 'You did not allow it'],
    ['invalid_scope', 1, 'The API refused: why\n'],
  ])('says that the answer was %s', async (error, code, words) => {
    const { api, forms } = await serveAuthorization();
    const { exitCode, stderr } = await runProgram(['login', '--api', api], {
      env: { XDG_CONFIG_HOME: makeConfigFolder() },
      openBrowser: (url) => visit(respond(url, { error, error_description: 'why\u001b[2J' })),
    });
    expect([exitCode, stderr.replace('[2J', '')]).toEqual([code, expect.stringContaining(words)]);
    expect(forms).toEqual([]);
  });

  it('gives up after a time, and at Ctrl-C', async () => {
    const { api } = await serveAuthorization();
    const openBrowser = () => Promise.resolve();
    const late = await runProgram(['login', '--api', api, '--timeout', '1'], { openBrowser });
    expect([late.exitCode, late.stderr]).toEqual([1, expect.stringContaining('in time')]);
    const interruption = new AbortController();
    const ended = await runProgram(['login', '--api', api], {
      signal: interruption.signal,
      openBrowser: async () => interruption.abort(),
    });
    expect([ended.exitCode, ended.stderr]).toEqual([130, expect.stringContaining('You are not signed in.')]);
  });

  it('says why the API gave no token, and keeps what there was', async () => {
    const { api } = await serveAuthorization({ refuses: true });
    const env = { XDG_CONFIG_HOME: makeConfigFolder() };
    const { exitCode, stderr } = await runProgram(['login', '--api', api], {
      env,
      openBrowser: (url) => visit(allow(url)),
    });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('The code has expired.')]);
    expect(existsSync(fileIn(env.XDG_CONFIG_HOME))).toBe(false);
  });

  it('ends the token that it replaces, and none that the user made', async () => {
    const server = await serveAuthorization();
    const env = { XDG_CONFIG_HOME: makeConfigFolder() };
    const args = ['login', '--api', server.api];
    await runProgram([...args, '--token'], { env, input: OTHER_TOKEN });
    const openBrowser = (url: string) => visit(allow(url));
    await runProgram(args, { env, openBrowser });
    expect(server.forms.filter(({ token }) => token)).toEqual([]);
    await runProgram([...args, '--token'], { env, input: OTHER_TOKEN });
    expect(server.forms.filter(({ token }) => token)).toMatchObject([{ token: TOKEN }]);
    expect(readFileSync(fileIn(env.XDG_CONFIG_HOME), 'utf8')).not.toContain('isGranted');
    const logout = await runProgram(['logout'], { env });
    expect(logout.stdout).toContain('still valid');
    expect(server.forms.filter(({ token }) => token)).toHaveLength(1);
  });

  it.each([
    ['another issuer', { issuer: 'https://evil.example' }, 'says that its address is https://evil.example'],
    ['an endpoint elsewhere', { token_endpoint: 'https://evil.example/token' }, 'says that its address is'],
    ['no metadata', null, "programs can't ask for a token"],
  ])('sends nothing to an API with %s', async (_what, metadata, words) => {
    const { api, forms } = await serveAuthorization({ metadata });
    const { exitCode, stderr } = await runProgram(['login', '--api', api]);
    expect([exitCode, stderr, forms]).toEqual([1, expect.stringContaining(words), []]);
  });

  it('takes no option that does not fit', async () => {
    for (const args of [
      ['--scope', 'all'],
      ['--token', '--scope', 'read'],
      ['--timeout', '0'],
    ])
      expect((await runProgram(['login', ...args])).exitCode).toBe(2);
  });
});

const OTHER_TOKEN = 'msw_made_by_the_user';

/** Where the API sends the browser, with these parameters beside state and issuer. */
const respond = (url: string, parameters: Record<string, string>): string => {
  const { searchParams, origin } = new URL(url);
  const target = new URL(searchParams.get('redirect_uri') ?? '');
  target.search = String(
    new URLSearchParams({ ...parameters, state: searchParams.get('state') ?? '', iss: origin }),
  );
  return target.href;
};

const allow = (url: string): string => respond(url, { code: 'the-code' });

const visit = async (url: string): Promise<string> => (await fetch(url)).text();

/** An API that gives tokens, and keeps the forms that it is sent. It ends with the test. */
const serveAuthorization = async (options: { refuses?: boolean; metadata?: object | null } = {}) => {
  const forms: Record<string, string>[] = [];
  const server = createServer(async (request, response) => {
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    if (request.method === 'POST') forms.push(Object.fromEntries(new URLSearchParams(text)));
    if (pathname === '/.well-known/oauth-authorization-server') {
      const endpoints = { authorization: 'authorize', token: 'token', revocation: 'revoke' };
      const metadata = Object.fromEntries(
        Object.entries(endpoints).map(([name, path]) => [`${name}_endpoint`, `${api}/oauth/${path}`]),
      );
      if (options.metadata === null) return send(404, {});
      return send(200, { issuer: api, ...metadata, ...options.metadata });
    }
    if (pathname === '/oauth/token')
      return options.refuses
        ? send(400, { error: 'invalid_grant', error_description: 'The code has expired.' })
        : send(200, { access_token: TOKEN, token_type: 'Bearer', expires_in: 1, scope: 'act' });
    return pathname === '/api/v1/me' ? send(200, ME) : send(200, {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    api,
    forms,
    /** The queries of the addresses that were printed. */
    opened: (stderr: string) =>
      [...stderr.matchAll(/^http\S+authorize\S+$/gm)].map(([url]) => new URL(url).searchParams),
  };
};
