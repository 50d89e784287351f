import { hkdfSync } from 'node:crypto';

/**
 * Derives a key for one purpose from the encryption key (HKDF-SHA-256, RFC 5869), so that one configured
 * secret serves several purposes and no two of them share a key. 32 bytes.
 */
export const deriveKey = (encryptionKey: Buffer, purpose: 'session' | 'internal-jwt'): Buffer =>
  Buffer.from(hkdfSync('sha256', encryptionKey, '', `mailsweep/${purpose}`, 32));
