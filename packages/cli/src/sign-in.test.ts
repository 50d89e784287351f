import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { serveContract, TOKEN } from './testing/contract-server.ts';
import { makeConfigFolder, runProgram } from './testing/run-program.ts';
import { MAILBOXES, ME } from './testing/samples.ts';

const fileIn = (folder: string): string => join(folder, 'mailsweep/credentials.json');

const serveMe = () => serveContract({ getMe: () => ME });

describe('signing in', () => {
  it('takes a token from stdin, checks it, and keeps it for this user alone', async () => {
    const { api } = await serveMe();
    const env = { XDG_CONFIG_HOME: makeConfigFolder() };
    const login = await runProgram(['login', '--token', '--api', api], { input: `${TOKEN}\n`, env });
    expect(login).toMatchObject({ exitCode: 0, stdout: `Signed in as ${ME.email} at ${api}.\n` });
    expect(login.stdout + login.stderr).not.toContain(TOKEN);
    if (process.platform !== 'win32') expect(statSync(fileIn(env.XDG_CONFIG_HOME)).mode & 0o777).toBe(0o600);

    const whoami = await runProgram(['whoami', '--json'], { env });
    expect(JSON.parse(whoami.stdout)).toEqual({ api, me: ME });

    expect(await runProgram(['logout'], { env })).toMatchObject({ exitCode: 0 });
    expect(existsSync(fileIn(env.XDG_CONFIG_HOME))).toBe(false);
    expect(await runProgram(['whoami'], { env })).toMatchObject({ exitCode: 3, stdout: '' });
  });

  it('asks for the token on a terminal without showing it', async () => {
    const { api } = await serveMe();
    const env = { XDG_CONFIG_HOME: makeConfigFolder() };
    const login = await runProgram(['login', '--token', '--api', api], {
      input: `${TOKEN}\n`,
      isTerminal: true,
      env,
    });
    expect(login).toMatchObject({ exitCode: 0 });
    expect(login.stderr).toContain('Personal access token');
    expect(login.stdout + login.stderr).not.toContain(TOKEN);
    expect(readFileSync(fileIn(env.XDG_CONFIG_HOME), 'utf8')).toContain(TOKEN);
  });

  it('keeps no token that the API refuses', async () => {
    const { api } = await serveMe();
    const env = { XDG_CONFIG_HOME: makeConfigFolder() };
    const login = await runProgram(['login', '--token', '--api', api], { input: 'msw_wrong', env });
    expect(login).toMatchObject({ exitCode: 3, stdout: '' });
    expect(login.stderr).toContain('Title of unauthorized: The token is not valid.');
    expect(existsSync(fileIn(env.XDG_CONFIG_HOME))).toBe(false);
  });

  it.each([[['login', '--token', TOKEN]], [['login', `--token=${TOKEN}`]]])(
    'takes no token as an argument, and repeats none: %j',
    async (args) => {
      const { exitCode, stderr } = await runProgram(args);
      expect(exitCode).toBe(2);
      expect(stderr).not.toBe('');
      expect(stderr).not.toContain(TOKEN);
    },
  );

  it('says that no token was given', async () => {
    const { exitCode, stderr } = await runProgram(['login', '--token'], { input: '\n' });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('No token was given')]);
  });
});

describe('the token', () => {
  it('can be in the environment, and nothing is kept', async () => {
    const { api } = await serveMe();
    const env = { MAILSWEEP_TOKEN: TOKEN, MAILSWEEP_API: api };
    const { exitCode, stdout } = await runProgram(['whoami'], { env });
    expect([exitCode, stdout]).toEqual([0, `${ME.email} (${ME.name}) at ${api}\n`]);
  });

  it('is not sent to another API than the one that it was made for', async () => {
    const { api } = await serveMe();
    const other = await serveMe();
    const env = { XDG_CONFIG_HOME: makeConfigFolder() };
    await runProgram(['login', '--token', '--api', api], { input: TOKEN, env });
    const { exitCode, stderr } = await runProgram(['whoami', '--api', other.api], { env });
    expect([exitCode, stderr]).toEqual([3, expect.stringContaining(`not to ${other.api}`)]);
    expect(other.calls).toEqual([]);
  });

  it.each([
    'http://api.example.com',
    'ftp://localhost',
    'api.example.com',
    'https://user:secret@example.com',
  ])('is not sent to %s', async (api) => {
    const env = { MAILSWEEP_TOKEN: TOKEN };
    const { exitCode, stderr } = await runProgram(['whoami', '--api', api], { env });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('The address of the API has to')]);
    expect(stderr).not.toContain('secret');
  });
});

describe('the mailbox', () => {
  const env = { MAILSWEEP_TOKEN: TOKEN };
  const serve = () =>
    serveContract({
      listMailboxes: () => MAILBOXES,
      getMe: ({ mailbox }) => ({ ...ME, email: `mailbox-${mailbox ?? 'of the token'}@example.com` }),
    });

  it.each(['2', 'ada@WORK.example', 'work'])('can be named as %s', async (named) => {
    const { api } = await serve();
    const { stdout } = await runProgram(['whoami', '--mailbox', named, '--api', api], { env });
    expect(stdout).toContain('mailbox-2@example.com');
  });

  it('is otherwise that of the token', async () => {
    const { api } = await serve();
    const { stdout } = await runProgram(['whoami', '--api', api], { env });
    expect(stdout).toContain('mailbox-of the token@example.com');
  });

  it.each(['3', 'grace@example.com', ''])('is refused as %j, with those that there are', async (named) => {
    const { api, calls } = await serve();
    const { exitCode, stderr } = await runProgram(['whoami', '--mailbox', named, '--api', api], { env });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('1 (ada@example.com), 2 (Work)');
    expect(calls.map(({ id }) => id)).toEqual(['listMailboxes']);
  });

  it('is one of a list', async () => {
    const { api } = await serve();
    const { stdout } = await runProgram(['mailboxes', '--api', api], { env });
    expect(stdout).toMatch(/1 +ada@example\.com .*used\n2 +ada@work\.example +Work/);
  });
});
