declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  /** Encrypts a message for a browser (RFC 8291); keys are in base64url. */
  export function encrypt(
    message: Buffer,
    options: { version: 'aes128gcm'; dh: string; privateKey: ECDH; authSecret: string },
  ): Buffer;
}
