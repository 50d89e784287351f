import { createSecretKey } from 'node:crypto';
import { ML_TOKEN_AUDIENCE, ML_TOKEN_ISSUER } from '@mailsweep/contracts';
import jwt from 'jsonwebtoken';

/** Throws unless the backend issued the token for this service and it has not expired. */
export type TokenVerifier = (token: string) => void;

/** How far the clocks of two services may differ, in seconds. */
const CLOCK_TOLERANCE_S = 30;

/**
 * Creates the verifier of internal tokens (JWT, RFC 7519): HS256 and nothing else, our issuer, our audience, and
 * a required expiry.
 */
export const createTokenVerifier = (dependencies: { secret: string; now: () => Date }): TokenVerifier => {
  // Made once: building the key object is the expensive part of verifying.
  const key = createSecretKey(dependencies.secret, 'utf8');
  return (token) => {
    const { header, payload: claims } = jwt.verify(token, key, {
      algorithms: ['HS256'],
      issuer: ML_TOKEN_ISSUER,
      audience: ML_TOKEN_AUDIENCE,
      clockTolerance: CLOCK_TOLERANCE_S,
      clockTimestamp: Math.floor(dependencies.now().getTime() / 1_000),
      complete: true,
    });
    // A verifier must reject a token with critical extensions that it does not support (RFC 7515, section 4.1.11).
    if ('crit' in header) throw new jwt.JsonWebTokenError('the token has a critical extension');
    // The library checks `exp` only where there is one.
    if (typeof claims !== 'object' || claims.exp === undefined) {
      throw new jwt.JsonWebTokenError('the token never expires');
    }
  };
};
