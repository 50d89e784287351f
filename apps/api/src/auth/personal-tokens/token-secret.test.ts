import { expect, test } from 'vitest';
import { createTokenSecret, hashTokenSecret } from './token-secret.ts';

test('a token has a prefix that scanners know, 256 random bits and a checksum', () => {
  const tokens = Array.from({ length: 500 }, createTokenSecret);

  for (const token of tokens) expect(token).toMatch(/^msw_[0-9A-Za-z]{49}$/);
  expect(new Set(tokens).size).toBe(tokens.length);
  expect(new Set(tokens.map((token) => hashTokenSecret(token)?.toString('hex'))).size).toBe(tokens.length);
});

test('what stands where a token should and is none has no hash', () => {
  const token = createTokenSecret();
  const otherDigit = (digit: string) => (digit === 'a' ? 'b' : 'a');
  const altered = Array.from(
    { length: 49 },
    (_, at) => token.slice(0, at + 4) + otherDigit(token[at + 4] ?? '') + token.slice(at + 5),
  );

  for (const text of [
    ...altered,
    '',
    'msw_',
    token.slice(0, -1),
    `${token}0`,
    `${token}\n`,
    ` ${token}`,
    token.slice(4),
    token.toUpperCase(),
    token.toLowerCase(),
    `ghp_${token.slice(4)}`,
    `msw_${'é'.repeat(49)}`,
    'x'.repeat(6_000),
  ]) {
    expect([text, hashTokenSecret(text)]).toEqual([text, null]);
  }
});
