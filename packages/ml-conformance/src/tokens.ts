import { ML_TOKEN_AUDIENCE, ML_TOKEN_ISSUER } from '@mailsweep/contracts';
import jwt from 'jsonwebtoken';

const LIFE_S = 60;
const HOUR_S = 3_600;

/** How a request identifies itself: as the API does, or with one fault. */
export type TokenKind =
  | 'valid'
  | 'missing'
  | 'malformed'
  | 'wrong_secret'
  | 'wrong_audience'
  | 'wrong_issuer'
  | 'expired'
  | 'no_expiry'
  | 'unsigned'
  | 'wrong_algorithm';

/**
 * A token of the kind, signed with the secret (its UTF-8 bytes, as the API does it).
 *
 * @returns null where the request is to have none
 */
export const createToken = (kind: TokenKind, secret: string): string | null => {
  const nowS = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: ML_TOKEN_ISSUER,
    aud: ML_TOKEN_AUDIENCE,
    sub: '0195f6a0-0000-7000-8000-000000000000',
    iat: nowS,
    exp: nowS + LIFE_S,
  };
  switch (kind) {
    case 'valid':
      return jwt.sign(claims, secret);
    case 'missing':
      return null;
    case 'malformed':
      return jwt.sign(claims, secret).slice(0, -4);
    case 'wrong_secret':
      return jwt.sign(claims, `${secret}, but another one`);
    case 'wrong_audience':
      return jwt.sign({ ...claims, aud: 'web' }, secret);
    case 'wrong_issuer':
      return jwt.sign({ ...claims, iss: 'somebody' }, secret);
    case 'expired':
      return jwt.sign({ ...claims, iat: nowS - 2 * HOUR_S, exp: nowS - HOUR_S }, secret);
    case 'no_expiry': {
      const { exp: _, ...endless } = claims;
      return jwt.sign(endless, secret);
    }
    case 'unsigned':
      return jwt.sign(claims, '', { algorithm: 'none' });
    case 'wrong_algorithm':
      return jwt.sign(claims, secret, { algorithm: 'HS512' });
  }
};
