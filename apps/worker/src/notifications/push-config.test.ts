import { describe, expect, it } from 'vitest';
import { createVapidConfig } from '../testing/push-service.ts';
import { readPushConfig } from './push-config.ts';

const { publicKey, privateKey } = createVapidConfig();
const OTHER = createVapidConfig();
const VARIABLES = {
  VAPID_PUBLIC_KEY: publicKey,
  VAPID_PRIVATE_KEY: privateKey,
  VAPID_SUBJECT: 'mailto:operator@example.com',
};

describe('the configuration of push', () => {
  it('is absent when no variable is set', () => {
    expect(readPushConfig({})).toBeUndefined();
    expect(readPushConfig({ PUSH_ALLOW_PRIVATE_ADDRESSES: 'true' })).toBeUndefined();
  });

  it('takes a pair of keys, and calls public addresses only', () => {
    expect(readPushConfig(VARIABLES)).toEqual({
      publicKey,
      privateKey,
      subject: 'mailto:operator@example.com',
      allowPrivateAddresses: false,
    });
  });

  it.each([
    ['VAPID_PUBLIC_KEY', { VAPID_PUBLIC_KEY: 'AAAA' }],
    ['VAPID_PRIVATE_KEY', { VAPID_PRIVATE_KEY: undefined }],
    ['VAPID_PRIVATE_KEY', { VAPID_PRIVATE_KEY: OTHER.privateKey }],
    ['VAPID_PRIVATE_KEY', { VAPID_PRIVATE_KEY: Buffer.alloc(32).toString('base64url') }],
    ['VAPID_SUBJECT', { VAPID_SUBJECT: 'operator@example.com' }],
    ['VAPID_SUBJECT', { VAPID_SUBJECT: undefined }],
  ])('names %s when it is wrong or missing, without its value', (name, change) => {
    expect(() => readPushConfig({ ...VARIABLES, ...change })).toThrow(new RegExp(name));
    expect(() => readPushConfig({ ...VARIABLES, ...change })).not.toThrow(new RegExp(privateKey));
  });
});
