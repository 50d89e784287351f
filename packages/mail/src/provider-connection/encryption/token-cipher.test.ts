import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTokenCipher, type TokenCipher, TokenCipherError } from './token-cipher.ts';

const OLD_KEY = Buffer.alloc(32, 1);
const NEW_KEY = Buffer.alloc(32, 2);

let cipher: TokenCipher;
beforeEach(() => {
  cipher = createTokenCipher({ current: OLD_KEY, previous: randomBytes(32) });
});

describe('the token cipher', () => {
  test('reads back whatever it encrypted, for the same owner', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uuid(), (text, owner) => {
        expect(cipher.decrypt(cipher.encrypt(text, owner), owner)).toBe(text);
      }),
    );
  });

  test('never encrypts the same text to the same bytes', () => {
    const texts = new Set(Array.from({ length: 200 }, () => cipher.encrypt('token', 'ada')));
    expect(texts.size).toBe(200);
  });

  test('R09: a text with any one bit flipped is refused', () => {
    const [keyId = '', body = ''] = cipher.encrypt('ya29.secret', 'ada').split('.');
    const bytes = Buffer.from(body, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const altered = Buffer.from(bytes);
      altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => cipher.decrypt(`${keyId}.${altered.toString('base64url')}`, 'ada')).toThrow(
        TokenCipherError,
      );
    }
  });

  test('R09: a text changed in any one place is refused, even where it would decode to the same bytes', () => {
    const whole = cipher.encrypt('ya29.secret', 'ada');
    const change = fc.record({
      at: fc.nat(whole.length),
      removed: fc.integer({ min: 0, max: 2 }),
      added: fc.oneof(fc.constantFrom('', '.', '=', ' ', '\n', '+', '/'), fc.string({ maxLength: 2 })),
    });
    fc.assert(
      fc.property(change, ({ at, removed, added }) => {
        const altered = whole.slice(0, at) + added + whole.slice(at + removed);
        fc.pre(altered !== whole);
        expect(() => cipher.decrypt(altered, 'ada')).toThrow(TokenCipherError);
      }),
      { numRuns: 1_000 },
    );
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      const altered = whole.slice(0, -1) + last;
      if (altered !== whole) expect(() => cipher.decrypt(altered, 'ada')).toThrow(TokenCipherError);
    }
  });

  test('R09: a text moved to another owner’s row is refused', () => {
    expect(() => cipher.decrypt(cipher.encrypt('ya29.secret', 'ada'), 'grace')).toThrow(TokenCipherError);
  });

  test.each([
    ['nothing', ''],
    ['no key id', 'AAAA'],
    ['an unknown key id', 'unknown0.AAAA'],
    ['a body that is no base64', '!!.!!'],
  ])('refuses %s', (_name, text) => {
    expect(() => cipher.decrypt(text, 'ada')).toThrow(TokenCipherError);
  });

  test('reads what is stored in databases since the first release', () => {
    const stored = '9a_Av-F6.niagyTfYRL-RR0m9tqCif_mesKMN5DwysKrUE_josH3CqSqE-Uv8';
    expect(cipher.decrypt(stored, 'ada')).toBe('ya29.secret');
  });

  // Of an empty text, what is cut is the tag: a short one would be easy to guess.
  test.each(['ya29.secret', ''])('refuses %j cut short at any length', (text) => {
    const whole = cipher.encrypt(text, 'ada');
    for (let length = 0; length < whole.length; length += 1) {
      expect(() => cipher.decrypt(whole.slice(0, length), 'ada')).toThrow(TokenCipherError);
    }
  });

  test('says nothing of the text in its error', () => {
    const text = cipher.encrypt('ya29.secret', 'ada');
    expect(() => cipher.decrypt(text, 'grace')).toThrow(
      expect.objectContaining({ code: 'token_unreadable', message: expect.not.stringContaining('ya29') }),
    );
  });

  test('distinguishes a missing key from an altered text', () => {
    const text = cipher.encrypt('ya29.secret', 'ada');
    const stranger = createTokenCipher({ current: NEW_KEY });
    expect(() => stranger.decrypt(text, 'ada')).toThrow('the key of a stored token is not configured');
    expect(() => cipher.decrypt(text, 'grace')).toThrow(
      expect.objectContaining({
        name: 'TokenCipherError',
        message: 'a stored token does not belong to its owner or was altered',
        cause: expect.any(Error),
      }),
    );
  });
});

describe('R09: while the key is being rotated', () => {
  let rotated: TokenCipher;
  beforeEach(() => {
    rotated = createTokenCipher({ current: NEW_KEY, previous: OLD_KEY });
  });

  test('texts under the previous key are still read', () => {
    expect(rotated.decrypt(cipher.encrypt('ya29.secret', 'ada'), 'ada')).toBe('ya29.secret');
  });

  test('new texts are written under the current key alone', () => {
    const text = rotated.encrypt('ya29.secret', 'ada');
    expect(createTokenCipher({ current: NEW_KEY }).decrypt(text, 'ada')).toBe('ya29.secret');
    expect(() => cipher.decrypt(text, 'ada')).toThrow(TokenCipherError);
  });

  test('it shows which texts are under the current key', () => {
    expect(rotated.isCurrent(rotated.encrypt('ya29.secret', 'ada'))).toBe(true);
    expect(rotated.isCurrent(cipher.encrypt('ya29.secret', 'ada'))).toBe(false);
    expect(rotated.isCurrent('')).toBe(false);
  });

  test('once the previous key is removed, what it encrypted is refused', () => {
    const text = cipher.encrypt('ya29.secret', 'ada');
    expect(() => createTokenCipher({ current: NEW_KEY }).decrypt(text, 'ada')).toThrow(TokenCipherError);
  });
});
