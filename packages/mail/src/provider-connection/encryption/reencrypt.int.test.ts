import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import type { EncryptedColumns, ReencryptCounts } from '@mailsweep/mail/message-cache';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { warnOfWrongKey } from '../warn-of-wrong-key.ts';
import { ENCRYPTED_COLUMNS, reencryptTable } from './reencrypt.repository.ts';
import { createTokenCipher, type TokenCipher } from './token-cipher.ts';

const OLD_KEY = Buffer.alloc(32, 1);
const NEW_KEY = Buffer.alloc(32, 2);
const oldCipher = createTokenCipher({ current: OLD_KEY });
const newCipher = createTokenCipher({ current: NEW_KEY });
const rotating = createTokenCipher({ current: NEW_KEY, previous: OLD_KEY });
const [CONNECTIONS, LOGINS] = ENCRYPTED_COLUMNS;

it('brings the texts of a table under the current key, and leaves those that are', async () => {
  await addPeople([1, 2]);
  await connect(1, { access: oldCipher, refresh: oldCipher });
  await connect(2, { access: newCipher, refresh: null });
  const [, before] = await listConnections();
  expect(await reencrypt()).toEqual({ reencrypted: 2, current: 1, changed: 0, unreadable: 0 });
  const [first, second] = await listConnections();
  expect(newCipher.decrypt(first?.encryptedAccessToken ?? '', toId(1))).toBe('access');
  expect(newCipher.decrypt(first?.encryptedRefreshToken ?? '', toId(1))).toBe('refresh');
  expect(second).toEqual(before);
});

it('says at the start that tokens are under a key that is not configured', async () => {
  await addPeople([1, 2]);
  await connect(1, { access: oldCipher, refresh: null });
  await connect(2, { access: newCipher, refresh: null });
  const warn = async (tokenCipher: TokenCipher) => {
    const told: unknown[] = [];
    const logger = { error: (counts: unknown) => told.push(counts), debug: expect.unreachable };
    await warnOfWrongKey({ database: db.database, tokenCipher, logger });
    return told;
  };
  expect(await warn(newCipher)).toEqual([{ readable: 1, unreadable: 1 }]);
  expect(await warn(rotating)).toEqual([]);
});

it('takes any number of rows, a batch at a time', async () => {
  const people = Array.from({ length: 501 }, (_, number) => number);
  await addPeople(people);
  await db.database.providerConnection.createMany({
    data: people.map((number) => ({
      userId: toId(number),
      encryptedAccessToken: oldCipher.encrypt('access', toId(number)),
      accessTokenExpiresAt: new Date(),
      scope: '',
    })),
  });
  expect(await reencrypt()).toEqual({ reencrypted: 501, current: 0, changed: 0, unreadable: 0 });
  expect(await reencrypt()).toEqual({ reencrypted: 0, current: 501, changed: 0, unreadable: 0 });
});

it('leaves a text that neither key reads, names its place, and goes on', async () => {
  await addPeople([1, 2]);
  await connect(1, { access: createTokenCipher({ current: Buffer.alloc(32, 9) }), refresh: oldCipher });
  await connect(2, { access: oldCipher, refresh: null });
  const [before] = await listConnections();
  expect(await reencrypt()).toEqual({ reencrypted: 2, current: 0, changed: 0, unreadable: 1 });
  expect((await listConnections())[0]?.encryptedAccessToken).toBe(before?.encryptedAccessToken);
  expect(logged).toMatchObject([
    { err: { name: 'TokenCipherError' }, table: 'ProviderConnection', column: 'encryptedAccessToken' },
  ]);
  expect(logged[0]).toHaveProperty('key', toId(1));
});

it('counts a text that was written or deleted while it was at it as changed, and leaves it', async () => {
  await addPeople([1, 2]);
  await connect(1, { access: oldCipher, refresh: null });
  await connect(2, { access: oldCipher, refresh: null });
  const renewed = newCipher.encrypt('renewed', toId(1));
  const changes = [
    () =>
      db.query('UPDATE "ProviderConnection" SET "encryptedAccessToken" = $1 WHERE "userId" = $2', [
        renewed,
        toId(1),
      ]),
    () => db.query('DELETE FROM "ProviderConnection" WHERE "userId" = $1', [toId(2)]),
  ];
  const meddling = new Proxy(db.database, {
    get: (target, name) =>
      name === '$executeRaw'
        ? async (...query: Parameters<typeof target.$executeRaw>) => {
            await changes.shift()?.();
            return target.$executeRaw(...query);
          }
        : Reflect.get(target, name, target),
  });
  expect(await reencrypt({ database: meddling })).toEqual({
    reencrypted: 0,
    current: 0,
    changed: 2,
    unreadable: 0,
  });
  expect(await listConnections()).toMatchObject([{ encryptedAccessToken: renewed }]);
});

it('stops when the database fails', async () => {
  await addPeople([1]);
  await connect(1, { access: oldCipher, refresh: null });
  await db.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'disk full'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON "ProviderConnection" EXECUTE FUNCTION refuse();`);
  onTestFinished(async () => void (await db.query('DROP FUNCTION refuse CASCADE')));
  await expect(reencrypt()).rejects.toThrow('disk full');
  expect(logged).toEqual([]);
});

it('knows sign-ins in flight too', async () => {
  await db.query(
    `INSERT INTO "PendingLogin" ("stateHash", "browserHash", "nonce", "encryptedCodeVerifier", "expiresAt")
     VALUES ('hash', '', '', $1, now())`,
    [oldCipher.encrypt('verifier', 'hash')],
  );
  expect(await reencrypt({ place: LOGINS })).toEqual({
    reencrypted: 1,
    current: 0,
    changed: 0,
    unreadable: 0,
  });
  const [login] = await db.query<{ encryptedCodeVerifier: string }>('SELECT * FROM "PendingLogin"');
  expect(newCipher.decrypt(login?.encryptedCodeVerifier ?? '', 'hash')).toBe('verifier');
});

const reencrypt = ({
  database = db.database,
  place = CONNECTIONS,
}: {
  database?: TestDatabase['database'];
  place?: EncryptedColumns | undefined;
} = {}): Promise<ReencryptCounts> => {
  if (place === undefined) throw new Error('there is no such table');
  const logger = { error: (fields: unknown) => void logged.push(fields) };
  return reencryptTable({ database, tokenCipher: rotating, logger }, place);
};

const toId = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

const addPeople = (numbers: number[]) =>
  db.query(
    `INSERT INTO "User" ("id", "providerSubject", "email") SELECT id::uuid, id, 'ada@example.com' FROM unnest($1::text[]) AS id`,
    [numbers.map(toId)],
  );

const connect = (number: number, by: { access: TokenCipher; refresh: TokenCipher | null }) =>
  db.database.providerConnection.create({
    data: {
      userId: toId(number),
      encryptedAccessToken: by.access.encrypt('access', toId(number)),
      encryptedRefreshToken: by.refresh?.encrypt('refresh', toId(number)) ?? null,
      accessTokenExpiresAt: new Date(),
      scope: '',
    },
  });

const listConnections = () =>
  db.query<{ encryptedAccessToken: string; encryptedRefreshToken: string | null }>(
    'SELECT "encryptedAccessToken", "encryptedRefreshToken" FROM "ProviderConnection" ORDER BY "userId"',
  );

let db: TestDatabase;
let logged: unknown[];
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  await db.query('DELETE FROM "User"');
  logged = [];
});
afterAll(() => db.drop());
