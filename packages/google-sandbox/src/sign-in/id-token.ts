import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { z } from 'zod';

const ClaimsSchema = z.looseObject({ email: z.string() });

export interface IdTokenSigner {
  /** The key that verifies the ID tokens, as a JSON Web Key Set (RFC 7517). */
  keySet: { keys: object[] };
  /**
   * The same claims (of a JWT that is not verified: it comes from our own emulator), with our issuer and a subject
   * that stays the same over restarts, signed with our key.
   */
  reissue(idToken: string): { idToken: string; email: string };
}

/** The provider's lasting identifier of a user: 21 digits, as Google's. */
export const subjectOf = (email: string): string =>
  `1${BigInt(`0x${createHash('sha256').update(email.toLowerCase()).digest('hex')}`)
    .toString()
    .slice(0, 20)}`;

let signingKey: { keyId: string; publicKey: KeyObject; privateKey: KeyObject } | undefined;

/** One for all sandboxes of a process: to make a key takes some 100 ms. */
const getSigningKey = () =>
  (signingKey ??= { keyId: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) });

/** Signs ID tokens (OpenID Connect Core, section 2) in place of the emulator, whose subjects change at every start. */
export const createIdTokenSigner = (issuer: string): IdTokenSigner => {
  const { keyId, publicKey, privateKey } = getSigningKey();
  return {
    keySet: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: keyId, use: 'sig', alg: 'RS256' }] },
    reissue(idToken) {
      const claims = readClaims(idToken);
      const { email } = claims;
      const content = [
        encode({ alg: 'RS256', kid: keyId, typ: 'JWT' }),
        encode({ ...claims, iss: issuer, sub: subjectOf(email) }),
      ].join('.');
      const signature = sign('RSA-SHA256', Buffer.from(content), privateKey).toString('base64url');
      return { idToken: `${content}.${signature}`, email };
    },
  };
};

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const readClaims = (idToken: string) =>
  ClaimsSchema.parse(JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString('utf8')));
