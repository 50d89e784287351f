import { createCipheriv, createDecipheriv, createHash, createSecretKey, randomBytes } from 'node:crypto';

/** Nonce length of AES-GCM in bytes (NIST SP 800-38D). */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

/** A stored token could not be read: it was tampered with, moved to another owner, or its key was removed. */
export class TokenCipherError extends Error {
  override readonly name = 'TokenCipherError';
  readonly code = 'token_unreadable';
}

/** Encrypts short secrets at rest, bound to their owner. */
export interface TokenCipher {
  encrypt(plaintext: string, owner: string): string;
  /** @throws {TokenCipherError} when the text was not made by {@link encrypt} for this owner */
  decrypt(ciphertext: string, owner: string): string;
  /** Whether the current key made this text, so that it can be read without the previous one. */
  isCurrent(ciphertext: string): boolean;
  /** Whether the key that made this text is configured, current or previous. */
  isKnown(ciphertext: string): boolean;
}

/**
 * AES-256-GCM with a random nonce. The owner and the key's id are authenticated with the text, so that a
 * ciphertext can't be moved to another row. Texts look like `<key id>.<base64url of nonce, tag and body>`.
 *
 * @param keys.current - encrypts, and decrypts what it encrypted; 32 bytes
 * @param keys.previous - decrypts only: for the time of a key rotation
 */
export const createTokenCipher = (keys: { current: Buffer; previous?: Buffer | undefined }): TokenCipher => {
  // Key objects: bytes would be made into one for every text, which costs twice what the text does.
  const toKnownKey = (bytes: Buffer) => ({ id: toKeyId(bytes), key: createSecretKey(bytes) });
  const current = toKnownKey(keys.current);
  const previous = keys.previous && toKnownKey(keys.previous);
  const known = new Map([previous, current].flatMap((one) => (one ? [[one.id, one.key]] : [])));
  const toContext = (keyId: string, owner: string) => Buffer.from(`${keyId}\n${owner}`);

  return {
    encrypt(plaintext, owner) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, current.key, nonce).setAAD(toContext(current.id, owner));
      const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return `${current.id}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    decrypt(ciphertext, owner) {
      const [keyId = ''] = ciphertext.split('.', 1);
      const key = known.get(keyId);
      if (key === undefined) throw new TokenCipherError('the key of a stored token is not configured');
      const text = ciphertext.slice(keyId.length + 1);
      const bytes = Buffer.from(text, 'base64url');
      try {
        // The decoder skips what is no base64url and the spare bits at the end: only one spelling counts.
        if (bytes.toString('base64url') !== text) throw new Error('not the spelling that encrypt() writes');
        const nonce = bytes.subarray(0, NONCE_BYTES);
        const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
        const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
          .setAAD(toContext(keyId, owner))
          .setAuthTag(tag);
        return (
          decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
        );
      } catch (error) {
        throw new TokenCipherError('a stored token does not belong to its owner or was altered', {
          cause: error,
        });
      }
    },
    isCurrent: (ciphertext) => ciphertext.startsWith(`${current.id}.`),
    isKnown: (ciphertext) => known.has(ciphertext.split('.', 1)[0] ?? ''),
  };
};

const toKeyId = (key: Buffer): string =>
  createHash('sha256').update('mailsweep/key-id').update(key).digest('base64url').slice(0, 8);
