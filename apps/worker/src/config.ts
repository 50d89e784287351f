import { databaseVariables, requireDatabase, toDatabaseUrl } from '@mailsweep/database';
import {
  FlagSchema,
  InternalHostSchema,
  LogLevelSchema,
  PortSchema,
  parseConfig,
  RedisUrlSchema,
  readParts,
} from '@mailsweep/service-kit';
import type { AddressPolicy } from '@mailsweep/service-kit/guarded-calls';
import { z } from 'zod';
import { type PushConfig, readPushConfig } from './notifications/push-config.ts';
import { PrivateAddressesSchema } from './private-addresses.ts';
import { readScanConfig, type ScanConfig } from './scan/scan-config.ts';

const PREFIX = /^whsec_/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Sizes that Standard Webhooks allows a secret, in bytes. */
const MIN_BYTES = 24;
const MAX_BYTES = 64;

/** Whether a text is a symmetric signing secret as Standard Webhooks writes it: base64, with or without `whsec_`. */
const isSigningSecret = (text: string): boolean => {
  const encoded = text.replace(PREFIX, '');
  const size = Buffer.from(encoded, 'base64').length;
  return BASE64.test(encoded) && encoded.length % 4 === 0 && size >= MIN_BYTES && size <= MAX_BYTES;
};

/** Default port of the operators' routes. */
const DEFAULT_PORT = 3_100;
/** Fewest characters of a password that nobody guesses. */
const MIN_PASSWORD_LENGTH = 16;

const SigningSecretSchema = z
  .string()
  .refine(isSigningSecret, { error: 'must be "whsec_" and 24 to 64 bytes in base64' })
  .optional();

const EnvironmentSchema = requireDatabase(
  z.object({
    ...databaseVariables,
    REDIS_URL: RedisUrlSchema.optional(),
    WORKFLOW_WEBHOOK_URL: z
      .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
      .optional(),
    WEBHOOK_SIGNING_SECRET: SigningSecretSchema,
    WEBHOOK_SIGNING_SECRET_PREVIOUS: SigningSecretSchema,
    ALLOW_PRIVATE_ADDRESSES: PrivateAddressesSchema,
    NOTIFICATION_WEBHOOK: FlagSchema.default(false),
    WORKER_PORT: PortSchema.default(DEFAULT_PORT),
    INTERNAL_HOST: InternalHostSchema,
    OPERATIONS_PASSWORD: z
      .string()
      .min(MIN_PASSWORD_LENGTH, { error: `must have ${MIN_PASSWORD_LENGTH} characters or more` })
      .optional(),
    LOG_LEVEL: LogLevelSchema,
  }),
);

/** Each variable of the worker with its schema, but for those of push and of scanning. */
export const workerVariables = EnvironmentSchema.shape;

/** Where and how the workflow service is called. */
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
  /** Whether notifications go to the workflow service, too, for users who choose that. */
  notificationWebhook: boolean;
  /** Absent: this worker scans no mailboxes, executes no cleanups and undoes no batches. */
  scan: ScanConfig | undefined;
  /** Absent: the queues are not shown to operators. */
  operationsPassword: string | undefined;
  port: number;
  /** The address to listen on. */
  host: string;
  logLevel: string;
}

/**
 * Reads the configuration of the worker.
 *
 * @throws {ConfigError} naming every invalid variable at once
 */
export const readConfig = (env: Record<string, string | undefined> = process.env): Readonly<Config> => {
  const [variables, push, scan] = readParts(
    () => parseConfig(EnvironmentSchema, env),
    () => readPushConfig(env),
    () => readScanConfig(env),
  );
  return Object.freeze({
    databaseUrl: toDatabaseUrl(variables),
    redisUrl: variables.REDIS_URL,
    webhook:
      variables.WORKFLOW_WEBHOOK_URL === undefined
        ? undefined
        : {
            url: variables.WORKFLOW_WEBHOOK_URL,
            signingSecrets: [
              variables.WEBHOOK_SIGNING_SECRET,
              variables.WEBHOOK_SIGNING_SECRET_PREVIOUS,
            ].filter((secret) => secret !== undefined),
            policy: { allowPrivate: variables.ALLOW_PRIVATE_ADDRESSES.has('webhook') },
          },
    push,
    notificationWebhook: variables.NOTIFICATION_WEBHOOK,
    scan,
    operationsPassword: variables.OPERATIONS_PASSWORD,
    port: variables.WORKER_PORT,
    host: variables.INTERNAL_HOST,
    logLevel: variables.LOG_LEVEL,
  });
};
