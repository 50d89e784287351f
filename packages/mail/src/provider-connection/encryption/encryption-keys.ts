import { createSecretKey, hkdfSync } from 'node:crypto';
import { z } from 'zod';
import { createTokenCipher } from './token-cipher.ts';

/** What TOKEN_ENCRYPTION_KEY has to be: 32 bytes as base64 text, in its one canonical spelling. */
export const EncryptionKeySchema = z
  .string()
  .refine((text) => {
    const bytes = Buffer.from(text, 'base64');
    return bytes.length === 32 && bytes.toString('base64') === text;
  }, 'must be the base64 encoding of 32 bytes')
  .transform((text) => Buffer.from(text, 'base64'));

/**
 * Derives a key for one purpose from the encryption key (HKDF-SHA-256, RFC 5869), so that one configured
 * secret serves several purposes and no two of them share a key. 32 bytes.
 */
export const deriveKey = (
  encryptionKey: Buffer,
  purpose:
    | 'session'
    | 'internal-jwt'
    | 'message-cache'
    | 'sender-key'
    | 'fingerprint'
    | 'training-data'
    | 'doctor',
): Buffer => Buffer.from(hkdfSync('sha256', encryptionKey, '', `mailsweep/${purpose}`, 32));

/**
 * What protects cached messages (docs/decisions/035): a cipher for their texts, and the key by which their senders are
 * told apart.
 *
 * @param keys - the encryption keys, as for {@link createTokenCipher}
 */
export const deriveMessageKeys = (keys: { current: Buffer; previous?: Buffer | undefined }) => ({
  cipher: createTokenCipher({
    current: deriveKey(keys.current, 'message-cache'),
    previous: keys.previous && deriveKey(keys.previous, 'message-cache'),
  }),
  senderKey: createSecretKey(deriveKey(keys.current, 'sender-key')),
});
