import { createSecretKey, randomBytes } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSessionTokens, type VerifiedClaims } from './session-token.ts';

const LIFETIME_MS = 60_000;
const SESSION_ID = '019a0000-0000-7000-8000-000000000002';
const EXPIRY_S = Date.parse('2026-06-01T12:00:00.000Z') / 1_000;

test('a token that was found valid before is refused from its very expiry on', () => {
  const tokens = createSessionTokens({ current: createKey() });
  const token = tokens.sign(CLAIMS);
  for (const beforeEndMs of [LIFETIME_MS, 1]) {
    vi.setSystemTime(CLAIMS.expiresAt.getTime() - beforeEndMs);
    expect(tokens.verify(token)).toEqual(CLAIMS);
  }
  vi.setSystemTime(CLAIMS.expiresAt);
  expect(tokens.verify(token)).toBeNull();
  expect(tokens.verify(token)).toBeNull();
});

test('a valid token vouches for no other, be it alike but for one letter', () => {
  const tokens = createSessionTokens({ current: createKey() });
  const token = tokens.sign(CLAIMS);
  expect(tokens.verify(token)).toEqual(CLAIMS);
  // The last letter of a signature holds two bits that mean nothing.
  for (let place = 0; place < token.length - 1; place += 1) {
    const other = token[place] === 'A' ? 'Q' : 'A';
    expect(tokens.verify(token.slice(0, place) + other + token.slice(place + 1))).toBeNull();
  }
  expect(tokens.verify(token.slice(0, -1))).toBeNull();
  expect(tokens.verify(createSessionTokens({ current: createKey() }).sign(CLAIMS))).toBeNull();
});

test('a token under the previous key is valid until that key is removed, and new ones are under the current', () => {
  const [oldKey, newKey] = [createKey(), createKey()];
  const token = createSessionTokens({ current: oldKey }).sign(CLAIMS);
  const rotating = createSessionTokens({ current: newKey, previous: oldKey });
  expect(rotating.verify(token)).toEqual(CLAIMS);
  const rotated = createSessionTokens({ current: newKey });
  expect(rotated.verify(token)).toBeNull();
  expect(rotated.verify(rotating.sign(CLAIMS))).toEqual(CLAIMS);
  expect(rotating.verify(createSessionTokens({ current: createKey() }).sign(CLAIMS))).toBeNull();
});

test('the signature of a valid token is computed once, that of any other each time', () => {
  const computing = vi.spyOn(jwt, 'verify');
  const tokens = createSessionTokens({ current: createKey() });
  const token = tokens.sign(CLAIMS);
  for (const seen of [token, token, `${token}x`, `${token}x`]) tokens.verify(seen);
  expect(computing.mock.calls.map(([verified]) => verified)).toEqual([token, `${token}x`, `${token}x`]);
});

test('a session that ends within a second ends on the whole second before', () => {
  const tokens = createSessionTokens({ current: createKey() });
  const expiresAt = new Date(CLAIMS.expiresAt.getTime() + 999);
  expect(tokens.verify(tokens.sign({ ...CLAIMS, expiresAt }))).toEqual(CLAIMS);
});

test.each([
  ['of ours', {}, { sid: SESSION_ID, exp: EXPIRY_S }, true],
  ['for another audience', { audience: 'mailsweep-internal' }, { sid: SESSION_ID, exp: EXPIRY_S }, false],
  ['from another issuer', { issuer: 'somebody' }, { sid: SESSION_ID, exp: EXPIRY_S }, false],
  ['signed by another algorithm', { algorithm: 'HS512' }, { sid: SESSION_ID, exp: EXPIRY_S }, false],
  ['that never ends', {}, { sid: SESSION_ID }, false],
  ['without a session', {}, { exp: EXPIRY_S }, false],
  ['of a session that is no id', {}, { sid: 'all', exp: EXPIRY_S }, false],
] as const)('a token %s', (_name, options, claims, isValid) => {
  const key = createKey();
  const token = jwt.sign(claims, key, {
    issuer: 'mailsweep',
    audience: 'mailsweep-session',
    algorithm: 'HS256',
    subject: CLAIMS.userId,
    ...options,
  });
  expect(createSessionTokens({ current: key }).verify(token)).toEqual(isValid ? CLAIMS : null);
});

const createKey = () => createSecretKey(randomBytes(32));

const CLAIMS: VerifiedClaims = {
  userId: '019a0000-0000-7000-8000-000000000001',
  sessionId: SESSION_ID,
  expiresAt: new Date(EXPIRY_S * 1_000),
  issuedAt: new Date(EXPIRY_S * 1_000 - LIFETIME_MS),
};

beforeEach(() => vi.useFakeTimers({ now: CLAIMS.expiresAt.getTime() - LIFETIME_MS }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
