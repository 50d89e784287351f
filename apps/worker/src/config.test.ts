import type { ConfigError } from '@mailsweep/service-kit';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const DATABASE_URL = 'postgresql://user:secret-word@db.example.com/mailsweep';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('the configuration', () => {
  it('needs only the database', () => {
    expect(readConfig({ DATABASE_URL })).toEqual({
      databaseUrl: DATABASE_URL,
      redisUrl: undefined,
      webhook: undefined,
      push: undefined,
      notificationWebhook: false,
      mailboxWork: undefined,
      port: 3_100,
      host: '127.0.0.1',
      operationsPassword: undefined,
      sharedVariables: {},
      logLevel: 'info',
    });
  });

  it('scans mailboxes once any variable for scanning is set, and then requires all of them', () => {
    const scan = {
      TOKEN_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      OAUTH_CLIENT_ID: 'client',
      OAUTH_CLIENT_SECRET: 'client-secret',
      ML_BASE_URL: 'http://ml.internal',
    };
    expect(readConfig({ DATABASE_URL, ...scan }).mailboxWork).toMatchObject({
      ML_BASE_URL: scan.ML_BASE_URL,
    });
    expect(() => readConfig({ DATABASE_URL, ...scan, ML_SHADOW_URL: 'ftp://shadow.internal' })).toThrow(
      'ML_SHADOW_URL',
    );
    for (const missing of Object.keys(scan)) {
      expect(() => readConfig({ DATABASE_URL, ...scan, [missing]: undefined })).toThrow(missing);
    }
  });

  it('puts the database’s address together from its parts when DATABASE_URL is absent', () => {
    const parts = { DB_HOST: 'db.example.com', DB_USER: 'user', DB_PASSWORD: 'secret-word', DB_NAME: 'mail' };
    expect(readConfig(parts).databaseUrl).toBe('postgresql://user:secret-word@db.example.com:5432/mail');
  });

  it('calls the workflow service unchanged, signed, and on private networks by default', () => {
    const WORKFLOW_WEBHOOK_URL = 'http://automation.internal/hook/?key=1';
    expect(
      readConfig({ DATABASE_URL, WORKFLOW_WEBHOOK_URL, WEBHOOK_SIGNING_SECRET: SECRET }).webhook,
    ).toEqual({
      url: WORKFLOW_WEBHOOK_URL,
      signingSecrets: [SECRET],
      policy: { allowPrivate: true },
    });
  });

  it('signs with the previous secret, too, after the new one', () => {
    const previous = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    const env = {
      WORKFLOW_WEBHOOK_URL: 'https://hooks.example.com',
      WEBHOOK_SIGNING_SECRET: SECRET,
      WEBHOOK_SIGNING_SECRET_PREVIOUS: previous,
    };
    expect(readConfig({ DATABASE_URL, ...env }).webhook?.signingSecrets).toEqual([SECRET, previous]);
    const malformed = { ...env, WEBHOOK_SIGNING_SECRET_PREVIOUS: 'not base64' };
    expect(() => readConfig({ DATABASE_URL, ...malformed })).toThrowError(/WEBHOOK_SIGNING_SECRET_PREVIOUS/);
  });

  it('calls public addresses only when configured so', () => {
    const env = {
      WORKFLOW_WEBHOOK_URL: 'https://hooks.example.com',
      ALLOW_PRIVATE_ADDRESSES: 'push, unsubscribe',
    };
    expect(readConfig({ DATABASE_URL, ...env }).webhook?.policy.allowPrivate).toBe(false);
    const none = { ...env, ALLOW_PRIVATE_ADDRESSES: 'none' };
    expect(readConfig({ DATABASE_URL, ...none }).webhook?.policy.allowPrivate).toBe(false);
    for (const malformed of ['all', 'true', 'webhook,none', 'webhook,']) {
      expect(() => readConfig({ DATABASE_URL, ALLOW_PRIVATE_ADDRESSES: malformed })).toThrowError(
        /ALLOW_PRIVATE_ADDRESSES/,
      );
    }
  });

  it('names what is wrong with every part at once, and what parts share only once', () => {
    const env = {
      LOG_LEVEL: 'loud',
      VAPID_SUBJECT: 'nobody',
      OAUTH_CLIENT_ID: 'client',
      ALLOW_PRIVATE_ADDRESSES: 'all',
    };
    const issues = (() => {
      try {
        return readConfig(env);
      } catch (error) {
        return (error as ConfigError).issues.map(({ variable }) => variable);
      }
    })();
    expect(issues).toEqual(
      expect.arrayContaining([
        'DATABASE_URL',
        'LOG_LEVEL',
        'VAPID_SUBJECT',
        'VAPID_PUBLIC_KEY',
        'TOKEN_ENCRYPTION_KEY',
        'ML_BASE_URL',
      ]),
    );
    expect(issues).toEqual([...new Set(issues as string[])]);
  });

  it('names every invalid variable at once and repeats no value', () => {
    const read = () =>
      readConfig({
        REDIS_URL: 'http://secret-word',
        WORKFLOW_WEBHOOK_URL: 'secret-word',
        WEBHOOK_SIGNING_SECRET: 'secret-word',
        WORKER_PORT: 'secret-word',
      });
    const names = /REDIS_URL[\s\S]*WORKFLOW_WEBHOOK_URL[\s\S]*WEBHOOK_SIGNING_SECRET[\s\S]*WORKER_PORT/;
    expect(read).toThrowError(names);
    expect(read).not.toThrowError(/secret-word/);
    expect(() => readConfig({})).toThrowError(/DATABASE_URL: is required/);
  });

  it.each([
    ['plain text', 'not base64 at all'],
    ['too short', `whsec_${Buffer.alloc(23).toString('base64')}`],
    ['too long', `whsec_${Buffer.alloc(65).toString('base64')}`],
  ])('refuses a signing secret that is %s', (_fault, WEBHOOK_SIGNING_SECRET) => {
    expect(() => readConfig({ DATABASE_URL, WEBHOOK_SIGNING_SECRET })).toThrowError(/WEBHOOK_SIGNING_SECRET/);
  });
});
