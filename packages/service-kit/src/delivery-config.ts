import { createECDH } from 'node:crypto';
import { z } from 'zod';
import { FlagSchema, PortSchema, parseConfig } from './config.ts';

const PURPOSES = [['none'], ['webhook', 'unsubscribe', 'push']];

/** What may go to private networks: purposes with commas between them, or `none`. */
const PrivateAddressesSchema = z
  .string()
  .default('webhook')
  .transform((list) => new Set(list.split(',').map((purpose) => purpose.trim())))
  .refine((purposes) => PURPOSES.some((words) => purposes.isSubsetOf(new Set(words))), {
    error: 'must be none, or some of webhook, unsubscribe and push with commas between them',
  });

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

const SigningSecretSchema = z
  .string()
  .refine(isSigningSecret, { error: 'must be "whsec_" and 24 to 64 bytes in base64' })
  .optional();

/** Default port of the worker's operators' routes. */
const WORKER_PORT = 3_100;
const MIN_PASSWORD_LENGTH = 16;

/** Variables of the worker alone, without push: the worker reads them, and the doctor of the API checks them. */
export const deliveryVariables = {
  WORKFLOW_WEBHOOK_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .optional(),
  WEBHOOK_SIGNING_SECRET: SigningSecretSchema,
  WEBHOOK_SIGNING_SECRET_PREVIOUS: SigningSecretSchema,
  ALLOW_PRIVATE_ADDRESSES: PrivateAddressesSchema,
  NOTIFICATION_WEBHOOK: FlagSchema.default(false),
  WORKER_PORT: PortSchema.default(WORKER_PORT),
  OPERATIONS_PASSWORD: z
    .string()
    .min(MIN_PASSWORD_LENGTH, { error: `must have ${MIN_PASSWORD_LENGTH} characters or more` })
    .optional(),
};

/** Sizes of the keys, in bytes: an uncompressed point of P-256, and a scalar. */
const PUBLIC_KEY_BYTES = 65;
const PRIVATE_KEY_BYTES = 32;

const keyOf = (bytes: number) =>
  z.string().refine((text) => Buffer.from(text, 'base64url').length === bytes && /^[\w-]+$/.test(text), {
    error: `must be ${bytes} bytes in base64url`,
  });

const isPair = (publicKey: string, privateKey: string): boolean => {
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  } catch {
    // Not every number is a key.
    return false;
  }
  return pair.getPublicKey('base64url') === publicKey;
};

/** Names that lead nowhere in the public DNS (RFC 2606, RFC 6761, RFC 6762). */
const RESERVED_NAME = /(^|\.)(localhost|local|invalid|test|internal|example)$/i;

/** Apple refuses every message whose subject has such a host, or none in the public DNS (web-push-libs/web-push#947). */
const isPublicSubject = (subject: string): boolean => {
  if (/\s|%20/.test(subject)) return false;
  const { protocol, hostname, pathname } = new URL(subject);
  const host = protocol === 'mailto:' ? (pathname.split('@')[1] ?? '') : hostname;
  return /[^.\d:]\.[a-z\d-]+$/i.test(host) && !RESERVED_NAME.test(host);
};

const PushEnvironmentSchema = z
  .object({
    VAPID_PUBLIC_KEY: keyOf(PUBLIC_KEY_BYTES),
    VAPID_PRIVATE_KEY: keyOf(PRIVATE_KEY_BYTES),
    VAPID_SUBJECT: z
      .url({ protocol: /^(https|mailto)$/, error: 'must be a mailto: or https: address', abort: true })
      .refine(isPublicSubject, {
        error: 'must have a host in the public DNS, or Apple refuses all messages',
      }),
    ALLOW_PRIVATE_ADDRESSES: PrivateAddressesSchema,
  })
  .refine((keys) => isPair(keys.VAPID_PUBLIC_KEY, keys.VAPID_PRIVATE_KEY), {
    error: 'must belong to VAPID_PUBLIC_KEY',
    path: ['VAPID_PRIVATE_KEY'],
  });

/** By what push services recognise this installation (RFC 8292). */
export interface PushConfig {
  /** Keys in base64url. */
  publicKey: string;
  privateKey: string;
  /** How push services reach the operator. */
  subject: string;
  allowPrivateAddresses: boolean;
}

/** If any of these is set, push is on, and none may be missing. */
const VAPID_VARIABLES = ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_SUBJECT'];

/**
 * Reads the configuration of push; undefined when none is set: nothing is sent to browsers.
 *
 * @throws {ConfigError} naming every invalid variable at once
 */
export const readPushConfig = (env: Record<string, string | undefined>): PushConfig | undefined => {
  if (!VAPID_VARIABLES.some((name) => env[name])) return undefined;
  const variables = parseConfig(PushEnvironmentSchema, env);
  return {
    publicKey: variables.VAPID_PUBLIC_KEY,
    privateKey: variables.VAPID_PRIVATE_KEY,
    subject: variables.VAPID_SUBJECT,
    allowPrivateAddresses: variables.ALLOW_PRIVATE_ADDRESSES.has('push'),
  };
};
