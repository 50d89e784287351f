import { createHash, createHmac, createSecretKey, generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { createTokenSecret } from '../auth/personal-tokens/token-secret.ts';

/** The text of a token that looks right, and that nobody has. */
export { createTokenSecret };

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const nowS = (): number => Math.floor(Date.now() / 1_000);

/** Leaves the named claims out. */
const without = (claims: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));

/**
 * Tokens that are all but right. Each differs in one thing from the genuine one, whose claims and key a test
 * that plays the attacker happens to know.
 *
 * @param input.genuine - a valid session token of a live session
 * @param input.key - what it was signed with
 * @param input.internalSecret - what tokens for the classification service are signed with
 * @param input.sessions - a live session of somebody else, a revoked, an ended and a deleted user's one
 */
export const createBadTokens = (input: {
  genuine: string;
  key: Buffer;
  internalSecret: string;
  sessions: Record<'foreign' | 'revoked' | 'ended' | 'orphaned', { userId: string; sessionId: string }>;
}): [name: string, token: string][] => {
  const { genuine, key, sessions } = input;
  const claims = jwt.decode(genuine) as jwt.JwtPayload;
  const [head = '', body = '', signature = ''] = genuine.split('.');

  /** Signs any header and payload text by hand: the library would refuse most of these. */
  const forge = (header: object, payload: string, secret: Buffer | string = key, hash = 'sha256'): string => {
    const text = `${encode(header)}.${payload}`;
    return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
  };
  const HS256 = { alg: 'HS256', typ: 'JWT' };
  const signed = (payload: object, header: object = {}) => forge({ ...HS256, ...header }, encode(payload));
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const sessionOf = ({ userId, sessionId }: { userId: string; sessionId: string }) =>
    signed({ ...claims, sub: userId, sid: sessionId });

  return [
    ['expired a second ago', signed({ ...claims, exp: nowS() - 1 })],
    ['expired long ago', signed({ ...claims, exp: 1 })],
    ['an expiry before the epoch', signed({ ...claims, exp: -1 })],
    ['no expiry', signed(without(claims, 'exp'))],
    ['an expiry that is text', signed({ ...claims, exp: String(claims.exp) })],
    ['an expiry that is null', signed({ ...claims, exp: null })],
    ['not valid for another hour', signed({ ...claims, nbf: nowS() + 3_600 })],
    ['a start that is text', signed({ ...claims, nbf: 'now' })],
    ['another audience', signed({ ...claims, aud: 'ml' })],
    ['no audience', signed(without(claims, 'aud'))],
    ['an audience that merely contains ours', signed({ ...claims, aud: `${claims.aud}-admin` })],
    ['another issuer', signed({ ...claims, iss: 'https://accounts.google.com' })],
    ['no issuer', signed(without(claims, 'iss'))],
    ['no subject', signed(without(claims, 'sub'))],
    ['a subject that is no user id', signed({ ...claims, sub: "' OR 1=1 --" })],
    ['a subject that is a list', signed({ ...claims, sub: [claims.sub] })],
    ['no session id', signed(without(claims, 'sid'))],
    ['a session id that is no id', signed({ ...claims, sid: '../1' })],
    ['an unknown session id', signed({ ...claims, sid: '019a0000-0000-7000-8000-000000000000' })],
    ['the session of somebody else', signed({ ...claims, sid: sessions.foreign.sessionId })],
    ['a revoked session', sessionOf(sessions.revoked)],
    ['an ended session', sessionOf(sessions.ended)],
    ['a deleted user', sessionOf(sessions.orphaned)],
    ['alg none without signature', `${encode({ alg: 'none', typ: 'JWT' })}.${body}.`],
    ['alg none with the old signature', `${encode({ alg: 'none', typ: 'JWT' })}.${body}.${signature}`],
    ['alg nOnE', `${encode({ alg: 'nOnE', typ: 'JWT' })}.${body}.`],
    ['no alg', `${encode({ typ: 'JWT' })}.${body}.${signature}`],
    ['HS384', forge({ ...HS256, alg: 'HS384' }, body, key, 'sha384')],
    ['HS512', forge({ ...HS256, alg: 'HS512' }, body, key, 'sha512')],
    ['HS512 in the head over an HS256 signature', forge({ ...HS256, alg: 'HS512' }, body)],
    ['an RS256 signature', jwt.sign(claims, rsa.privateKey, { algorithm: 'RS256' })],
    ['RS256 in the head, signed with our secret', forge({ ...HS256, alg: 'RS256' }, body)],
    ['a public key taken for a secret', forge(HS256, body, publicPem)],
    ['signed with an empty key', forge(HS256, body, '')],
    ['signed with the internal secret', forge(HS256, body, input.internalSecret)],
    ['signed with a guessed key', forge(HS256, body, 'secret')],
    ['an internal token', toInternalToken(input.internalSecret, claims.sub ?? '')],
    [
      'an ID token',
      jwt.sign({ ...claims, nonce: 'n', email: 'a@b.c' }, rsa.privateKey, { algorithm: 'RS256', keyid: '1' }),
    ],
    ['a head that points to a key file', forge({ ...HS256, kid: '../../../../dev/null' }, body, '')],
    [
      'a head that points to a key set',
      jwt.sign(claims, rsa.privateKey, {
        algorithm: 'RS256',
        header: { alg: 'RS256', jku: 'https://evil.example/jwks.json' },
      }),
    ],
    [
      'a head that brings its own key',
      jwt.sign(claims, rsa.privateKey, {
        algorithm: 'RS256',
        header: { alg: 'RS256', jwk: rsa.publicKey.export({ format: 'jwk' }) } as jwt.JwtHeader,
      }),
    ],
    [
      'a head that points to a certificate',
      forge({ ...HS256, x5u: 'https://evil.example/cert.pem' }, body, 'x'),
    ],
    ['a critical extension', signed(claims, { crit: ['b64'], b64: true })],
    ['an empty list of critical extensions', signed(claims, { crit: [] })],
    ['no signature', `${head}.${body}.`],
    ['no third part', `${head}.${body}`],
    ['a fourth part', `${genuine}.${signature}`],
    ['its signature cut short', genuine.slice(0, -4)],
    ['its signature altered', genuine.slice(0, -4) + [...genuine.slice(-4)].toReversed().join('')],
    ['its payload altered', `${head}.${encode({ ...claims, sub: sessions.foreign.userId })}.${signature}`],
    ['a payload that is not JSON', forge(HS256, Buffer.from('not json').toString('base64url'))],
    ['a payload that is a text', forge(HS256, encode('text'))],
    ['a payload that is null', forge(HS256, encode(null))],
    ['a payload that is a list', forge(HS256, encode([claims]))],
    ['an empty payload', forge(HS256, '')],
    ['a head that is not JSON', `bm90IGpzb24.${body}.${signature}`],
    ['a head that is null', forge(null as unknown as object, body)],
    ['parts that are empty', '..'],
    ['one word', 'token'],
    ['a very long word', 'x'.repeat(6_000)],
    ['an encrypted token', 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..a.b.c'],
  ];
};

/**
 * Personal access tokens that are all but right.
 *
 * @param input.genuine - a live one
 * @param input.id - its id
 * @param input.dead - tokens that were live, by what became of them
 */
export const createBadPersonalTokens = (input: {
  genuine: string;
  id: string;
  dead: Record<string, string>;
}): [name: string, token: string][] => {
  const { genuine } = input;
  const body = genuine.slice(4);
  return [
    ...Object.entries(input.dead),
    ['one that was never made', createTokenSecret()],
    ['its checksum of another one', genuine.slice(0, -6) + createTokenSecret().slice(-6)],
    ['its secret of another one', createTokenSecret().slice(0, -6) + genuine.slice(-6)],
    ['cut short', genuine.slice(0, -1)],
    ['without its checksum', genuine.slice(0, -6)],
    ['longer', `${genuine}0`],
    ['twice', genuine + genuine],
    ['the prefix alone', 'msw_'],
    ['without its prefix', body],
    ['the prefix of GitHub', `ghp_${body}`],
    ['the prefix in capitals', `MSW_${body}`],
    ['in capitals', genuine.toUpperCase()],
    ['in small letters', genuine.toLowerCase()],
    ['encoded for a URL', genuine.replace('_', '%5F')],
    ['its hash', createHash('sha256').update(genuine).digest('hex')],
    ['the prefix and its hash', `msw_${createHash('sha256').update(genuine).digest('hex')}`],
    ['its id', input.id],
    ['the prefix and its id', `msw_${input.id}`],
    ['letters outside ASCII', `msw_${'\u00e9'.repeat(49)}`],
    ['signs of SQL', `msw_' OR 1=1 --`.replaceAll(' ', '/**/')],
    ['a very long one', `msw_${'x'.repeat(6_000)}`],
  ];
};

const toInternalToken = (secret: string, userId: string): string =>
  jwt.sign({}, createSecretKey(Buffer.from(secret)), {
    algorithm: 'HS256',
    issuer: 'mailsweep-api',
    audience: 'ml',
    subject: userId,
    expiresIn: 60,
  });
