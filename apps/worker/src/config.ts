import { databaseVariables, requireDatabase, toDatabaseUrl } from '@mailsweep/database';
import { mailboxAccessVariables, requireProvider } from '@mailsweep/mail/provider-connection';
import {
  deliveryVariables,
  InternalHostSchema,
  LogLevelSchema,
  mlVariables,
  type PushConfig,
  parseConfig,
  pickSharedVariables,
  RedisUrlSchema,
  readParts,
  readPushConfig,
} from '@mailsweep/service-kit';
import type { AddressPolicy } from '@mailsweep/service-kit/guarded-calls';
import { z } from 'zod';

const EnvironmentSchema = requireDatabase(
  z.object({
    ...databaseVariables,
    REDIS_URL: RedisUrlSchema.optional(),
    ...deliveryVariables,
    INTERNAL_HOST: InternalHostSchema,
    LOG_LEVEL: LogLevelSchema,
  }),
);

/** To open mailboxes and classify emails; the same variables as the API's. */
const MailboxWorkSchema = requireProvider(
  z.object({
    ...mailboxAccessVariables,
    ...mlVariables,
    ALLOW_PRIVATE_ADDRESSES: deliveryVariables.ALLOW_PRIVATE_ADDRESSES,
  }),
);

/** If any of these is set, the worker opens mailboxes, and none may be missing. */
const MAILBOX_VARIABLES = ['TOKEN_ENCRYPTION_KEY', 'OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET', 'ML_BASE_URL'];

export type MailboxWorkConfig = Readonly<z.output<typeof MailboxWorkSchema>>;

interface WebhookConfig {
  url: string;
  /** In the form of Standard Webhooks, the newest first; each call is signed with all of them. */
  signingSecrets: readonly string[];
  policy: AddressPolicy;
}

export interface Config {
  databaseUrl: string;
  redisUrl: string | undefined;
  /** Absent: there is no workflow service. */
  webhook: WebhookConfig | undefined;
  /** Absent: nothing is sent to browsers. */
  push: PushConfig | undefined;
  /** Whether users may have notifications sent to the workflow service, too. */
  notificationWebhook: boolean;
  /** Absent: this worker delivers events alone, opens no mailbox and holds no keys. */
  mailboxWork: MailboxWorkConfig | undefined;
  /** Absent: the queues are not shown to operators. */
  operationsPassword: string | undefined;
  port: number;
  host: string;
  logLevel: string;
  /** Those that the other processes have, too. */
  sharedVariables: Record<string, string>;
}

type Environment = Record<string, string | undefined>;

/** @throws {ConfigError} naming every invalid variable at once */
export const readMailboxWorkConfig = (env: Environment): MailboxWorkConfig | undefined =>
  MAILBOX_VARIABLES.some((name) => env[name]) ? parseConfig(MailboxWorkSchema, env) : undefined;

/**
 * Reads the configuration of the worker.
 *
 * @throws {ConfigError} naming every invalid variable at once
 */
export const readConfig = (env: Environment = process.env): Readonly<Config> => {
  const [variables, push, mailboxWork] = readParts(
    () => parseConfig(EnvironmentSchema, env),
    () => readPushConfig(env),
    () => readMailboxWorkConfig(env),
  );
  const { WORKFLOW_WEBHOOK_URL: url, WEBHOOK_SIGNING_SECRET, WEBHOOK_SIGNING_SECRET_PREVIOUS } = variables;
  const webhook = url !== undefined && {
    url,
    signingSecrets: [WEBHOOK_SIGNING_SECRET, WEBHOOK_SIGNING_SECRET_PREVIOUS].filter(
      (secret) => secret !== undefined,
    ),
    policy: { allowPrivate: variables.ALLOW_PRIVATE_ADDRESSES.has('webhook') },
  };
  return Object.freeze({
    databaseUrl: toDatabaseUrl(variables),
    redisUrl: variables.REDIS_URL,
    webhook: webhook || undefined,
    push,
    notificationWebhook: variables.NOTIFICATION_WEBHOOK,
    mailboxWork,
    operationsPassword: variables.OPERATIONS_PASSWORD,
    port: variables.WORKER_PORT,
    host: variables.INTERNAL_HOST,
    logLevel: variables.LOG_LEVEL,
    sharedVariables: pickSharedVariables(env),
  });
};
