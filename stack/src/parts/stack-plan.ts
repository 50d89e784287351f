import { loopbackUrl } from '@mailsweep/service-kit';
import type { DataFolder } from '../data-folder/data-folder.ts';
import type { Secrets } from '../data-folder/secrets.ts';
import type { PartName, StackAddresses } from '../data-folder/stack-file.ts';
import { toEmbeddedPostgresUrl } from '../database/embedded-postgres.ts';
import type { StackConfig } from '../stack-config.ts';

/** Our database on the embedded Postgres. */
export const DATABASE_NAME = 'mailsweep';

/** The client that the sandbox knows; what it protects is made up. */
const SANDBOX_CLIENT = { clientId: 'mailsweep-local', clientSecret: 'mailsweep-local-secret' };

/** Everything that parts have to know of each other. */
export interface StackPlan {
  config: StackConfig;
  folder: DataFolder;
  ports: Record<PartName, number>;
  addresses: StackAddresses;
  /** What every part inherits. */
  environment: Record<string, string>;
  tokenEncryptionKey: string;
  internalJwtSecret: string;
  webhookSigningSecret: string;
  /** Keys of push messages; absent when the environment has its own. */
  vapidKeys: { publicKey: string; privateKey: string } | undefined;
  /** Where the provider sends the browser back to. */
  redirectUri: string;
  frontendOrigin: string;
  sandbox: { clientId: string; clientSecret: string; tokenKey: string };
}

/** Variables that mean something else, or nothing, to parts other than the one they are meant for. */
const PRIVATE_VARIABLES = ['PORT', 'PORT_HTTP', 'MAILSWEEP_HOME'];

/** Puts addresses and secrets together: those that were given, and our own for the rest. */
export const planStack = (options: {
  config: StackConfig;
  folder: DataFolder;
  ports: Record<PartName, number>;
  secrets: Secrets;
  hasWeb: boolean;
}): StackPlan => {
  const { config, folder, ports, secrets, hasWeb } = options;
  const { given } = config;
  const api = `http://localhost:${ports.api}`;
  const web = `http://localhost:${ports.web}`;
  return {
    config,
    folder,
    ports,
    addresses: {
      api,
      web: hasWeb ? web : null,
      ml: given.mlBaseUrl ?? loopbackUrl(ports.ml),
      google: given.google ? (given.google.issuer ?? null) : loopbackUrl(ports.google),
      webhookInbox: given.webhookUrl ? null : loopbackUrl(ports.webhookInbox),
      database: given.databaseUrl ?? toEmbeddedPostgresUrl(ports.database, DATABASE_NAME),
      redis: given.redisUrl ?? null,
    },
    environment: Object.fromEntries(
      Object.entries(config.environment).filter(([name]) => !PRIVATE_VARIABLES.includes(name)),
    ),
    tokenEncryptionKey: given.tokenEncryptionKey ?? secrets.tokenEncryptionKey,
    internalJwtSecret: given.internalJwtSecret ?? secrets.internalJwtSecret,
    webhookSigningSecret: given.webhookSigningSecret ?? secrets.webhookSigningSecret,
    vapidKeys: config.environment.VAPID_PUBLIC_KEY === undefined ? secrets.vapidKeys : undefined,
    redirectUri: given.redirectUri ?? `${api}/auth/idp/callback`,
    frontendOrigin: given.frontendOrigin ?? web,
    sandbox: { ...SANDBOX_CLIENT, tokenKey: secrets.sandboxTokenKey },
  };
};

/** Variables that API and worker share: where database, queue and webhook are. */
export const toBackendEnvironment = (plan: StackPlan): Record<string, string> => ({
  DATABASE_URL: plan.addresses.database,
  ...(plan.addresses.redis === null ? {} : { REDIS_URL: plan.addresses.redis }),
  WORKFLOW_WEBHOOK_URL: plan.config.given.webhookUrl ?? `${plan.addresses.webhookInbox}/`,
  WEBHOOK_SIGNING_SECRET: plan.webhookSigningSecret,
});

/** Variables with which the worker sends push messages. */
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

/** Variables with which API and worker open mailboxes and have them classified. */
export const toMailboxEnvironment = ({
  addresses,
  config,
  sandbox,
  ...plan
}: StackPlan): Record<string, string> => ({
  ...(config.given.google === undefined
    ? {
        OAUTH_ISSUER: String(addresses.google),
        GMAIL_BASE_URL: String(addresses.google),
        OAUTH_CLIENT_ID: sandbox.clientId,
        OAUTH_CLIENT_SECRET: sandbox.clientSecret,
      }
    : {}),
  ...(config.given.jmapSessionUrl === undefined
    ? {}
    : { JMAP_PROVIDERS: toJmapProviders(config.given.jmapSessionUrl) }),
  TOKEN_ENCRYPTION_KEY: plan.tokenEncryptionKey,
  INTERNAL_JWT_SECRET: plan.internalJwtSecret,
  ML_BASE_URL: addresses.ml,
});
