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

const checksumOf = (text: string): string => toBase62(BigInt(crc32(text)), CHECKSUM_DIGITS);

/**
 * Makes the text of a personal access token: the prefix, 256 random bits and their CRC-32, both in base 62. Scanners
 * for leaked secrets know it by prefix and checksum.
 */
export const createTokenSecret = (): string => {
  const secret = toBase62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), SECRET_DIGITS);
  return `${TOKEN_PREFIX}${secret}${checksumOf(secret)}`;
};

/** What is stored of a token: its SHA-256. Null for what no token of ours can be: nothing needs to look for it. */
export const hashTokenSecret = (text: string): Buffer | null => {
  if (!PATTERN.test(text)) return null;
  const [secret, checksum] = [
    text.slice(TOKEN_PREFIX.length, -CHECKSUM_DIGITS),
    text.slice(-CHECKSUM_DIGITS),
  ];
  return checksumOf(secret) === checksum ? createHash('sha256').update(text).digest() : null;
};
