import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createUnsubscribing } from '@mailsweep/core';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { startTestGmail, type TestGmail } from '@mailsweep/google-sandbox/testing/gmail';
import { createMessageStores } from '@mailsweep/message-cache';
import { deriveMessageKeys } from '@mailsweep/provider-connection';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startListServer } from '../testing/list-server.ts';
import { insertConnectedUser, startWorkerProcess } from '../testing/worker-process.ts';

const TAKE_OVER_MS = 60_000;

test(
  'a request whose worker is killed after the call is repeated by another one, and only then',
  async () => {
    let onRequest = (): void => undefined;
    const server = await startListServer(['localhost'], (response, number) => {
      if (number === 1) onRequest();
      else response.end();
    });
    await ask(`https://localhost:${server.port}/off?token=secret`);
    const env = { ALLOW_PRIVATE_ADDRESSES: 'webhook,unsubscribe', NODE_EXTRA_CA_CERTS: server.certPath };
    const first = await startWorkerProcess(db, gmail.url, env);
    onRequest = () => void first.kill('SIGKILL');
    await once(first, 'exit');
    expect(await readRow()).toMatchObject({ state: 'requested', attempts: 0 });
    expect(server.requests).toHaveLength(1);

    await startWorkerProcess(db, gmail.url, env);
    await startWorkerProcess(db, gmail.url, env);
    await db.query(`UPDATE "Unsubscribe" SET "leasedUntil" = now()`);
    await expect
      .poll(async () => (await readRow()).state, { timeout: TAKE_OVER_MS, interval: 200 })
      .toBe('accepted');
    expect(server.requests.map(({ body, path }) => ({ body, path }))).toEqual(
      Array.from({ length: 2 }, () => ({ body: 'List-Unsubscribe=One-Click', path: '/off?token=secret' })),
    );
  },
  TAKE_OVER_MS + 60_000,
);

test('a worker calls no private address, unless the operator allows that', async () => {
  const server = await startListServer(['localhost']);
  await ask(`https://localhost:${server.port}/off`);
  await startWorkerProcess(db, gmail.url, { NODE_EXTRA_CA_CERTS: server.certPath });
  await expect
    .poll(readRow, { timeout: TAKE_OVER_MS, interval: 200 })
    .toMatchObject({ state: 'refused', error: 'address_refused' });
  expect(server.requests).toEqual([]);
});

const keys = deriveMessageKeys({ current: Buffer.alloc(32, 1) });

const readRow = () => db.database.unsubscribe.findFirstOrThrow({ where: { userId } });

/** Has the user unsubscribe from a sender with such an address. */
const ask = async (oneClick: string) => {
  const { database } = db;
  const store = createMessageStores({ database, ...keys })(userId);
  await store.begin(1n);
  const facts = {
    threadId: 'm1',
    from: 'News <news@list.example>',
    subject: '',
    snippet: '',
    receivedAt: new Date(),
    sizeBytes: 1,
    attachmentCount: 0,
    attachmentBytes: 0,
    isInvitation: false,
    unsubscribe: { oneClick, link: oneClick },
  };
  await store.save([{ completeUpTo: 1n, message: { id: 'm1', historyId: 1n, labels: ['INBOX'], facts } }]);
  const { senderKey } = await database.cachedMessage.findFirstOrThrow({ where: { userId } });
  const senderId = Buffer.from(senderKey).toString('hex');
  const unsubscribing = createUnsubscribing({ database, ...keys });
  await unsubscribing.unsubscribe(userId, senderId, { address: null, browser: null });
};

const userId = randomUUID();
let db: TestDatabase;
let gmail: TestGmail;
beforeEach(async () => {
  db = await createTestDatabase();
  gmail = await startTestGmail();
  await insertConnectedUser(db, userId);
});
afterEach(async () => {
  await gmail.close();
  await db.drop();
});
