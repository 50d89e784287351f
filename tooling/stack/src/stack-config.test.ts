import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readStackConfig } from './stack-config.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const read = (env: Record<string, string> = {}, words: string[] = [], file = '') => {
  const envFile = join(temporaryFolder(), '.env');
  writeFileSync(envFile, file);
  return readStackConfig({ arguments: words, env, envFile });
};

describe('the configuration of the stack', () => {
  it('needs nothing: every part is the stack’s own', () => {
    const config = read();
    expect(config.dataDir).toMatch(/\.mailsweep$/);
    expect(config.apiPort).toEqual({ preferred: 3000 });
    expect(config.webPort).toEqual({ preferred: 5173 });
    expect(config.workerPort).toEqual({ preferred: 0 });
    const { sandboxClients, ...given } = config.given;
    expect(Object.values(given).every((value) => value === undefined)).toBe(true);
    expect(sandboxClients).toEqual([]);
  });

  it('reads .env, which gives way to the variables of the process', () => {
    const config = read({ PORT: '4000' }, [], 'PORT=4100\nREDIS_URL=redis://localhost:6379\nML_BASE_URL=\n');
    expect(config.apiPort).toEqual({ preferred: 4000, variable: 'PORT' });
    expect(config.given.redisUrl).toBe('redis://localhost:6379');
    expect(config.given.mlBaseUrl).toBeUndefined();
    expect(config.environment).toEqual({ PORT: '4000', REDIS_URL: 'redis://localhost:6379' });
  });

  it('gives each part exactly the port that its variable or argument names', () => {
    const config = read({ PORT: '4000', WORKER_PORT: '4002' }, ['--web-port', '4001']);
    expect(config.apiPort).toEqual({ preferred: 4000, variable: 'PORT' });
    expect(config.webPort).toEqual({ preferred: 4001, variable: '--web-port' });
    expect(config.workerPort).toEqual({ preferred: 4002, variable: 'WORKER_PORT' });
  });

  it('takes a port in a local address for one that was asked for', () => {
    const config = read({
      OAUTH_REDIRECT_URI: 'http://localhost:3300/auth/idp/callback',
    });
    expect(config.apiPort).toEqual({ preferred: 3300, variable: 'OAUTH_REDIRECT_URI' });
    expect(config.webPort).toEqual({ preferred: 5173 });
  });

  it('needs no port for a web app that another server serves', () => {
    expect(read({ FRONTEND_ORIGIN: 'http://localhost:5173' }).webPort).toEqual({ preferred: 0 });
  });

  it('gives way to real Google when a client is given, and to another provider when its addresses are, too', () => {
    const client = { OAUTH_CLIENT_ID: 'id', OAUTH_CLIENT_SECRET: 'secret' };
    expect(read(client).given.google).toEqual({ issuer: undefined });
    const provider = { OAUTH_ISSUER: 'http://localhost:9000', GMAIL_BASE_URL: 'http://localhost:9001' };
    expect(read({ ...client, ...provider }).given.google).toEqual({ issuer: 'http://localhost:9000' });
  });

  it.each([
    [{ OAUTH_CLIENT_ID: 'id' }, ['OAUTH_CLIENT_SECRET']],
    [{ OAUTH_ISSUER: 'http://localhost:9000' }, ['OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET', 'GMAIL_BASE_URL']],
    [{ DB_HOST: 'db' }, ['DB_USER', 'DB_NAME']],
    [{ PORT: 'eighty', ML_BASE_URL: 'nowhere' }, ['PORT', 'ML_BASE_URL']],
    [{ SANDBOX_OAUTH_CLIENTS: '{' }, ['SANDBOX_OAUTH_CLIENTS']],
  ])('names all that is missing or malformed in %j', (env, names) => {
    for (const name of names) expect(() => read(env)).toThrow(`${name}:`);
  });

  it('puts a database address together from its parts', () => {
    const { given } = read({ DB_HOST: 'db', DB_USER: 'ada', DB_PASSWORD: 'p@ss', DB_NAME: 'mail' });
    expect(given.databaseUrl).toBe('postgresql://ada:p%40ss@db:5432/mail');
  });

  it('offers the set-up without a client, and when asked for, also with one that is incomplete', () => {
    const client = { OAUTH_CLIENT_ID: 'id', OAUTH_CLIENT_SECRET: 'secret' };
    expect(read().offersSetup).toBe(true);
    expect(read(client).offersSetup).toBe(false);
    expect(read(client, ['--setup'])).toMatchObject({ offersSetup: true, given: { google: {} } });
    const { given, environment } = read({ OAUTH_ISSUER: 'http://localhost:9000' }, ['--setup']);
    expect(given.google).toBeUndefined();
    expect(environment.OAUTH_ISSUER).toBe('http://localhost:9000');
  });

  it('knows its arguments, and refuses others', () => {
    expect(read({}, ['--dev', '--reset'])).toMatchObject({ isDev: true, isReset: true });
    expect(() => read({}, ['--fast'])).toThrow(/--fast[\s\S]*Known: --dev, --reset/);
    expect(() => read({}, ['--web-port', 'web'])).toThrow('--web-port must be a port');
    expect(read({}, ['--jmap', 'https://mail.example/jmap']).given.jmapSessionUrl).toBe(
      'https://mail.example/jmap',
    );
    expect(read({}, ['--jmap', 'http://localhost:8080/jmap']).given.jmapSessionUrl).toBeDefined();
    for (const refused of ['mail.example', 'http://mail.example/jmap']) {
      expect(() => read({}, ['--jmap', refused])).toThrow('--jmap must be the https address');
    }
  });
});
