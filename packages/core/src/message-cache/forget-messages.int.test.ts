import type { Database } from '@mailsweep/database';
import { forgetUnreadMessages } from '@mailsweep/mail/message-cache';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inboxMail, type MailboxBench, openMailboxBench } from '../testing/mailbox-bench.ts';

const GRACE = '019a0000-0000-7000-8000-000000000002';
/** All columns but the primary key and the generated ones. */
const COPIED_COLUMNS =
  '"generation", "historyId", "labels", "receivedAt", "sizeBytes", "attachmentCount", "attachmentBytes", "senderKey", "encryptedText"';
const PAGE = { scope: 'inbox', pageSize: 20 } as const;

describe('messages that were not read for long', () => {
  test('are forgotten, with what a scan knew to be complete, and read again as they are asked for', async () => {
    const { mailbox } = bench.openProcess();
    const before = await mailbox.listEmails(PAGE);
    await lookedAt('91 days');

    expect(await forget(90)).toEqual({ users: 1, messages: 20 });
    expect(await readGenerations()).toEqual([2]);
    expect(await bench.query('SELECT FROM "CachedMessage"')).toEqual([]);
    await bench.gmail.change('m1', { added: ['STARRED'] });
    await bench.gmail.expireHistory();
    const after = await mailbox.listEmails(PAGE);
    expect(after.emails.map(({ id }) => id)).toEqual(before.emails.map(({ id }) => id));
    expect(after.emails[1]?.labels).toContain('STARRED');
    expect(await bench.query('SELECT FROM "CachedMessage"')).toHaveLength(20);
  });

  test('are forgotten once', async () => {
    await bench.openProcess().mailbox.listEmails(PAGE);
    await lookedAt('91 days');
    await forget(90);

    expect(await forget(90)).toEqual({ users: 0, messages: 0 });
    expect(await readGenerations()).toEqual([2]);
  });

  test('are forgotten for so many users at a time, those first who have been away the longest', async () => {
    await bench.openProcess().mailbox.listEmails(PAGE);
    await lookedAt('91 days');
    await bench.query(`
      INSERT INTO "User" ("id", "providerSubject", "email") VALUES ('${GRACE}', 'grace', '');
      INSERT INTO "MailboxSync" ("userId", "historyId", "syncedAt")
        VALUES ('${GRACE}', 1, now() - interval '92 days');
      INSERT INTO "CachedMessage" ("userId", "emailId", ${COPIED_COLUMNS})
        SELECT '${GRACE}', "emailId", ${COPIED_COLUMNS} FROM "CachedMessage" WHERE "emailId" IN ('m0', 'm1');`);

    expect(await forgetUnreadMessages(database, 90, 1)).toEqual({ users: 1, messages: 2 });
    expect(await forgetUnreadMessages(database, 90, 1)).toEqual({ users: 1, messages: 20 });
  });

  test('stay while their time has not come', async () => {
    await bench.openProcess().mailbox.listEmails(PAGE);
    await lookedAt('89 days');

    expect(await forget(90)).toEqual({ users: 0, messages: 0 });
    expect(await bench.query('SELECT FROM "CachedMessage"')).toHaveLength(20);
  });

  test('stay when the user has just come back', async () => {
    const { mailbox } = bench.openProcess();
    await mailbox.listEmails(PAGE);
    await lookedAt('91 days');
    await mailbox.listEmails(PAGE);

    expect(await forget(90)).toEqual({ users: 0, messages: 0 });
  });
});

const forget = (days: number) => forgetUnreadMessages(database, days, 10);

const lookedAt = (ago: string) =>
  bench.query(`UPDATE "MailboxSync" SET "syncedAt" = now() - interval '${ago}'`);

const readGenerations = async () =>
  (await bench.query<{ generation: number }>('SELECT "generation" FROM "MailboxSync"')).map(
    ({ generation }) => generation,
  );

let bench: MailboxBench;
let database: Database;
beforeEach(async () => {
  bench = await openMailboxBench(inboxMail(20));
  database = bench.database;
});
afterEach(() => bench.close());
