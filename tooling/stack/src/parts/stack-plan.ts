import { toRoleUrls } from '@mailsweep/database/roles';
import { loopbackUrl } from '@mailsweep/service-kit';
import type { DataFolder } from '../data-folder/data-folder.ts';
import type { Secrets } from '../data-folder/secrets.ts';
import type { PartName, StackAddresses } from '../data-folder/stack-file.ts';
import { toEmbeddedPostgresUrl } from '../database/embedded-postgres.ts';
import type { StackConfig } from '../stack-config.ts';

export const DATABASE_NAME = 'mailsweep';

/** The client that the sandbox knows; what it protects is made up. */
const SANDBOX_CLIENT = { clientId: 'mailsweep-local', clientSecret: 'mailsweep-local-secret' };

/** Variables that mean something else, or nothing, to parts other than the one they are meant for. */
const PRIVATE_VARIABLES = ['PORT', 'PORT_HTTP', 'MAILSWEEP_HOME'];

/** Everything that parts have to know of each other: what was given, and our own for the rest. */
export const planStack = (options: {
  config: StackConfig;
  folder: DataFolder;
  ports: Record<PartName, number>;
  secrets: Secrets;
  hasWeb: boolean;
  setupUrl?: string | undefined;
}) => {
  const { config, folder, ports, secrets, hasWeb, setupUrl } = options;
  const { given } = config;
  const api = `http://localhost:${ports.api}`;
  const web = `http://localhost:${ports.web}`;
  const embedded = toRoleUrls(toEmbeddedPostgresUrl(ports.database, DATABASE_NAME));
  const addresses: StackAddresses = {
    api,
    web: hasWeb ? web : null,
    ml: given.mlBaseUrl ?? loopbackUrl(ports.ml),
    google: given.google ? (given.google.issuer ?? null) : loopbackUrl(ports.google),
    setup: setupUrl ?? null,
    webhookInbox: given.webhookUrl ? null : loopbackUrl(ports.webhookInbox),
    database: given.databaseUrl ?? embedded.serviceUrl,
    redis: given.redisUrl ?? null,
  };
  return {
    config,
    folder,
    ports,
    addresses,
    /** The database as migrations sign in: with one that is given, as API and worker do. */
    migrationsUrl: given.databaseUrl ?? embedded.ownerUrl,
    environment: Object.fromEntries(
      Object.entries(config.environment).filter(([name]) => !PRIVATE_VARIABLES.includes(name)),
    ),
    tokenEncryptionKey: given.tokenEncryptionKey ?? secrets.tokenEncryptionKey,
    internalJwtSecret: given.internalJwtSecret ?? secrets.internalJwtSecret,
    webhookSigningSecret: given.webhookSigningSecret ?? secrets.webhookSigningSecret,
    /** Keys of push messages; absent when the environment has its own. */
    vapidKeys: config.environment.VAPID_PUBLIC_KEY === undefined ? secrets.vapidKeys : undefined,
    /** Where the provider sends the browser back to. */
    redirectUri: given.redirectUri ?? `${api}/auth/idp/callback`,
    frontendOrigin: given.frontendOrigin ?? web,
    sandbox: { ...SANDBOX_CLIENT, tokenKey: secrets.sandboxTokenKey },
  };
};
export type StackPlan = ReturnType<typeof planStack>;

export const toPushEnvironment = ({ vapidKeys }: StackPlan): Record<string, string> =>
  vapidKeys === undefined
    ? {}
    : {
        VAPID_PUBLIC_KEY: vapidKeys.publicKey,
        VAPID_PRIVATE_KEY: vapidKeys.privateKey,
        // Push services write here when something is wrong; nobody reads it on this machine.
        VAPID_SUBJECT: 'mailto:mailsweep@example.com',
      };

/** A server where people sign in with a token that they made there, called by its host. */
const toJmapProviders = (sessionUrl: string): string =>
  JSON.stringify([{ key: 'jmap', name: new URL(sessionUrl).host, sessionUrl, token: true }]);

/** Variables that API and worker share: where database, queue and webhook are, how mailboxes are opened and classified. */
export const toBackendEnvironment = (plan: StackPlan): Record<string, string> => {
  const { addresses, config, environment, sandbox } = plan;
  const { google, jmapSessionUrl, webhookUrl } = config.given;
  return {
    DATABASE_URL: addresses.database,
    ...(addresses.redis !== null && { REDIS_URL: addresses.redis }),
    WORKFLOW_WEBHOOK_URL: webhookUrl ?? `${addresses.webhookInbox}/`,
    WEBHOOK_SIGNING_SECRET: plan.webhookSigningSecret,
    ...(google === undefined && {
      OAUTH_ISSUER: String(addresses.google),
      GMAIL_BASE_URL: String(addresses.google),
      OAUTH_CLIENT_ID: sandbox.clientId,
      OAUTH_CLIENT_SECRET: sandbox.clientSecret,
      // No quota is more than anything here can use.
      GMAIL_QUOTA_UNITS_PER_MINUTE:
        environment.GMAIL_QUOTA_UNITS_PER_MINUTE ??
        (environment.SANDBOX_QUOTA_UNITS_PER_MINUTE ?? '0').replace(/^0+$/, '100000000'),
    }),
    ...(jmapSessionUrl !== undefined && { JMAP_PROVIDERS: toJmapProviders(jmapSessionUrl) }),
    TOKEN_ENCRYPTION_KEY: plan.tokenEncryptionKey,
    INTERNAL_JWT_SECRET: plan.internalJwtSecret,
    ML_BASE_URL: addresses.ml,
  };
};
