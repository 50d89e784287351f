import { createECDH, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeFileAtomically } from '@mailsweep/service-kit';
import { z } from 'zod';

const SECRET_BYTES = 32;
const randomBase64 = (): string => randomBytes(SECRET_BYTES).toString('base64');

/** The pair of keys by which push services recognise an installation (RFC 8292), in base64url. */
const createVapidKeys = (): { publicKey: string; privateKey: string } => {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const privateKey = Buffer.alloc(SECRET_BYTES);
  // Without the zeros that it may begin with, the key would be too short.
  const scalar = pair.getPrivateKey();
  scalar.copy(privateKey, SECRET_BYTES - scalar.length);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
};

const SecretsSchema = z.object({
  tokenEncryptionKey: z.string().default(randomBase64),
  internalJwtSecret: z.string().default(randomBase64),
  /** In the form of Standard Webhooks. */
  webhookSigningSecret: z.string().default(() => `whsec_${randomBase64()}`),
  sandboxTokenKey: z.string().default(randomBase64),
  vapidKeys: z.object({ publicKey: z.string(), privateKey: z.string() }).default(createVapidKeys),
});
export type Secrets = z.infer<typeof SecretsSchema>;

/** The file of secrets is not what we wrote. */
export class SecretsFileError extends Error {
  override readonly name = 'SecretsFileError';
}

/**
 * The secrets of a stack: made at random once and stored in a file that only we may read, so that sessions and stored
 * provider tokens survive a restart.
 *
 * @throws {SecretsFileError} when the file can't be read; new secrets would make everything stored unreadable
 */
export const loadSecrets = (path: string): Secrets => {
  const secrets = SecretsSchema.safeParse(existsSync(path) ? parseJson(path) : {});
  if (!secrets.success) throw malformed(path);
  writeFileAtomically(path, `${JSON.stringify(secrets.data, null, 2)}\n`);
  return secrets.data;
};

const malformed = (path: string, cause?: unknown): SecretsFileError =>
  new SecretsFileError(`${path} can't be read. Put it right, or start over: npm start -- --reset`, {
    cause,
  });

const parseJson = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw malformed(path, error);
  }
};
