import { createSecretKey } from 'node:crypto';
import { deriveKey } from './encryption-keys.ts';
import { createTokenCipher } from './token-cipher.ts';

/**
 * What protects cached messages (docs/decisions/021): a cipher for their texts, and the key by which their senders are
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
