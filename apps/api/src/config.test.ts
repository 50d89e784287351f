import { ConfigError } from '@mailsweep/service-kit';
import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');
const GOOD = {
  DATABASE_URL: 'postgresql://app:database-password@db:5432/mailsweep',
  OAUTH_CLIENT_ID: 'client',
  OAUTH_CLIENT_SECRET: 'client-secret-value',
  OAUTH_REDIRECT_URI: 'https://api.example.com/auth/idp/callback',
  FRONTEND_ORIGIN: 'https://mail.example.com',
  TOKEN_ENCRYPTION_KEY: KEY,
  ML_BASE_URL: 'http://ml:8000',
  PORT: '3000',
};

describe('the configuration', () => {
  test('needs no more than the variables of the interface, and has defaults for the rest', () => {
    expect(readConfig(GOOD)).toMatchObject({
      databaseUrl: GOOD.DATABASE_URL,
      PORT: 3_000,
      ML_TIMEOUT_MS: 5_000,
      OAUTH_ISSUER: 'https://accounts.google.com',
      GMAIL_BASE_URL: 'https://gmail.googleapis.com',
      SUGGESTIONS_PUBLISH_THRESHOLD: 10,
      SESSION_TTL_HOURS: 720,
      SESSION_COOKIE_SAMESITE: 'lax',
      VALIDATION_ERROR_STATUS: 400,
      API_RATE_LIMIT_PER_MINUTE: 600,
      AUTH_RATE_LIMIT_PER_MINUTE: 30,
      limits: {
        slots: 500,
        inFlightPerUser: 16,
        inFlightPerAddress: 160,
        failuresPerMinute: 300,
        recentSignInMinutes: 10,
      },
      LOG_LEVEL: 'info',
      GMAIL_QUOTA_UNITS_PER_MINUTE: 6_000,
    });
  });

  test.each([
    ['5', 16],
    ['6000', 100],
  ])(
    'with %s requests per minute, lets a user have %i in flight',
    (API_RATE_LIMIT_PER_MINUTE, inFlightPerUser) => {
      const { limits } = readConfig({ ...GOOD, API_RATE_LIMIT_PER_MINUTE });
      expect(limits).toMatchObject({ inFlightPerUser, inFlightPerAddress: 10 * inFlightPerUser });
    },
  );

  test('needs a client at Google or JMAP servers, and no half of a client', () => {
    const own = { key: 'own', name: 'Our server', sessionUrl: 'https://mail.example.com/jmap', token: true };
    const JMAP_PROVIDERS = JSON.stringify([own]);
    const { OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET: _secret, ...others } = GOOD;
    expect(readConfig({ ...others, JMAP_PROVIDERS }).OAUTH_CLIENT_ID).toBeUndefined();
    expect(() => readConfig(others)).toThrow('OAUTH_CLIENT_ID: is required');
    expect(() => readConfig({ ...others, JMAP_PROVIDERS, OAUTH_CLIENT_ID })).toThrow(
      'OAUTH_CLIENT_SECRET: is required',
    );
  });

  test('can’t be changed afterwards', () => {
    expect(Object.isFrozen(readConfig(GOOD))).toBe(true);
  });

  test('takes an empty variable for one that is not there', () => {
    expect(readConfig({ ...GOOD, ML_TIMEOUT_MS: '', REDIS_URL: '' })).toMatchObject({ ML_TIMEOUT_MS: 5_000 });
    expect(() => readConfig({ ...GOOD, PORT: '' })).toThrow('PORT: is required');
  });

  test('prefers DATABASE_URL to the single settings, and makes do with those', () => {
    const settings = { DB_HOST: 'elsewhere', DB_USER: 'app', DB_PASSWORD: 'p@ss/word', DB_NAME: 'mail' };

    expect(readConfig({ ...GOOD, ...settings }).databaseUrl).toBe(GOOD.DATABASE_URL);
    expect(readConfig({ ...GOOD, ...settings, DATABASE_URL: undefined }).databaseUrl).toBe(
      'postgresql://app:p%40ss%2Fword@elsewhere:5432/mail',
    );
  });

  test('does without a slash at the end of addresses', () => {
    expect(readConfig({ ...GOOD, FRONTEND_ORIGIN: 'https://mail.example.com/' }).FRONTEND_ORIGIN).toBe(
      GOOD.FRONTEND_ORIGIN,
    );
  });
});

describe('an invalid configuration', () => {
  test('names every missing variable at once', () => {
    const message = faultsOf({});

    for (const name of Object.keys(GOOD)) expect(message).toContain(`${name}: is required`);
  });

  test('names every invalid variable at once, the missing database among them', () => {
    const message = faultsOf({
      ...GOOD,
      DATABASE_URL: undefined,
      DB_HOST: 'db',
      PORT: 'eighty',
      FRONTEND_ORIGIN: 'mail.example.com',
      TOKEN_ENCRYPTION_KEY: 'c2hvcnQ=',
      LOG_LEVEL: 'loud',
    });

    const named = ['DB_USER', 'DB_NAME', 'PORT', 'FRONTEND_ORIGIN', 'TOKEN_ENCRYPTION_KEY', 'LOG_LEVEL'];
    for (const name of named) expect(message).toMatch(new RegExp(`^ {2}${name}: `, 'm'));
    expect(message).toContain('6 error(s)');
  });

  test.each([
    ['DATABASE_URL', 'mysql://db/mail'],
    ['REDIS_URL', 'http://redis'],
    ['OAUTH_ISSUER', 'accounts.google.com'],
    ['OAUTH_REDIRECT_URI', 'https://api.example.com/callback'],
    ['OAUTH_REDIRECT_URI', 'https://api.example.com/auth/idp/callback/deeper'],
    ['FRONTEND_ORIGIN', 'https://mail.example.com/app'],
    ['FRONTEND_ORIGIN', '*'],
    ['FRONTEND_ORIGIN', 'javascript:alert(1)'],
    ['TOKEN_ENCRYPTION_KEY', 'not base64 at all'],
    ['TOKEN_ENCRYPTION_KEY', Buffer.alloc(31).toString('base64')],
    ['TOKEN_ENCRYPTION_KEY', Buffer.alloc(33).toString('base64')],
    ['TOKEN_ENCRYPTION_KEY', Buffer.alloc(32).toString('hex')],
    ['TOKEN_ENCRYPTION_KEY', `${KEY}\n`],
    ['TOKEN_ENCRYPTION_KEY_PREVIOUS', 'short'],
    ['INTERNAL_JWT_SECRET', 'thirty-one bytes are not enough'],
    ['ML_SHADOW_URL', 'file:///etc/passwd'],
    ['ML_TIMEOUT_MS', '0'],
    ['ML_TIMEOUT_MS', '1.5'],
    ['ML_TIMEOUT_MS', '5s'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT_HTTP', '3000'],
    ['SUGGESTIONS_PUBLISH_THRESHOLD', '-1'],
    ['SESSION_TTL_HOURS', '0'],
    ['SESSION_COOKIE_SAMESITE', 'Lax'],
    ['VALIDATION_ERROR_STATUS', '418'],
    ['API_RATE_LIMIT_PER_MINUTE', '0'],
    ['TRUST_PROXY_HOPS', 'all'],
  ])('R10: %s = %j is refused by name, and its value is not repeated', (name, value) => {
    const message = faultsOf({ ...GOOD, [name]: value });

    expect(message).toMatch(new RegExp(`^The configuration has 1 error\\(s\\):\n {2}${name}: `));
    expect(message.replace(/must .*/, '')).not.toContain(value.trim());
  });

  test('never prints a secret', () => {
    const message = faultsOf({
      ...GOOD,
      PORT: 'eighty',
      TOKEN_ENCRYPTION_KEY: 'dG9wLXNlY3JldA==',
      INTERNAL_JWT_SECRET: 'too-short-secret',
      DATABASE_URL: 'postgres//app:hunter2@db',
    });

    expect(message).not.toMatch(/dG9wLXNlY3JldA|too-short-secret|hunter2|client-secret-value/);
  });
});

const faultsOf = (env: Record<string, string | undefined>): string => {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('the configuration was accepted');
};
