import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { deriveKey } from './encryption-keys.ts';

type Variables = Record<string, string>;

/** Bytes of a fingerprint: enough to see that two values differ. */
const FINGERPRINT_BYTES = 2;

const sign = (nonce: string, key: Buffer): Buffer =>
  createHmac('sha256', deriveKey(key, 'doctor')).update(nonce).digest();

/** By what the doctor asks a process for its variables; only who has the key can make one. */
export const createDoctorQuestion = (key: Buffer): string => {
  const nonce = randomUUID();
  return `${nonce}.${sign(nonce, key).toString('base64url')}`;
};

/** Fingerprints of values by variable: with a question of its own each time, they tell nothing but whether two are the same. */
export const fingerprintVariables = (question: string, variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const hash = createHash('sha256').update(`${question}\n${name}\n${value}`).digest();
      return [name, hash.subarray(0, FINGERPRINT_BYTES).toString('hex')];
    }),
  );

/** @returns the fingerprints of these variables; undefined where the question was made with another key */
export const answerDoctorQuestion = (
  question: unknown,
  key: Buffer,
  variables: Variables,
): Variables | undefined => {
  const [nonce = '', signature = ''] = typeof question === 'string' ? question.split('.') : [];
  const [given, own] = [Buffer.from(signature, 'base64url'), sign(nonce, key)];
  const isOwn = given.length === own.length && timingSafeEqual(given, own);
  return isOwn ? fingerprintVariables(`${nonce}.${signature}`, variables) : undefined;
};
