import { createECDH } from 'node:crypto';
import { parseConfig } from '@mailsweep/service-kit';
import { z } from 'zod';
import { PrivateAddressesSchema } from '../private-addresses.ts';

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
