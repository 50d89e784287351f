import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort, readInherited } from '@mailsweep/service-kit/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readMachine } from './src/local-stack.ts';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
/** Debian's programs of Postgres. */
const POSTGRES = ['/usr/lib/postgresql/17/bin', '/usr/lib/postgresql/15/bin'].find(existsSync);
const runsAsRoot = process.getuid?.() === 0;
const hasPrograms = runsAsRoot && ['/usr/bin/caddy', '/usr/bin/redis-server'].every(existsSync);

const document = readFileSync(join(REPOSITORY, 'docs/DEPLOYMENT.md'), 'utf8');
const section = document.slice(document.indexOf('## Without Docker'), document.indexOf('## With Kubernetes'));
/** The commands of the document but those that need the network: this checkout is built. */
const [, setUp = '', copy = '', start = ''] = [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, commands]) => commands,
);

/** What systemd reads of a unit and its drop-ins. */
const readUnit = (files: string[]) => {
  const lines = files.filter(existsSync).flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  const valuesOf = (key: string) =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
  return { valuesOf, isOneshot: valuesOf('Type').includes('oneshot') };
};

const toVariables = (lines: string[]): Record<string, string> =>
  Object.fromEntries(
    lines
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

const children: ChildProcess[] = [];
const log: string[] = [];
let folder: string;
let origin: string;
let ports: Record<string, number>;
/** Has the texts of the document lead to this test's folders and ports. */
let redirect: (text: string) => string;

const run = (
  command: string,
  words: string[],
  options: { env?: NodeJS.ProcessEnv; uid?: number; gid?: number },
) => {
  const child = spawn(command, words, { cwd: REPOSITORY, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => log.push(text));
  children.push(child);
  return child;
};

/** Does what systemd does with a unit, without its sandbox. */
const startUnit = async (name: string): Promise<void> => {
  const units = join(folder, 'units');
  const { valuesOf, isOneshot } = readUnit([
    join(units, `${name}.service`),
    join(units, 'mailsweep-.service.d/common.conf'),
  ]);
  // Credentials are the files themselves.
  const credentials = valuesOf('LoadCredential').map((line) => line.split(':')[1] ?? '');
  for (const file of credentials) expect(existsSync(file), file).toBe(true);
  const fill = (text: string) => text.replaceAll('%d', join(folder, 'mailsweep/secrets'));
  const env = {
    ...readMachine(),
    ...toVariables(valuesOf('Environment').map(fill)),
    ...toVariables(valuesOf('EnvironmentFile').flatMap((file) => readFileSync(file, 'utf8').split('\n'))),
  };
  const [exec = ''] = valuesOf('ExecStart').map(fill);
  const child = run('/bin/sh', ['-c', `exec ${exec.replaceAll('$$', '$')}`], { env });
  if (!isOneshot) return;
  const [code] = await once(child, 'exit');
  expect(code, log.join('')).toBe(0);
};

/** Programs that a test replaces: what they would do needs systemd, or another account. */
const SHIMS = (bin: string) => ({
  sudo: '#!/bin/sh\nshift 2\nexec "$@"\n',
  systemctl: `#!/bin/sh\necho "$*" >> "${bin}/systemctl.log"\n`,
  'redis-cli': `#!/bin/sh\nexec /usr/bin/redis-cli -p ${ports.redis} "$@"\n`,
});

beforeAll(async () => {
  if (!hasPrograms || POSTGRES === undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'mailsweep-systemd-'));
  const names = ['3000', '3001', '3100', '8000', '5173', 'https', 'http', 'health', 'postgres', 'redis'];
  ports = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await findFreePort()])));
  origin = `https://localhost:${ports.https}`;
  redirect = (text) =>
    text
      .replaceAll('/opt/mailsweep', join(folder, 'checkout'))
      .replaceAll('/etc/mailsweep', join(folder, 'mailsweep'))
      .replaceAll('/etc/systemd/system', join(folder, 'units'))
      .replaceAll('/etc/caddy', join(folder, 'caddy'))
      .replaceAll('https://mailsweep.example.com', origin)
      .replaceAll('redis://127.0.0.1:6379', `redis://127.0.0.1:${ports.redis}`)
      .replaceAll(/(?<=[=:])(3000|3001|3100|8000|5173)\b/g, (port) => String(ports[port]));
  chmodSync(folder, 0o755);
  // The commands expect a path without spaces.
  symlinkSync(REPOSITORY, join(folder, 'checkout'));
  for (const name of ['bin', 'units', 'caddy', 'postgres', 'redis']) mkdirSync(join(folder, name));

  const bin = join(folder, 'bin');
  for (const [name, text] of Object.entries(SHIMS(bin)))
    writeFileSync(join(bin, name), text, { mode: 0o755 });
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])));
  const account = { uid: uid ?? 0, gid: gid ?? 0, env: readMachine() };
  const data = join(folder, 'postgres');
  chownSync(data, account.uid, account.gid);
  execFileSync(join(POSTGRES, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'], account);
  run(join(POSTGRES, 'postgres'), ['-D', data, '-p', `${ports.postgres}`, '-k', data], account);
  // As Debian configures it, with a file of its own to rewrite.
  writeFileSync(join(folder, 'redis.conf'), `port ${ports.redis}\ndir ${join(folder, 'redis')}\n`);
  run('/usr/bin/redis-server', [join(folder, 'redis.conf')], {});
  const isReady = join(POSTGRES, 'pg_isready');
  await vi.waitFor(() => execFileSync(isReady, ['-h', '127.0.0.1', '-p', `${ports.postgres}`]), 20_000);
});
afterAll(async () => {
  for (const child of children.toReversed()) {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    // Of Postgres: without waiting for clients.
    child.kill(child.spawnfile.endsWith('/postgres') ? 'SIGINT' : 'SIGTERM');
    await ended;
  }
  if (folder) rmSync(folder, { recursive: true, force: true });
});

test.skipIf(!hasPrograms || POSTGRES === undefined)(
  'DEPLOYMENT, "Without Docker": its commands and units bring up the whole product',
  // The commands are for a machine that has nothing yet.
  { retry: 0 },
  async () => {
    const env = {
      ...readInherited(),
      PATH: `${join(folder, 'bin')}:${POSTGRES}:/usr/bin:/bin`,
      PGHOST: '127.0.0.1',
      PGPORT: `${ports.postgres}`,
      PGUSER: 'postgres',
    };
    const shell = (commands: string) =>
      execFileSync('/bin/bash', ['-euc', redirect(commands)], { env, encoding: 'utf8', stdio: 'pipe' });
    shell(setUp);
    writeFileSync(join(folder, 'mailsweep/secrets/oauth_client_secret'), 'a-client-secret');
    shell(copy);
    // What a reader changes, and this test's places.
    for (const file of execFileSync(
      'find',
      [join(folder, 'units'), join(folder, 'mailsweep'), '-type', 'f'],
      {
        encoding: 'utf8',
      },
    )
      .trim()
      .split('\n'))
      if (!file.includes('/secrets/')) writeFileSync(file, redirect(readFileSync(file, 'utf8')));
    const environmentFile = join(folder, 'mailsweep/mailsweep.env');
    writeFileSync(environmentFile, `${readFileSync(environmentFile, 'utf8')}DB_PORT=${ports.postgres}\n`);
    shell(start);
    if (existsSync('/usr/bin/systemd-analyze'))
      execFileSync('/bin/sh', ['-c', `systemd-analyze verify ${join(folder, 'units')}/*.service 2>&1`], {
        env: { ...env, SYSTEMD_UNIT_PATH: `${join(folder, 'units')}:` },
      });

    const called = readFileSync(join(folder, 'bin/systemctl.log'), 'utf8').trim().split('\n');
    for (const line of called) {
      const [verb, ...words] = line.split(' ');
      for (const name of words.filter((word) => word.startsWith('mailsweep-'))) {
        expect(['start', 'enable']).toContain(verb);
        await startUnit(name);
      }
    }
    expect(called.at(-1)).toBe('restart caddy');
    const caddy = readUnit([join(folder, 'units/caddy.service.d/mailsweep.conf')]);
    run('/usr/bin/caddy', ['run', '--config', join(folder, 'caddy/Caddyfile'), '--adapter', 'caddyfile'], {
      env: {
        ...readInherited(),
        PATH: '/usr/bin:/bin',
        ...toVariables(caddy.valuesOf('Environment')),
        HTTP_PORT: `${ports.http}`,
        HEALTH_PORT: `${ports.health}`,
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
      },
    });

    const read = (path: string) =>
      execFileSync('curl', ['-sfk', '--max-time', '10', `${origin}${path}`], { encoding: 'utf8' });
    await vi
      .waitFor(() => expect(read('/api/v1/health/db')).toBe('{"db":"ok"}'), 60_000)
      .catch((cause) => {
        throw new Error(log.join('').slice(-3_000), { cause });
      });
    expect(read('/')).toContain('<html');
    for (const port of ['3001', '3100', '8000'])
      await vi.waitFor(async () => {
        const { status } = await fetch(`http://127.0.0.1:${ports[port]}/ready`);
        expect(status).toBe(200);
        const metrics = await fetch(`http://127.0.0.1:${ports[port]}/metrics`);
        expect(await metrics.text()).toContain('process_cpu_seconds_total');
      }, 30_000);
    expect(await (await fetch(`http://127.0.0.1:${ports.health}/metrics`)).text()).toContain(
      'caddy_http_requests',
    );
  },
);
