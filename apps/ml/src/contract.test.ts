import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { MlResponseSchema } from '@mailsweep/contracts';
import serviceCases from '@mailsweep/contracts/fixtures/ml-service-cases.json' with { type: 'json' };
import { createLogger } from '@mailsweep/service-kit';
import jwt from 'jsonwebtoken';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { createApp } from './app.ts';

describe('the contract of a classification service', () => {
  it.each(serviceCases.map(({ name, token, body, status }) => ({ name, token, body, status })))(
    '$name',
    async ({ token, body, status }) => {
      const call = request(app).post('/v1/suggest');
      const bearer = tokenOf(token);
      const response = await (bearer === null ? call : call.auth(bearer, { type: 'bearer' })).send(body);
      expect(response.status).toBe(status);
      if (status !== 200) return;
      const ids = MlResponseSchema.parse(response.body).map((item) => item.id);
      expect(ids).toEqual((body as { id: string }[]).map((item) => item.id));
    },
  );
});

describe('the internal token', () => {
  it.each<[string, string]>([
    ['signed with RSA', jwt.sign(claimsAt(0), rsaKey(), { algorithm: 'RS256' })],
    [
      'with a critical extension',
      jwt.sign(claimsAt(0), tokenSecret, { header: { alg: 'HS256', crit: ['b64'] } }),
    ],
    ['signed with HS384', jwt.sign(claimsAt(0), tokenSecret, { algorithm: 'HS384' })],
    ['not valid yet', jwt.sign({ ...claimsAt(0), nbf: nowS + 600 }, tokenSecret)],
    ['without an issuer', jwt.sign({ aud: 'ml', sub: 'user-1', exp: nowS + 60 }, tokenSecret)],
    ['without an audience', jwt.sign({ iss: 'mailsweep-api', sub: 'user-1', exp: nowS + 60 }, tokenSecret)],
    ['cut short', jwt.sign(claimsAt(0), tokenSecret).slice(0, -4)],
    ['that is no token', 'abc'],
  ])('is refused when it is one %s', async (_fault, bearer) => {
    const { body } = await request(app)
      .post('/v1/suggest')
      .auth(bearer, { type: 'bearer' })
      .send([])
      .expect(401);
    expect(body).toMatchObject({ code: 'invalid_token' });
  });

  it('is accepted for half a minute after its expiry, since clocks differ', async () => {
    const send = (expiredForS: number) =>
      request(app)
        .post('/v1/suggest')
        .auth(jwt.sign(claimsAt(-60 - expiredForS), tokenSecret), { type: 'bearer' })
        .send([]);
    await send(25).expect(200);
    await send(35).expect(401);
  });

  it('is not accepted with any other scheme', async () => {
    await request(app)
      .post('/v1/suggest')
      .set('authorization', `Token ${jwt.sign(claimsAt(0), tokenSecret)}`)
      .send([])
      .expect(401);
  });
});

const tokenSecret = 'a secret that two services share, at least 32 bytes';
const now = new Date('2026-06-02T12:00:00.000Z');
const nowS = Math.floor(now.getTime() / 1_000);
const app = createApp({
  logger: createLogger({ service: 'ml', level: 'silent' }),
  tokenSecret,
  now: () => now,
});

/** Claims of a token made so many seconds from now. */
function claimsAt(offsetS: number) {
  const iat = nowS + offsetS;
  return { iss: 'mailsweep-api', aud: 'ml', sub: 'user-1', iat, exp: iat + 60 };
}

function rsaKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

/** The token that a case of the fixtures asks for by name. */
function tokenOf(kind: string): string | null {
  const claims = claimsAt(0);
  switch (kind) {
    case 'valid':
      return jwt.sign(claims, tokenSecret);
    case 'missing':
      return null;
    case 'wrong_secret':
      return jwt.sign(claims, tokenSecret.toUpperCase());
    case 'wrong_audience':
      return jwt.sign({ ...claims, aud: 'web' }, tokenSecret);
    case 'wrong_issuer':
      return jwt.sign({ ...claims, iss: 'somebody' }, tokenSecret);
    case 'expired':
      return jwt.sign({ ...claims, exp: nowS - 3_600 }, tokenSecret);
    case 'no_expiry':
      return jwt.sign({ iss: claims.iss, aud: claims.aud, sub: claims.sub }, tokenSecret);
    case 'unsigned':
      return jwt.sign(claims, '', { algorithm: 'none' });
    case 'wrong_algorithm':
      return jwt.sign(claims, tokenSecret, { algorithm: 'HS512' });
    default:
      throw new Error(`the fixtures name an unknown token: ${kind}`);
  }
}
