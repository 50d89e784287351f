import { migrateDatabase, rollbackMigration } from '@mailsweep/database/migrate';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimDueWork } from './due-work.repository.ts';

/** Every piece of work is due; that of the first user is leased to a process of the version before. */
const ROWS_OF_THEN = `
  WITH owner AS (
    INSERT INTO "User" ("id", "providerSubject", "email")
    SELECT gen_random_uuid(), n::text, 'ada@example.com' FROM generate_series(1, 2) AS n
    RETURNING "id", CASE WHEN "providerSubject" = '1' THEN now() + interval '5 minutes' END AS "leasedUntil"),
  watch AS (
    INSERT INTO "MailboxWatch" ("userId", "runId", "leasedUntil")
    SELECT "id", CASE WHEN "leasedUntil" IS NOT NULL THEN gen_random_uuid() END, "leasedUntil" FROM owner),
  request AS (
    INSERT INTO "Unsubscribe" ("id", "userId", "senderKey", "encryptedRequest", "state", "dueAt", "leasedUntil")
    SELECT gen_random_uuid(), "id", '', '', 'requested', now(), "leasedUntil" FROM owner),
  preferences AS (INSERT INTO "UserPreferences" ("userId", "digestDueAt") SELECT "id", now() FROM owner)
  INSERT INTO "Notification" ("id", "userId", "kind", "key", "dueAt", "createdAt", "runId", "leasedUntil")
  SELECT gen_random_uuid(), "id", 'alert', 'alert', now(), now(),
    CASE WHEN "leasedUntil" IS NOT NULL THEN gen_random_uuid() END, "leasedUntil" FROM owner`;

test.each([
  ['watch', 'MailboxWatch'],
  ['unsubscribe', 'Unsubscribe'],
  ['notification', 'Notification'],
] as const)(
  'a %s of the version before goes on after the upgrade, once its lease is over',
  async (kind, table) => {
    expect(await claimDueWork(db.database, kind)).not.toBeNull();
    expect(await claimDueWork(db.database, kind)).toBeNull();
    await db.query(
      `UPDATE "${table}" SET "leasedUntil" = now() - interval '1 s' WHERE "leasedUntil" IS NOT NULL`,
    );
    expect(await claimDueWork(db.database, kind)).not.toBeNull();
    expect(await claimDueWork(db.database, kind)).not.toBeNull();
  },
);

test('digests that were due before the upgrade are due', async () => {
  expect(await claimDueWork(db.database, 'digest')).not.toBeNull();
  expect(await claimDueWork(db.database, 'digest')).not.toBeNull();
});

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
  let name: string | null = null;
  while (name !== 'all_due_work') name = await rollbackMigration({ databaseUrl: db.ownerUrl });
  await db.query(ROWS_OF_THEN);
  await migrateDatabase({ databaseUrl: db.ownerUrl });
});
afterEach(() => db.drop());
