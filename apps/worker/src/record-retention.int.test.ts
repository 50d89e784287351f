import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { eventually } from '@mailsweep/event-bus/testing';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startRecordRetention } from './record-retention.ts';

const USER_ID = '019a0000-0000-7000-8000-000000000001';

test('a worker deletes ended sessions, abandoned sign-ins, old audit entries and idempotency keys, however many, and nothing else', async () => {
  await insertSessions(1_200, `now() - interval '1 s', NULL`);
  await insertSessions(1, `now() + interval '1 h', now()`);
  await insertSessions(2, `now() + interval '1 h', NULL`);
  await insertLogins(1_200, '25 hours');
  await insertLogins(2, '23 hours');
  await insertAuditEntries(1_200, '31 days');
  await insertAuditEntries(2, '29 days');
  await insertIdempotencyKeys(1_200, '25 hours');
  await insertIdempotencyKeys(2, '23 hours');
  const retention = startRecordRetention({
    database: db.database,
    auditRetentionDays: 30,
    logger: createRecordingLogger().logger,
  });
  onTestFinished(() => retention.close());

  await eventually(async () => {
    expect(
      await db.query(`
        SELECT (SELECT count(*)::int FROM "Session") AS "sessions",
          (SELECT count(*)::int FROM "Session" WHERE "revokedAt" IS NULL AND "expiresAt" > now()) AS "live",
          (SELECT count(*)::int FROM "PendingLogin") AS "logins",
          (SELECT count(*)::int FROM "AuditEntry") AS "auditEntries",
          (SELECT count(*)::int FROM "IdempotencyKey") AS "idempotencyKeys"`),
    ).toEqual([{ sessions: 2, live: 2, logins: 2, auditEntries: 2, idempotencyKeys: 2 }]);
  });
});

const insertSessions = (count: number, ends: string) =>
  db.query(
    `INSERT INTO "Session" ("id", "userId", "expiresAt", "revokedAt")
     SELECT gen_random_uuid(), '${USER_ID}', ${ends} FROM generate_series(1, ${count})`,
  );

const insertLogins = (count: number, expiredAgo: string) =>
  db.query(
    `INSERT INTO "PendingLogin" ("stateHash", "browserHash", "nonce", "encryptedCodeVerifier", "expiresAt")
     SELECT gen_random_uuid()::text, '', '', '', now() - interval '${expiredAgo}' FROM generate_series(1, ${count})`,
  );

const insertIdempotencyKeys = (count: number, ago: string) =>
  db.query(
    `INSERT INTO "IdempotencyKey" ("userId", "key", "requestHash", "holderId", "leasedUntil", "createdAt")
     SELECT '${USER_ID}', gen_random_uuid(), '', gen_random_uuid(), now(), now() - interval '${ago}'
     FROM generate_series(1, ${count})`,
  );

const insertAuditEntries = (count: number, ago: string) =>
  db.query(
    `INSERT INTO "AuditEntry" ("id", "userId", "event", "at")
     SELECT gen_random_uuid(), '${USER_ID}', 'signed_in', now() - interval '${ago}' FROM generate_series(1, ${count})`,
  );

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
  await db.query(
    `INSERT INTO "User" ("id", "providerSubject", "email") VALUES ('${USER_ID}', 'ada', 'ada@example.com')`,
  );
});
afterEach(() => db.drop());
