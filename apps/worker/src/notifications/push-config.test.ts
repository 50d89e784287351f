import { readPushConfig } from '@mailsweep/service-kit';
import { describe, expect, it } from 'vitest';
import { createVapidConfig } from '../testing/push-service.ts';

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
    expect(readPushConfig({ ALLOW_PRIVATE_ADDRESSES: 'push' })).toBeUndefined();
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
    'mailto:operator@mail.example.com',
    'mailto:o.p@xn--bcher-kva.de',
    'https://mailsweep.io/contact',
  ])('takes the subject %s', (subject) => {
    expect(readPushConfig({ ...VARIABLES, VAPID_SUBJECT: subject })).toMatchObject({ subject });
  });

  it.each([
    ['VAPID_PUBLIC_KEY', { VAPID_PUBLIC_KEY: 'AAAA' }],
    ['VAPID_PRIVATE_KEY', { VAPID_PRIVATE_KEY: undefined }],
    ['VAPID_PRIVATE_KEY', { VAPID_PRIVATE_KEY: OTHER.privateKey }],
    ['VAPID_PRIVATE_KEY', { VAPID_PRIVATE_KEY: Buffer.alloc(32).toString('base64url') }],
    ['VAPID_SUBJECT', { VAPID_SUBJECT: 'operator@example.com' }],
    ['VAPID_SUBJECT', { VAPID_SUBJECT: undefined }],
    ['VAPID_SUBJECT', { VAPID_SUBJECT: 'mailto:operator@localhost' }],
    ['VAPID_SUBJECT', { VAPID_SUBJECT: 'mailto:operator@mail.local' }],
    ['VAPID_SUBJECT', { VAPID_SUBJECT: 'mailto:operator' }],
    ['VAPID_SUBJECT', { VAPID_SUBJECT: 'mailto: operator@example.com' }],
    ['VAPID_SUBJECT', { VAPID_SUBJECT: 'https://localhost:3000/' }],
    ['VAPID_SUBJECT', { VAPID_SUBJECT: 'https://10.0.0.1/' }],
  ])('names %s when it is wrong or missing, without its value', (name, change) => {
    expect(() => readPushConfig({ ...VARIABLES, ...change })).toThrow(new RegExp(name));
    expect(() => readPushConfig({ ...VARIABLES, ...change })).not.toThrow(new RegExp(privateKey));
  });
});
