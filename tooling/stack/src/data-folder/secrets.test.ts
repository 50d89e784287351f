import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { loadSecrets } from './secrets.ts';

it('makes secrets once, at random, in a file that only its owner may read', () => {
  const path = join(temporaryFolder(), 'secrets.json');
  const secrets = loadSecrets(path);
  expect(Buffer.from(secrets.tokenEncryptionKey, 'base64')).toHaveLength(32);
  expect(secrets.webhookSigningSecret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(new Set(Object.values(secrets)).size).toBe(5);
  expect(Buffer.from(secrets.vapidKeys.publicKey, 'base64url')).toHaveLength(65);
  expect(Buffer.from(secrets.vapidKeys.privateKey, 'base64url')).toHaveLength(32);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(loadSecrets(path)).toEqual(secrets);
  expect(loadSecrets(join(temporaryFolder(), 'secrets.json'))).not.toEqual(secrets);
});

it('adds those that an older file lacks, and keeps the others', () => {
  const path = join(temporaryFolder(), 'secrets.json');
  writeFileSync(path, '{ "tokenEncryptionKey": "kept" }');
  expect(loadSecrets(path).tokenEncryptionKey).toBe('kept');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ internalJwtSecret: expect.any(String) });
});

it.each(['not json', '{ "tokenEncryptionKey": 7 }'])(
  'does not replace a file that it can’t read: %s',
  (content) => {
    const path = join(temporaryFolder(), 'secrets.json');
    writeFileSync(path, content);
    expect(() => loadSecrets(path)).toThrow(/can't be read.*--reset/);
    expect(readFileSync(path, 'utf8')).toBe(content);
  },
);
