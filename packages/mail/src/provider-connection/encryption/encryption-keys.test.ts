import { describe, expect, test } from 'vitest';
import { deriveKey, EncryptionKeySchema } from './encryption-keys.ts';

const KEY = Buffer.alloc(32, 0xfb);

describe('R10: an encryption key', () => {
  test('is 32 bytes of base64', () => {
    expect(EncryptionKeySchema.parse(KEY.toString('base64'))).toEqual(KEY);
  });

  test.each([
    ['31 bytes', Buffer.alloc(31).toString('base64')],
    ['33 bytes', Buffer.alloc(33).toString('base64')],
    ['nothing', ''],
    ['base64url', KEY.toString('base64url')],
    ['hexadecimal digits', KEY.toString('hex')],
    ['32 characters', 'x'.repeat(32)],
    ['base64 without its padding', KEY.toString('base64').replace('=', '')],
    ['a line end behind it', `${KEY.toString('base64')}\n`],
  ])('is not %s', (_name, text) => {
    const { error } = EncryptionKeySchema.safeParse(text);
    expect(error?.issues[0]?.message).toBe('must be the base64 encoding of 32 bytes');
  });
});

test('derived keys are 32 bytes, the same each time, and no two purposes share one', () => {
  const purposes = ['session', 'internal-jwt', 'message-cache', 'sender-key'] as const;
  const keys = purposes.map((purpose) => deriveKey(KEY, purpose).toString('hex'));
  expect(new Set([...keys, KEY.toString('hex')]).size).toBe(5);
  expect(keys.every((key) => key.length === 64)).toBe(true);
  expect(deriveKey(KEY, 'session').toString('hex')).toBe(keys[0]);
  expect(deriveKey(Buffer.alloc(32, 1), 'session').toString('hex')).not.toBe(keys[0]);
});
