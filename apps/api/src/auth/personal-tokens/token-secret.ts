import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { TOKEN_PREFIX } from '@mailsweep/contracts';

/** Bytes of chance in a token: too many to guess, so a plain hash of it is enough. */
const SECRET_BYTES = 32;
/** Digits that hold as many bytes, and those of a CRC-32. */
const SECRET_DIGITS = 43;
const CHECKSUM_DIGITS = 6;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PATTERN = /^msw_[0-9A-Za-z]{49}$/;

const toBase62 = (value: bigint, length: number): string => {
  let digits = '';
  for (let rest = value; rest > 0n; rest /= 62n) digits = DIGITS[Number(rest % 62n)] + digits;
  return digits.padStart(length, '0');
};

const createDigits = (): string =>
  toBase62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), SECRET_DIGITS);

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const checksumOf = (text: string): string => toBase62(BigInt(crc32(text)), CHECKSUM_DIGITS);

/** Distinct from access tokens, so that none is taken for the other. */
const REFRESH_PATTERN = /^msr_[0-9A-Za-z]{92}$/;

/**
 * Makes the text of a personal access token: the prefix, 256 random bits and their CRC-32, both in base 62. Scanners
 * for leaked secrets know it by prefix and checksum.
 */
export const createTokenSecret = (): string => {
  const secret = createDigits();
  return `${TOKEN_PREFIX}${secret}${checksumOf(secret)}`;
};

/** Makes a refresh token: the digits of its family, which all tokens of a consent share, and some of its own. Returns it with its hashes. */
export const createRefreshSecret = (family = createDigits()) => {
  const secret = family + createDigits();
  const text = `msr_${secret}${checksumOf(secret)}`;
  return { text, familyHash: sha256(family), refreshHash: sha256(text) };
};

/** What is stored of a token: its SHA-256. Null for what no token of ours can be: nothing needs to look for it. */
export const hashTokenSecret = (text: string): Buffer | null =>
  PATTERN.test(text) && hasChecksum(text) ? sha256(text) : null;

/** The hashes of a refresh token, and the digits of its family. Null for what is no refresh token. */
export const readRefreshSecret = (
  text: string,
): { family: string; familyHash: Buffer; refreshHash: Buffer } | null => {
  if (!REFRESH_PATTERN.test(text) || !hasChecksum(text)) return null;
  const family = text.slice(TOKEN_PREFIX.length, TOKEN_PREFIX.length + SECRET_DIGITS);
  return { family, familyHash: sha256(family), refreshHash: sha256(text) };
};

const hasChecksum = (text: string): boolean =>
  checksumOf(text.slice(TOKEN_PREFIX.length, -CHECKSUM_DIGITS)) === text.slice(-CHECKSUM_DIGITS);
