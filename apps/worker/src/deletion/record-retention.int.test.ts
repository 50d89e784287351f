import { createMaintenance } from '@mailsweep/core';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { eventually } from '@mailsweep/event-bus/testing';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startRecordRetention } from './hourly-deletions.ts';

const USER_ID = '019a0000-0000-7000-8000-000000000001';
const OTHER_ID = '019a0000-0000-7000-8000-000000000002';

test('a worker deletes ended sessions and tokens, abandoned sign-ins, old audit entries and idempotency keys, however many, and nothing else', async () => {
  await insertSessions(1_200, `now() - interval '1 s', NULL`);
  await insertSessions(1, `now() + interval '1 h', now()`);
  await insertSessions(2, `now() + interval '1 h', NULL`);
  await insertTokens(1_200, '31 days');
  await insertTokens(2, '29 days');
  await insertLogins(1_200, '25 hours');
  await insertLogins(2, '23 hours');
  await insertAuthorizationRequests(1_200, '25 hours');
  await insertAuthorizationRequests(2, '23 hours');
  await insertAuditEntries(1_200, '181 days');
  await insertAuditEntries(2, '179 days');
  await insertIdempotencyKeys(1_200, '25 hours');
  await insertIdempotencyKeys(2, '23 hours');
  startRetention();

  await eventually(async () => {
    expect(
      await db.query(`
        SELECT (SELECT count(*)::int FROM "Session") AS "sessions",
          (SELECT count(*)::int FROM "Session" WHERE "revokedAt" IS NULL AND "expiresAt" > now()) AS "live",
          (SELECT count(*)::int FROM "PersonalToken") AS "tokens",
          (SELECT count(*)::int FROM "PendingLogin") AS "logins",
          (SELECT count(*)::int FROM "AuthorizationRequest") AS "authorizations",
          (SELECT count(*)::int FROM "AuditEntry") AS "auditEntries",
          (SELECT count(*)::int FROM "IdempotencyKey") AS "idempotencyKeys"`),
    ).toEqual([
      { sessions: 2, live: 2, tokens: 2, logins: 2, authorizations: 2, auditEntries: 2, idempotencyKeys: 2 },
    ]);
  });
});

test('a worker deletes what is older than a user keeps the history, with its counts, and nothing of others', async () => {
  await db.query(
    `INSERT INTO "User" ("id", "providerSubject", "email") VALUES ('${OTHER_ID}', 'bob', 'bob@example.com')`,
  );
  await db.query(
    `INSERT INTO "UserPreferences" ("userId", "historyRetentionDays") VALUES ('${USER_ID}', 30)`,
  );
  await db.query(`INSERT INTO "UserPreferences" ("userId") VALUES ('${OTHER_ID}')`);
  for (const userId of [USER_ID, OTHER_ID]) {
    await insertBatch({ userId, batch: 'old', days: 31, records: 1_200, undone: 600 });
    await insertBatch({ userId, batch: 'between', days: 31, records: 3, undone: 2 });
    await insertBatch({ userId, batch: 'between', days: 29, records: 2, undone: 1 });
    await insertBatch({ userId, batch: 'undoing', days: 31, records: 1 });
    await insertBatch({ userId, batch: 'rule', days: 31, records: 1 });
    await insertEvents(userId, '31 days', 1_001);
    await insertEvents(userId, '29 days', 1);
    await insertSuggestions(userId, '31 days', 1_001);
    await insertSuggestions(userId, '29 days', 1);
  }
  await db.query(`UPDATE "ActionBatch" SET "undoState" = 'running' WHERE "source" = 'undoing'`);
  await insertRule(USER_ID);
  await db.query(
    `UPDATE "ActionBatch" SET "ruleId" = (SELECT "id" FROM "Rule") WHERE "source" = 'rule' AND "userId" = '${USER_ID}'`,
  );
  // The rule archives, and the user has taken back that this email was archived.
  await insertBatch({ userId: USER_ID, batch: 'undone', action: 'archive', days: 31, records: 1, undone: 1 });
  startRetention();

  const readBatches = async (userId: string) =>
    await db.query(
      `SELECT "source", "total", "undone", "changed", "changedUndone", (SELECT count(*)::int FROM "ActionHistory" WHERE "batchId" = batch."id") AS "records"
       FROM "ActionBatch" AS batch WHERE "userId" = '${userId}' ORDER BY "source"`,
    );
  const readCounts = async (userId: string) =>
    await db.query(
      `SELECT (SELECT count(*)::int FROM "NotificationEvent" WHERE "userId" = '${userId}') AS "events",
         (SELECT count(*)::int FROM "EmailSuggestion" WHERE "userId" = '${userId}') AS "suggestions",
         (SELECT count(*)::int FROM "ActionHistory" WHERE "userId" = '${userId}') AS "records"`,
    );
  await eventually(async () => {
    expect(await readBatches(USER_ID)).toEqual([
      { source: 'between', total: 2, undone: 0, changed: 1, changedUndone: 0, records: 2 },
      { source: 'rule', total: 1, undone: 0, changed: 0, changedUndone: 0, records: 1 },
      { source: 'undoing', total: 1, undone: 0, changed: 0, changedUndone: 0, records: 1 },
      { source: 'undone', total: 1, undone: 0, changed: 0, changedUndone: 0, records: 1 },
    ]);
    expect(await readCounts(USER_ID)).toEqual([{ events: 1, suggestions: 1, records: 5 }]);
  });
  expect(await readBatches(OTHER_ID)).toMatchObject([
    { source: 'between', total: 5, undone: 1, records: 5 },
    { source: 'old', total: 1_200, undone: 599, records: 1_200 },
    { source: 'rule' },
    { source: 'undoing' },
  ]);
  expect(await readCounts(OTHER_ID)).toEqual([{ events: 1_002, suggestions: 1_002, records: 1_207 }]);
});

const startRetention = () => {
  const retention = startRecordRetention({
    maintenance: createMaintenance(db.database),
    logger: createRecordingLogger().logger,
  });
  onTestFinished(() => retention.close());
};

/** Inserts records of a batch, of which the first changed nothing, and counts them in it; the source names the batch. */
const insertBatch = async (batch: {
  userId: string;
  batch: string;
  action?: string;
  days: number;
  records: number;
  undone?: number;
}) => {
  const { userId, action = 'delete', days, records, undone = 0 } = batch;
  const taken = Math.max(0, undone - 1);
  const id = `md5('${userId}${batch.batch}')::uuid`;
  const at = `now() - interval '${days} days'`;
  await db.query(
    `INSERT INTO "ActionBatch" AS known ("id", "userId", "source", "action", "startedAt", "total", "undone", "changed", "changedUndone", "unchanged")
     VALUES (${id}, '${userId}', '${batch.batch}', '${action}', ${at}, ${records}, ${taken}, ${records - 1}, ${taken}, 1)
     ON CONFLICT ("id") DO UPDATE SET "total" = known."total" + excluded."total", "undone" = known."undone" + excluded."undone",
       "changed" = known."changed" + excluded."changed", "changedUndone" = known."changedUndone" + excluded."changedUndone",
       "unchanged" = known."unchanged" + excluded."unchanged"`,
  );
  await db.query(
    `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "undoneAt", "batchId")
     SELECT gen_random_uuid(), '${userId}', 'email' || n, '${action}', ${at},
       jsonb_build_object('source', 'inbox', 'gmailResponse', jsonb_build_object('status', CASE WHEN n = 1 THEN 'unchanged' ELSE 'ok' END)),
       CASE WHEN n <= ${undone} THEN now() END, ${id} FROM generate_series(1, ${records}) AS n`,
  );
};

const insertRule = (userId: string) =>
  db.query(
    `INSERT INTO "Rule" ("id", "userId", "classifications", "minConfidence", "olderThan", "action", "enabled", "createdAt", "updatedAt", "countedFrom")
     VALUES (gen_random_uuid(), '${userId}', '{bulk}', 0.5, 1, 'archive', true, now(), now(), now())`,
  );

const insertEvents = (userId: string, ago: string, count: number) =>
  db.query(
    `INSERT INTO "NotificationEvent" ("id", "type", "userId", "createdAt", "updatedAt")
     SELECT gen_random_uuid(), 'domain.suggestions.generated', '${userId}', now() - interval '${ago}', now()
     FROM generate_series(1, ${count})`,
  );

const insertSuggestions = (userId: string, ago: string, count: number) =>
  db.query(
    `INSERT INTO "EmailSuggestion" ("userId", "emailId", "suggestions", "generatedAt")
     SELECT '${userId}', gen_random_uuid()::text, '[]', now() - interval '${ago}' FROM generate_series(1, ${count})`,
  );

const insertSessions = (count: number, ends: string) =>
  db.query(
    `INSERT INTO "Session" ("id", "userId", "expiresAt", "revokedAt")
     SELECT gen_random_uuid(), '${USER_ID}', ${ends} FROM generate_series(1, ${count})`,
  );

const insertTokens = (count: number, endedAgo: string) =>
  db.query(
    `INSERT INTO "PersonalToken" ("id", "userId", "hash", "name", "scope", "expiresAt")
     SELECT gen_random_uuid(), '${USER_ID}', uuid_send(gen_random_uuid()), '', 'read', now() - interval '${endedAgo}'
     FROM generate_series(1, ${count})`,
  );

const insertLogins = (count: number, expiredAgo: string) =>
  db.query(
    `INSERT INTO "PendingLogin" ("stateHash", "browserHash", "nonce", "encryptedCodeVerifier", "expiresAt")
     SELECT gen_random_uuid()::text, '', '', '', now() - interval '${expiredAgo}' FROM generate_series(1, ${count})`,
  );

const insertAuthorizationRequests = (count: number, expiredAgo: string) =>
  db.query(
    `INSERT INTO "AuthorizationRequest" ("id", "clientId", "clientName", "redirectUri", "state", "codeChallenge", "scope", "audience", "expiresAt")
     SELECT gen_random_uuid(), '', '', '', '', '', 'read', 'api', now() - interval '${expiredAgo}'
     FROM generate_series(1, ${count})`,
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
