import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataFolderAt } from '../data-folder/data-folder.ts';
import { readStackConfig } from '../stack-config.ts';
import { createDatabasePart } from './database.ts';
import {
  createApiPart,
  createGooglePart,
  createMlPart,
  createWebhookInboxPart,
  createWebPart,
  createWorkerPart,
  toSandboxSettings,
} from './parts.ts';
import { planStack } from './stack-plan.ts';

const ports = { database: 1, google: 2, webhookInbox: 3, ml: 4, worker: 5, api: 6, web: 7 };
const secrets = {
  tokenEncryptionKey: 'own key',
  internalJwtSecret: 'own jwt',
  webhookSigningSecret: 'whsec_own',
  sandboxTokenKey: Buffer.alloc(32, 1).toString('base64'),
  vapidKeys: { publicKey: 'own public key', privateKey: 'own private key' },
};

const plan = (env: Record<string, string> = {}, hasWeb = true, words: string[] = []) =>
  planStack({
    config: readStackConfig({ arguments: words, env, envFile: join('/', 'no', 'such', 'file') }),
    folder: dataFolderAt('/tmp/data'),
    ports,
    secrets,
    hasWeb,
  });

describe('the plan of a stack', () => {
  it('tells API and worker of a JMAP server', () => {
    const own = plan({}, true, ['--jmap', 'https://mail.example/jmap/session']);
    for (const part of [createApiPart(own), createWorkerPart(own)]) {
      expect(JSON.parse(String(part.command.env.JMAP_PROVIDERS))).toEqual([
        { key: 'jmap', name: 'mail.example', sessionUrl: 'https://mail.example/jmap/session', token: true },
      ]);
    }
  });

  it('joins its own parts', () => {
    const own = plan({ LOG_LEVEL: 'warn', PORT: '3000' });
    expect(createApiPart(own).command.env).toEqual({
      LOG_LEVEL: 'warn',
      PORT: '6',
      DATABASE_URL: 'postgresql://mailsweep_service:mailsweep@127.0.0.1:1/mailsweep',
      OAUTH_ISSUER: 'http://127.0.0.1:2',
      GMAIL_BASE_URL: 'http://127.0.0.1:2',
      OAUTH_CLIENT_ID: 'mailsweep-local',
      OAUTH_CLIENT_SECRET: 'mailsweep-local-secret',
      GMAIL_QUOTA_UNITS_PER_MINUTE: '100000000',
      OAUTH_REDIRECT_URI: 'http://localhost:6/auth/idp/callback',
      FRONTEND_ORIGIN: 'http://localhost:7',
      TOKEN_ENCRYPTION_KEY: 'own key',
      INTERNAL_JWT_SECRET: 'own jwt',
      ML_BASE_URL: 'http://127.0.0.1:4',
      WORKFLOW_WEBHOOK_URL: 'http://127.0.0.1:3/',
      WEBHOOK_SIGNING_SECRET: 'whsec_own',
      VAPID_PUBLIC_KEY: 'own public key',
    });
    expect(createWorkerPart(own).command.env).toEqual({
      LOG_LEVEL: 'warn',
      DATABASE_URL: 'postgresql://mailsweep_service:mailsweep@127.0.0.1:1/mailsweep',
      WORKER_PORT: '5',
      WORKFLOW_WEBHOOK_URL: 'http://127.0.0.1:3/',
      WEBHOOK_SIGNING_SECRET: 'whsec_own',
      VAPID_PUBLIC_KEY: 'own public key',
      VAPID_PRIVATE_KEY: 'own private key',
      VAPID_SUBJECT: 'mailto:mailsweep@example.com',
      OAUTH_ISSUER: 'http://127.0.0.1:2',
      GMAIL_BASE_URL: 'http://127.0.0.1:2',
      OAUTH_CLIENT_ID: 'mailsweep-local',
      OAUTH_CLIENT_SECRET: 'mailsweep-local-secret',
      GMAIL_QUOTA_UNITS_PER_MINUTE: '100000000',
      TOKEN_ENCRYPTION_KEY: 'own key',
      INTERNAL_JWT_SECRET: 'own jwt',
      ML_BASE_URL: 'http://127.0.0.1:4',
    });
    expect(createMlPart(own)?.command.env).toEqual({
      LOG_LEVEL: 'warn',
      PORT: '4',
      INTERNAL_JWT_SECRET: 'own jwt',
    });
  });

  it('lets each part give way to a real one', async () => {
    const real = plan({
      DATABASE_URL: 'postgresql://db.example/mail',
      REDIS_URL: 'redis://redis.example',
      ML_BASE_URL: 'https://ml.example',
      WORKFLOW_WEBHOOK_URL: 'https://flows.example/hook',
      OAUTH_ISSUER: 'https://id.example',
      GMAIL_BASE_URL: 'https://mail.example',
      OAUTH_CLIENT_ID: 'real',
      OAUTH_CLIENT_SECRET: 'real secret',
      TOKEN_ENCRYPTION_KEY: 'given key',
    });
    expect(await createDatabasePart(real)).toBeNull();
    expect([createGooglePart(real), createMlPart(real), createWebhookInboxPart(real)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(createApiPart(real).command.env).toMatchObject({
      DATABASE_URL: 'postgresql://db.example/mail',
      REDIS_URL: 'redis://redis.example',
      ML_BASE_URL: 'https://ml.example',
      WORKFLOW_WEBHOOK_URL: 'https://flows.example/hook',
      OAUTH_ISSUER: 'https://id.example',
      GMAIL_BASE_URL: 'https://mail.example',
      OAUTH_CLIENT_ID: 'real',
      OAUTH_CLIENT_SECRET: 'real secret',
      TOKEN_ENCRYPTION_KEY: 'given key',
      INTERNAL_JWT_SECRET: 'own jwt',
    });
    expect(real.addresses).toMatchObject({ google: 'https://id.example', webhookInbox: null });
  });

  it.each([
    [{}, '100000000'],
    [{ SANDBOX_QUOTA_UNITS_PER_MINUTE: '0' }, '100000000'],
    [{ SANDBOX_QUOTA_UNITS_PER_MINUTE: '6000' }, '6000'],
    [{ SANDBOX_QUOTA_UNITS_PER_MINUTE: '6000', GMAIL_QUOTA_UNITS_PER_MINUTE: '3000' }, '3000'],
    [{ OAUTH_CLIENT_ID: 'real', OAUTH_CLIENT_SECRET: 'real secret' }, undefined],
  ])('holds API and worker to the quota that the sandbox has: %j', (given, expected) => {
    for (const part of [createApiPart(plan(given)), createWorkerPart(plan(given))])
      expect(part.command.env.GMAIL_QUOTA_UNITS_PER_MINUTE).toBe(expected);
  });

  it('leaves provider addresses to the API’s own defaults when the client is a real Google one', () => {
    const google = plan({ OAUTH_CLIENT_ID: 'real', OAUTH_CLIENT_SECRET: 'real secret' });
    const { env } = createApiPart(google).command;
    expect(env).not.toHaveProperty('OAUTH_ISSUER');
    expect(env).not.toHaveProperty('GMAIL_BASE_URL');
    expect(google.addresses.google).toBeNull();
  });

  it('registers the API’s redirect address at the sandbox, and those of further clients', () => {
    const further = {
      clientId: 'replica',
      clientSecret: 'x',
      redirectUris: ['http://localhost:9/auth/idp/callback'],
    };
    const settings = toSandboxSettings(plan({ SANDBOX_OAUTH_CLIENTS: JSON.stringify([further]) }));
    expect(settings).toMatchObject({
      PORT: 2,
      SANDBOX_OAUTH_CLIENTS: [
        { clientId: 'mailsweep-local', redirectUris: ['http://localhost:6/auth/idp/callback'] },
        further,
      ],
      SANDBOX_CHANGES_FILE: '/tmp/data/mailbox-changes.json',
    });
  });

  it('runs the web app in the stack’s own process, unless it is in development', () => {
    expect(createWebPart(plan())).not.toHaveProperty('command');
    expect(createWebPart(plan({}, true, ['--dev']))).toMatchObject({
      command: { env: { PORT: '7', API_ORIGIN: 'http://localhost:6' } },
    });
  });

  it('has no web part where there is no web app', () => {
    expect(createWebPart(plan({}, false))).toBeNull();
  });
});
