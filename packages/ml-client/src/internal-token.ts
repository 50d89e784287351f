import { createSecretKey } from 'node:crypto';
import { ML_TOKEN_AUDIENCE, ML_TOKEN_ISSUER } from '@mailsweep/contracts';
import jwt from 'jsonwebtoken';

/** Life of an internal token, in seconds: longer than any call, too short to be worth stealing. */
const TOKEN_LIFE_S = 60;

/**
 * Creates the signer of internal tokens (JWT, RFC 7519; HS256). A token names the user by id alone: no email
 * address travels in it.
 */
export const createInternalTokenSigner = (dependencies: {
  secret: string | Uint8Array;
  now: () => number;
}) => {
  const { secret, now } = dependencies;
  // Made once: building the key object is the expensive part of signing.
  const key = createSecretKey(typeof secret === 'string' ? Buffer.from(secret, 'utf8') : secret);
  return (userId: string): string =>
    jwt.sign({ iat: Math.floor(now() / 1_000) }, key, {
      algorithm: 'HS256',
      issuer: ML_TOKEN_ISSUER,
      audience: ML_TOKEN_AUDIENCE,
      subject: userId,
      expiresIn: TOKEN_LIFE_S,
    });
};
