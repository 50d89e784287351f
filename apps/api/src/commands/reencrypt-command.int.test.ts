import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openTestMailsweep } from '@mailsweep/core/testing';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import type { MessageFacts } from '@mailsweep/mail/mailbox';
import { createMessageStores } from '@mailsweep/mail/message-cache';
import { createTokenCipher, deriveMessageKeys } from '@mailsweep/mail/provider-connection';
import { readInherited } from '@mailsweep/service-kit/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runReencryptCommand } from './reencrypt-command.ts';

const OLD_KEY = Buffer.alloc(32, 1);
const NEW_KEY = Buffer.alloc(32, 2);
const oldCipher = createTokenCipher({ current: OLD_KEY });
const newCipher = createTokenCipher({ current: NEW_KEY });
const rotating = createTokenCipher({ current: NEW_KEY, previous: OLD_KEY });

describe('R09: the re-encrypt command', () => {
  test('brings every stored ciphertext under the current key', async () => {
    const people = [await connect(oldCipher), await connect(oldCipher)];
    await beginLogin('state-hash');
    await insertNotification(people[0] ?? '');

    expect(await run()).toBe(0);

    const rows = await readConnections();
    expect(rows).toHaveLength(people.length);
    for (const { userId, encryptedAccessToken, encryptedRefreshToken } of rows) {
      expect(newCipher.decrypt(encryptedAccessToken, userId)).toBe(`access-of-${userId}`);
      expect(newCipher.decrypt(encryptedRefreshToken ?? '', userId)).toBe(`refresh-of-${userId}`);
    }
    const [login] = await db.query<{ encryptedCodeVerifier: string }>('SELECT * FROM "PendingLogin"');
    expect(newCipher.decrypt(login?.encryptedCodeVerifier ?? '', 'state-hash')).toBe('verifier');
    const [notification] = await db.query<{ encryptedContent: string }>('SELECT * FROM "Notification"');
    expect(newCipher.decrypt(notification?.encryptedContent ?? '', NOTIFICATION_ID)).toBe('content');
    const [browser] = await db.query<{ encryptedSubscription: string }>('SELECT * FROM "PushSubscription"');
    expect(newCipher.decrypt(browser?.encryptedSubscription ?? '', 'browser')).toBe('endpoint');
    expect(said[0]).toBe(
      'ProviderConnection: 4 re-encrypted, 0 already current, 0 changed meanwhile, 0 unreadable',
    );
  });

  test('changes nothing when it is run again', async () => {
    await connect(oldCipher);
    expect(await run()).toBe(0);
    const before = await readConnections();

    expect(await run()).toBe(0);
    expect(await readConnections()).toEqual(before);
    expect(said.filter((line) => line.startsWith('ProviderConnection')).at(-1)).toContain(
      '0 re-encrypted, 2 already current',
    );
  });

  test('leaves a connection without a refresh token without one', async () => {
    const userId = await connect(oldCipher);
    await db.query('UPDATE "ProviderConnection" SET "encryptedRefreshToken" = NULL WHERE "userId" = $1', [
      userId,
    ]);

    expect(await run()).toBe(0);
    expect((await readConnections())[0]?.encryptedRefreshToken).toBeNull();
  });

  test('never overwrites a token that the service stored between its reading and its writing', async () => {
    const userId = await connect(oldCipher);
    const fresh = newCipher.encrypt('access-renewed', userId);
    // The service writes at the very moment at which the command has read the row.
    const interrupted = {
      ...rotating,
      decrypt(ciphertext: string, owner: string) {
        interruptions.push(
          db.query(
            'UPDATE "ProviderConnection" SET "encryptedAccessToken" = $1 WHERE "encryptedAccessToken" = $2',
            [fresh, ciphertext],
          ),
        );
        return rotating.decrypt(ciphertext, owner);
      },
      encrypt: rotating.encrypt,
    };
    const interruptions: Promise<unknown>[] = [];
    const slow = new Proxy(db.database, {
      get: (target, name) =>
        name === '$executeRaw'
          ? async (...query: Parameters<typeof target.$executeRaw>) => {
              await Promise.all(interruptions);
              return target.$executeRaw(...query);
            }
          : Reflect.get(target, name, target),
    });

    expect(await run({ database: slow, tokenCipher: interrupted })).toBe(0);
    expect((await readConnections())[0]?.encryptedAccessToken).toBe(fresh);
    expect(said[0]).toContain('1 re-encrypted, 0 already current, 1 changed meanwhile');
  });

  test('brings kept messages under the current key, and keeps the email of a sender together', async () => {
    const userId = await connect(newCipher);
    await openStore(userId, OLD_KEY).begin(1n);
    await keep(userId, OLD_KEY, mailIds(1_203));
    await keep(userId, NEW_KEY, ['new']);
    const countSenders = () => db.query('SELECT DISTINCT "senderKey" FROM "CachedMessage"');
    expect(await countSenders()).toHaveLength(2);

    expect(await run()).toBe(0);
    expect(said.at(-1)).toBe(
      'CachedMessage: 1203 re-encrypted, 1 already current, 0 changed meanwhile, 0 unreadable and dropped',
    );
    expect(await countSenders()).toHaveLength(1);
    const snapshot = await openStore(userId, NEW_KEY).readMessages([...mailIds(1_203), 'new']);
    expect(snapshot?.cached.size).toBe(1_204);
    expect(snapshot?.cached.get('m7')?.facts).toMatchObject({ from: SENDER, subject: 'Subject of m7' });

    expect(await run()).toBe(0);
    expect(said.at(-1)).toContain('0 re-encrypted, 1204 already current');
  });

  test('keeps a sender protected whichever key a message has', async () => {
    const userId = await connect(newCipher);
    await openStore(userId, OLD_KEY).begin(1n);
    await keep(userId, OLD_KEY, ['old']);
    const [sender] = await listSenders(userId);
    await openMailsweep(OLD_KEY).protections.protect(userId, sender?.id ?? '');
    const rule = await openMailsweep(OLD_KEY).rules.create(
      userId,
      {
        condition: { type: 'sender', sender: sender?.id ?? '' },
        olderThan: 0,
        action: 'archive',
        enabled: true,
      },
      { address: null, browser: null },
    );
    await keep(userId, NEW_KEY, ['new']);
    const halfway = new Proxy(db.database, {
      get(target, name) {
        if (name !== '$queryRaw') return Reflect.get(target, name, target);
        return (...query: Parameters<typeof target.$queryRaw>) => {
          const isOfMessages =
            query[0] && 'join' in query[0] && query[0].join('').includes('"CachedMessage"');
          if (isOfMessages) throw new Error('stopped halfway');
          return target.$queryRaw(...query);
        };
      },
    });
    await expect(run({ database: halfway })).rejects.toThrow('stopped halfway');
    expect(await listSenders(userId)).toMatchObject([{ protected: true }, { protected: true }]);

    expect(await run()).toBe(0);
    const [renewed, ...others] = await listSenders(userId);
    expect(others).toEqual([]);
    expect(renewed).toMatchObject({ protected: true, mails: 2 });
    const { data } = await openMailsweep(NEW_KEY).protections.list(userId, { page: 1, perPage: 20 });
    expect(data).toMatchObject([{ id: renewed?.id, from: SENDER }]);
    expect(await db.query('SELECT "formerKey" FROM "Protection"')).toEqual([{ formerKey: null }]);
    expect(said).toContainEqual(expect.stringContaining('Protection: 1 re-encrypted'));
    expect(await openMailsweep(NEW_KEY).rules.find(userId, rule.id)).toMatchObject({
      condition: { sender: renewed?.id, from: SENDER },
    });
    expect(await db.query('SELECT "formerKey" FROM "RuleSender"')).toEqual([{ formerKey: null }]);
    expect(said).toContainEqual(expect.stringContaining('Rule: 1 re-encrypted'));
  });

  test('keeps a domain protected whichever key a message has', async () => {
    const userId = await connect(newCipher);
    await openStore(userId, OLD_KEY).begin(1n);
    await keep(userId, OLD_KEY, ['old']);
    await openMailsweep(OLD_KEY).protections.protectByName(userId, 'shop.example');
    expect(await listSenders(userId)).toMatchObject([{ protected: true }]);
    expect(await run()).toBe(0);
    expect(await listSenders(userId)).toMatchObject([{ protected: true }]);
    await keep(userId, NEW_KEY, ['new']);
    expect(await listSenders(userId)).toMatchObject([{ protected: true, mails: 2 }]);
    const former = await db.query<{ former: number }>(
      `SELECT count(*)::int AS "former" FROM "SenderName" AS named WHERE NOT EXISTS (
         SELECT FROM "CachedMessage" AS message WHERE message."senderKey" = named."senderKey")`,
    );
    expect(former).toEqual([{ former: 0 }]);
  });

  test('keeps a mailing list protected whichever key a message has', async () => {
    const userId = await connect(newCipher);
    await openStore(userId, OLD_KEY).begin(1n);
    const facts = { listAddress: 'dev@lists.example' };
    await keep(userId, OLD_KEY, ['old'], facts);
    const listLists = async (key: Buffer) => {
      const query = { page: 1, perPage: 20, sort: 'mails' as const, by: 'list' as const };
      return (await openMailsweep(key).senders.list(userId, query)).data;
    };
    const [list] = await listLists(OLD_KEY);
    await openMailsweep(OLD_KEY).protections.protect(userId, list?.id ?? '');
    expect(await run()).toBe(0);
    await keep(userId, NEW_KEY, ['new'], facts);
    expect(await listLists(NEW_KEY)).toMatchObject([{ protected: true, mails: 2 }]);
    expect(
      (await openMailsweep(NEW_KEY).protections.list(userId, { page: 1, perPage: 20 })).data,
    ).toMatchObject([{ type: 'list', from: 'dev@lists.example' }]);
  });

  test('keeps whom the user has written to, also where that was noted again, and mailing lists', async () => {
    const userId = await connect(newCipher);
    await openStore(userId, OLD_KEY).begin(1n);
    const facts = { recipients: [SENDER, 'dev@lists.example'], listAddress: 'dev@lists.example' };
    await keep(userId, OLD_KEY, ['sent', 'old'], { labels: ['SENT'], ...facts });
    await keep(userId, NEW_KEY, ['new'], { labels: ['SENT'], ...facts, recipients: [SENDER] });

    expect(await run()).toBe(0);
    expect(
      await db.query(
        `SELECT count(*)::int AS "found", count("formerKey")::int AS "former" FROM "WrittenTo" AS known
         JOIN "CachedMessage" AS message ON known."senderKey" IN (message."senderKey", message."listKey")
         WHERE message."emailId" = 'old'`,
      ),
    ).toEqual([{ found: 2, former: 0 }]);
    expect(await db.query('SELECT FROM "WrittenTo"')).toHaveLength(2);
    expect(said).toContainEqual(expect.stringContaining('WrittenTo: 2 re-encrypted'));
  });

  test('keeps what became of requests to unsubscribe', async () => {
    const userId = await connect(newCipher);
    await openStore(userId, OLD_KEY).begin(1n);
    await keep(userId, OLD_KEY, ['old']);
    const [sender] = await listSenders(userId);
    const client = { address: null, browser: null };
    await openMailsweep(OLD_KEY).unsubscribing.request(userId, sender?.id ?? '', client);

    expect(await run()).toBe(0);
    expect(await listSenders(userId)).toMatchObject([{ unsubscribe: { state: 'requested' } }]);
    const request = await db.database.unsubscribe.findFirstOrThrow({ where: { userId } });
    const { cipher } = deriveMessageKeys({ current: NEW_KEY });
    expect(JSON.parse(cipher.decrypt(request.encryptedRequest, `${userId}\nunsubscribe`))).toEqual({
      from: SENDER,
      url: OFFER.oneClick,
    });
    expect(said).toContainEqual(expect.stringContaining('Unsubscribe: 1 re-encrypted'));
  });

  test('keeps what was learned about a sender, also from email that is not cached any more', async () => {
    const userId = await connect(newCipher);
    await openStore(userId, OLD_KEY).begin(1n);
    await keep(userId, OLD_KEY, ['m1', 'm2', 'm3', 'm4']);
    await db.query(
      `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "senderKey", "batchId")
       SELECT gen_random_uuid(), "userId", "emailId", 'reject', now(),
         '{"suggestions": [{"action": "archive", "classification": "bulk", "confidence_score": 0.9}]}', "senderKey", gen_random_uuid()
       FROM "CachedMessage" WHERE "emailId" <> 'm4'`,
    );
    await db.query(`DELETE FROM "CachedMessage" WHERE "emailId" IN ('m1', 'm2')`);
    const { id: stopId } = await findStopped(userId);

    expect(await run()).toBe(0);
    const [sender] = await listSenders(userId);
    expect(await findStopped(userId)).toEqual({ id: stopId, sender: sender?.id });
    expect(
      await db.query(`SELECT encode("senderKey", 'hex') AS "sender", "decided" FROM "SenderAcceptance"`),
    ).toEqual([{ sender: sender?.id, decided: 3 }]);
  });

  test('drops kept messages that neither key reads: they can be had again', async () => {
    const userId = await connect(newCipher);
    await openStore(userId, OLD_KEY).begin(1n);
    await keep(userId, Buffer.alloc(32, 9), ['lost']);
    await keep(userId, OLD_KEY, ['good']);

    expect(await run()).toBe(0);
    expect(said.at(-1)).toBe(
      'CachedMessage: 1 re-encrypted, 0 already current, 0 changed meanwhile, 1 unreadable and dropped',
    );
    expect(await db.query('SELECT "emailId" FROM "CachedMessage"')).toEqual([{ emailId: 'good' }]);
  });

  test('never overwrites a message that the service kept between its reading and its writing', async () => {
    const userId = await connect(newCipher);
    await openStore(userId, OLD_KEY).begin(1n);
    await keep(userId, OLD_KEY, ['one', 'two']);
    let reads = 0;
    const slow = new Proxy(db.database, {
      get: (target, name) =>
        name === '$queryRaw'
          ? async (...query: Parameters<typeof target.$queryRaw>) => {
              const rows = await target.$queryRaw(...query);
              const isOfMessages =
                query[0] && 'join' in query[0] && query[0].join('').includes('"CachedMessage"');
              reads += isOfMessages ? 1 : 0;
              if (isOfMessages && reads === 1) await keep(userId, NEW_KEY, ['two'], { subject: 'Later' });
              return rows;
            }
          : Reflect.get(target, name, target),
    });

    expect(await run({ database: slow })).toBe(0);
    expect(said.slice(-2)).toEqual([
      'CachedMessage: 1 re-encrypted, 0 already current, 1 changed meanwhile, 0 unreadable and dropped',
      'CachedMessage: 0 re-encrypted, 2 already current, 0 changed meanwhile, 0 unreadable and dropped',
    ]);
    const snapshot = await openStore(userId, NEW_KEY).readMessages(['two']);
    expect(snapshot?.cached.get('two')?.facts.subject).toBe('Later two');
  });

  test('ends with code 1 when neither key reads a text, leaves it as it is, and goes on with the others', async () => {
    const lost = await connect(createTokenCipher({ current: Buffer.alloc(32, 9) }));
    const [before] = await readConnections();
    const good = await connect(oldCipher);

    expect(await run()).toBe(1);
    expect(said[0]).toContain('2 re-encrypted, 0 already current, 0 changed meanwhile, 2 unreadable');
    expect(logged).toEqual([
      expect.objectContaining({ table: 'ProviderConnection', column: 'encryptedAccessToken', key: lost }),
      expect.objectContaining({ table: 'ProviderConnection', column: 'encryptedRefreshToken', key: lost }),
    ]);
    const rows = new Map((await readConnections()).map((row) => [row.userId, row]));
    expect(rows.get(lost)).toEqual(before);
    expect(newCipher.decrypt(rows.get(good)?.encryptedAccessToken ?? '', good)).toBe(`access-of-${good}`);
  });
});

describe('the command line', () => {
  const start = async (env: Record<string, string>) => {
    const main = fileURLToPath(new URL('../reencrypt.ts', import.meta.url));
    const child = spawn(process.execPath, [main], {
      env: { ...readInherited(), ...env, LOG_LEVEL: 'error' },
    });
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    return { code, stdout, stderr };
  };

  test('takes keys and database from the environment', async () => {
    const userId = await connect(oldCipher);
    const { code, stdout } = await start({
      DATABASE_URL: db.url,
      TOKEN_ENCRYPTION_KEY: NEW_KEY.toString('base64'),
      TOKEN_ENCRYPTION_KEY_PREVIOUS: OLD_KEY.toString('base64'),
    });

    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('2 re-encrypted') });
    const [row] = await readConnections();
    expect(newCipher.decrypt(row?.encryptedAccessToken ?? '', userId)).toBe(`access-of-${userId}`);
  });

  test('names what is missing', async () => {
    const { code, stderr } = await start({});
    expect(code).toBe(1);
    expect(stderr).toContain('TOKEN_ENCRYPTION_KEY: is required');
    expect(stderr).toContain('DATABASE_URL: is required');
  });
});

const connect = async (cipher: ReturnType<typeof createTokenCipher>): Promise<string> => {
  const userId = uuidv7();
  await db.query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, $2, 'a@example.com')`, [
    userId,
    userId,
  ]);
  await db.query(
    `INSERT INTO "ProviderConnection" ("userId", "encryptedAccessToken", "encryptedRefreshToken", "accessTokenExpiresAt", "scope")
     VALUES ($1, $2, $3, now(), '')`,
    [userId, cipher.encrypt(`access-of-${userId}`, userId), cipher.encrypt(`refresh-of-${userId}`, userId)],
  );
  return userId;
};

const beginLogin = (stateHash: string) =>
  db.query(
    `INSERT INTO "PendingLogin" ("stateHash", "browserHash", "nonce", "encryptedCodeVerifier", "expiresAt")
     VALUES ($1, '', '', $2, now())`,
    [stateHash, oldCipher.encrypt('verifier', stateHash)],
  );

const NOTIFICATION_ID = uuidv7();
/** A notification that waits, and the browser that it is for. */
const insertNotification = async (userId: string) => {
  await db.query(
    `INSERT INTO "Notification" ("id", "userId", "kind", "key", "encryptedContent", "dueAt", "createdAt")
     VALUES ($1, $2, 'alert', 'alert:1', $3, now(), now())`,
    [NOTIFICATION_ID, userId, oldCipher.encrypt('content', NOTIFICATION_ID)],
  );
  await db.query(
    `INSERT INTO "PushSubscription" ("id", "userId", "encryptedSubscription", "language")
     VALUES ('browser', $1, $2, 'en')`,
    [userId, oldCipher.encrypt('endpoint', 'browser')],
  );
};

const SENDER = 'News <news@shop.example>';
const OFFER = { oneClick: 'https://shop.example/u', link: 'https://shop.example/u', isSigned: true };
const mailIds = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`);

const openStore = (userId: string, key: Buffer) =>
  createMessageStores({ database: db.database, ...deriveMessageKeys({ current: key }) })(userId);

const openMailsweep = (current: Buffer, previous?: Buffer) =>
  openTestMailsweep({ database: db.database, ...deriveMessageKeys({ current, previous }) });

const findStopped = async (userId: string) => {
  const { learning } = openMailsweep(NEW_KEY, OLD_KEY);
  const { data } = await learning.listStopped(userId, { page: 1, perPage: 20 });
  return { id: data[0]?.id, sender: data[0]?.sender };
};

const listSenders = async (userId: string) => {
  const { senders } = openMailsweep(NEW_KEY, OLD_KEY);
  return (await senders.list(userId, { page: 1, perPage: 20, sort: 'mails' })).data;
};

/** Keeps messages of one sender under a key, as the service does. */
const keep = (
  userId: string,
  key: Buffer,
  ids: string[],
  {
    labels = ['INBOX'],
    subject = 'Subject of',
    ...facts
  }: Partial<MessageFacts> & { labels?: string[] } = {},
) =>
  openStore(userId, key).save(
    ids.map((id) => ({
      completeUpTo: 1n,
      message: {
        id,
        historyId: 1n,
        labels,
        facts: {
          threadId: 'conversation',
          from: SENDER,
          subject: `${subject} ${id}`,
          snippet: '',
          receivedAt: new Date(0),
          sizeBytes: 1,
          attachmentCount: 0,
          attachmentBytes: 0,
          isInvitation: false,
          isSenderUnclear: false,
          failsDmarc: false,
          unsubscribe: OFFER,
          ...facts,
        },
      },
    })),
  );

const readConnections = () =>
  db.query<{ userId: string; encryptedAccessToken: string; encryptedRefreshToken: string | null }>(
    'SELECT "userId", "encryptedAccessToken", "encryptedRefreshToken" FROM "ProviderConnection"',
  );

const run = (changes: Partial<Parameters<typeof runReencryptCommand>[0]> = {}) =>
  runReencryptCommand({
    database: db.database,
    tokenCipher: rotating,
    messageKeys: deriveMessageKeys({ current: NEW_KEY, previous: OLD_KEY }),
    logger: { error: (fields: unknown) => void logged.push(fields) },
    say: (line) => void said.push(line),
    ...changes,
  });

let db: TestDatabase;
let said: string[];
let logged: unknown[];
beforeEach(async () => {
  db = await createTestDatabase();
  said = [];
  logged = [];
});
afterEach(() => db.drop());
