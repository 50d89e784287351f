import { createSecretKey } from 'node:crypto';
import { buildSuggestionsGenerated, DOMAIN_EVENTS } from '@mailsweep/contracts';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { openQueueBackend, publish, type QueueBackend, WEBHOOK_QUEUE } from '@mailsweep/event-bus';
import { createMessageStores, writeSender } from '@mailsweep/mail/message-cache';
import { createLogger } from '@mailsweep/service-kit';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reserveIdempotencyKey } from '../concurrency/idempotency.repository.ts';
import { takeMailboxLease } from '../concurrency/mailbox-lock.repository.ts';
import { insertActionHistory } from '../history/action-history.repository.ts';
import { insertAuditEntry } from '../history/audit-trail.repository.ts';
import { insertActionIntent } from '../intents/action-intent.repository.ts';
import { insertProtection } from '../protections/protection.repository.ts';
import { insertRule } from '../rules/rule.repository.ts';
import { saveSuggestions } from '../suggestions/email-suggestion.repository.ts';
import { saveUnsubscribe, writeUnsubscribeRequest } from '../unsubscribing/unsubscribe.repository.ts';
import { createEraseUser } from './erase-user.ts';
import { exportPersonalData, PERSONAL_TABLES } from './personal-data.repository.ts';

/** Kept by triggers on the tables they count, and so neither exported nor erased themselves. */
const COUNT_TABLES = ['NotificationRollup', 'SenderAcceptance'];
/** What is not in the counts yet; kept by the same triggers. */
const LOG_TABLE = 'NotificationDelta';

const NOW = new Date('2026-03-01T12:00:00.000Z');

describe('the list of tables with rows of users', () => {
  test('names every table with a column that holds a user id, and the users themselves', async () => {
    const rows = await db.query<{ table: string }>(
      `SELECT table_name AS table FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name IN ('userId', 'expectedUserId')`,
    );
    const listed = [...PERSONAL_TABLES.map(({ table }) => table), ...COUNT_TABLES, LOG_TABLE];
    expect(listed.toSorted()).toEqual([...rows.map(({ table }) => table), 'User'].toSorted());
  });

  test('holds only tables that no row can enter for a user who was erased', async () => {
    const rows = await db.query<{ table: string }>(
      `SELECT conrelid::regclass::text AS table FROM pg_constraint
       WHERE contype = 'f' AND confrelid = '"User"'::regclass
       UNION SELECT tgrelid::regclass::text FROM pg_trigger WHERE tgname = 'dropRowsOfErasedUsers'`,
    );
    const guarded = rows.map(({ table }) => table.replaceAll('"', ''));
    expect([...guarded, 'User'].toSorted()).toEqual(PERSONAL_TABLES.map(({ table }) => table).toSorted());
  });

  test('names their columns', async () => {
    const rows = await db.query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public'`,
    );
    const columns = new Set(rows.map(({ table, column }) => `${table}.${column}`));
    for (const { table, owner, key, hidden } of PERSONAL_TABLES) {
      for (const column of [owner, key.column, ...hidden]) expect(columns).toContain(`${table}.${column}`);
    }
  });
});

describe('erasing a user', () => {
  test('leaves no row of theirs in any table, and every row of others', async () => {
    const [ada, grace] = [await createUserWithRows(), await createUserWithRows()];
    const before = await dump(grace);
    expect((await dump(ada)).map(([, rows]) => rows.length)).not.toContain(0);

    expect(await erase(ada)).toEqual({ isGrantRevoked: true, isQueueCleared: true });

    expect((await dump(ada)).flatMap(([, rows]) => rows)).toEqual([]);
    for (const table of [...COUNT_TABLES, LOG_TABLE]) {
      expect(await db.query(`SELECT FROM "${table}" WHERE "userId" = $1`, [ada])).toEqual([]);
    }
    await db.query('SELECT "addUpNotificationDeltas"()');
    for (const table of COUNT_TABLES) {
      expect(await db.query(`SELECT FROM "${table}" WHERE "userId" = $1`, [grace])).not.toEqual([]);
    }
    expect(await dump(grace)).toEqual(before);
    expect(revoked).toEqual([ada]);
  });

  test('lets nothing be written for them afterwards, whatever is still in flight', async () => {
    const [ada, grace] = [await createUserWithRows(), await createUserWithRows()];
    await erase(ada);
    await write(ada);
    for (const table of COUNT_TABLES) {
      expect(await db.query(`SELECT FROM "${table}" WHERE "userId" = $1`, [ada])).toEqual([]);
    }
    const before = (await dump(grace)).find(([table]) => table === 'ActionHistory')?.[1].length ?? 0;
    await write(grace);

    expect((await dump(ada)).flatMap(([, rows]) => rows)).toEqual([]);
    const after = (await dump(grace)).find(([table]) => table === 'ActionHistory')?.[1].length ?? 0;
    expect(after).toBe(before + 1);
  });

  test('takes what one statement inserts for several people apart', async () => {
    const [ada, grace] = [await createUserWithRows(), await createUserWithRows()];
    await erase(ada);
    const rows = [ada, grace].map((userId) => ({ id: uuidv7(), userId }));
    await db.query(
      `INSERT INTO "NotificationEvent" ("id", "userId", "type")
       SELECT id, "userId", 'domain.suggestions.generated' FROM jsonb_to_recordset($1) AS row(id uuid, "userId" uuid)`,
      [JSON.stringify(rows)],
    );
    const stored = await db.query<{ id: string }>(
      'SELECT "id" FROM "NotificationEvent" WHERE "id" = ANY($1)',
      [rows.map(({ id }) => id)],
    );
    expect(stored).toEqual([{ id: rows[1]?.id }]);
  });

  test('catches the rows of transactions that had begun before it, however they interleave', async () => {
    for (let round = 0; round < 20; round += 1) {
      const ada = await createUserWithRows();
      await Promise.allSettled([write(ada), erase(ada), write(ada), write(ada)]);
      expect((await dump(ada)).flatMap(([, rows]) => rows)).toEqual([]);
    }
  });

  test('waits for a transaction that has inserted and not yet committed', async () => {
    const ada = await createUserWithRows();
    const [inserted, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = db.database.$transaction(async (tx) => {
      await publish(tx, DOMAIN_EVENTS.SUGGESTIONS_GENERATED, eventOf(ada));
      inserted.resolve();
      await release.promise;
    });
    await inserted.promise;
    const erasing = erase(ada);
    await expect
      .poll(() =>
        db.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        ),
      )
      .toHaveLength(1);
    release.resolve();
    await Promise.all([writing, erasing]);

    expect((await dump(ada)).flatMap(([, rows]) => rows)).toEqual([]);
  });

  test('goes on when the provider does not respond, and says so', async () => {
    const ada = await createUserWithRows();
    const response = await erase(ada, () => Promise.reject(new Error('the provider is away')));

    expect(response).toEqual({ isGrantRevoked: false, isQueueCleared: true });
    expect((await dump(ada)).flatMap(([, rows]) => rows)).toEqual([]);
  });

  test('can be repeated', async () => {
    const ada = await createUserWithRows();
    await erase(ada);
    await erase(ada);
    expect((await dump(ada)).flatMap(([, rows]) => rows)).toEqual([]);
  });

  test('removes their jobs from the queue, and leaves those of others', async () => {
    const [ada, grace] = [await createUserWithRows(), await createUserWithRows()];
    const webhooks = await queue.openQueue(WEBHOOK_QUEUE);
    for (const userId of [ada, grace, ada]) {
      await webhooks.add('event', eventOf(userId), { jobId: uuidv7(), delay: 3_600_000 });
    }
    await erase(ada);

    const left = await webhooks.getJobs(['delayed', 'failed', 'waiting']);
    expect(left.map((job) => (job.data as { userId: string }).userId)).toEqual([grace]);
  });
});

describe('the export of a user', () => {
  const read = async (userId: string) => {
    const pieces: string[] = [];
    for await (const piece of exportPersonalData({ database: db.database, cipher }, userId, () =>
      NOW.getTime(),
    )) {
      pieces.push(piece);
    }
    return { pieces, document: JSON.parse(pieces.join('')) };
  };

  test('holds all their rows, nothing of others, and no token', async () => {
    const [ada, grace] = [await createUserWithRows(), await createUserWithRows()];
    const { pieces, document } = await read(ada);

    expect(document).toMatchObject({ userId: ada, exportedAt: NOW.toISOString() });
    expect(Object.keys(document.data)).toEqual(PERSONAL_TABLES.map(({ table }) => table));
    for (const [table, rows] of await dump(ada)) expect(document.data[table]).toHaveLength(rows.length);
    expect(document.data.User).toEqual([expect.objectContaining({ id: ada, email: `${ada}@example.com` })]);
    expect(document.data.Protection).toEqual([
      { id: expect.any(String), userId: ada, createdAt: expect.any(String), sender: SENDER },
    ]);
    expect(document.data.WrittenTo).toEqual([
      { id: expect.any(String), userId: ada, createdAt: expect.any(String), address: 'bob@work.example' },
    ]);
    expect(document.data.Unsubscribe).toMatchObject([
      { userId: ada, state: 'requested', request: { from: SENDER, url: 'https://shop.example/u' } },
    ]);
    expect(document.data.Rule).toEqual([
      expect.objectContaining({ userId: ada, action: 'archive', enabled: true }),
    ]);
    const { id: ruleId } = document.data.Rule[0];
    expect(document.data.RuleSender).toEqual([
      { id: expect.any(String), userId: ada, ruleId, sender: SENDER },
    ]);
    expect(pieces.join('')).not.toMatch(new RegExp(`${grace}|cipher|encrypted`));
  });

  test('of an unknown user is empty, but valid JSON', async () => {
    const { document } = await read(uuidv7());
    expect(Object.values(document.data)).toEqual(PERSONAL_TABLES.map(() => []));
  });

  test('comes page by page, each row once', async () => {
    const ada = await createUserWithRows();
    const count = 2_503;
    await db.query(
      `INSERT INTO "EmailSuggestion" ("userId", "emailId", "suggestions", "generatedAt")
       SELECT $1, 'mail-' || number, '[]', now() FROM generate_series(1, ${count}) AS number`,
      [ada],
    );
    await db.query(
      `INSERT INTO "NotificationEvent" ("id", "userId", "type")
       SELECT gen_random_uuid(), $1, 'domain.suggestions.generated' FROM generate_series(1, ${count})`,
      [ada],
    );
    const { pieces, document } = await read(ada);

    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(300_000);
    expect(new Set(document.data.EmailSuggestion.map((row: { emailId: string }) => row.emailId)).size).toBe(
      count + 1,
    );
    expect(new Set(document.data.NotificationEvent.map((row: { id: string }) => row.id)).size).toBe(
      count + 1,
    );
  });
});

const SENDER = 'News <news@shop.example>';
const FACTS = {
  threadId: 'conversation',
  from: SENDER,
  subject: '',
  snippet: '',
  receivedAt: NOW,
  sizeBytes: 0,
  attachmentCount: 0,
  attachmentBytes: 0,
  isInvitation: false,
  isSenderUnclear: false,
  failsDmarc: false,
};

const cipher = { encrypt: (text: string) => text, decrypt: (text: string) => text };

const eventOf = (userId: string) => buildSuggestionsGenerated({ userId, emails: [], generatedAt: NOW });

/** Writes a row into every table that is written outside of a sign-in, as the use-cases do. */
const write = async (userId: string): Promise<void> => {
  const { database } = db;
  const emailId = uuidv7();
  const store = createMessageStores({ database, cipher, senderKey: createSecretKey(Buffer.alloc(32)) })(
    userId,
  );
  await store.begin(1n);
  const facts = { ...FACTS, recipients: ['bob@work.example'] };
  await store.save([{ message: { id: emailId, historyId: 1n, labels: ['SENT'], facts }, completeUpTo: 1n }]);
  const lease = { userId, holderId: uuidv7() };
  await takeMailboxLease(database, lease);
  await database.quotaLedger.createMany({
    data: [{ userId, version: 1, ledger: {} }],
    skipDuplicates: true,
  });
  await database.requestsInFlight.createMany({ data: [{ userId, leases: {} }], skipDuplicates: true });
  await insertActionIntent(
    database,
    lease,
    { kind: 'act', source: 'inbox', action: 'archive', batchId: uuidv7(), items: [] },
    NOW,
  );
  await database.$transaction(async (tx) => {
    await saveSuggestions(
      tx,
      userId,
      [{ id: emailId, suggestions: [{ action: 'archive', classification: 'bulk', confidence_score: 0.9 }] }],
      NOW,
    );
    await insertActionHistory(tx, [
      {
        id: uuidv7(),
        userId,
        emailId,
        action: 'reject',
        timestamp: NOW.toISOString(),
        undoneAt: null,
        batchId: uuidv7(),
        details: {
          source: 'suggestions',
          gmailResponse: { status: 'skipped' },
          note: '',
          labelChange: { added: [], removed: [] },
          suggestions: [{ action: 'archive', classification: 'bulk', confidence_score: 0.9 }],
        },
      },
    ]);
    await publish(tx, DOMAIN_EVENTS.SUGGESTIONS_GENERATED, eventOf(userId));
  });
  await db.query(`INSERT INTO "NotificationEvent" ("id", "userId", "type") VALUES ($1, $2, $3)`, [
    uuidv7(),
    userId,
    DOMAIN_EVENTS.SUGGESTIONS_GENERATED,
  ]);
};

/** A user with a row in every table. */
const createUserWithRows = async (): Promise<string> => {
  const userId = uuidv7();
  await db.query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, $2, $3)`, [
    userId,
    userId,
    `${userId}@example.com`,
  ]);
  await db.query(
    `INSERT INTO "ProviderConnection" ("userId", "encryptedAccessToken", "encryptedRefreshToken", "accessTokenExpiresAt", "scope")
     VALUES ($1, 'cipher', 'cipher', now(), '')`,
    [userId],
  );
  await db.query(`INSERT INTO "MailboxScan" ("id", "userId", "scope") VALUES ($1, $2, 'all')`, [
    uuidv7(),
    userId,
  ]);
  await db.query(
    `INSERT INTO "OutgoingCall" ("userId", "day", "peer", "host", "calls", "bytesSent", "bytesReceived", "lastAt")
     VALUES ($1, now(), 'gmail', 'gmail.googleapis.com', 1, 1, 1, now())`,
    [userId],
  );
  await insertProtection(db.database, userId, {
    senderId: '9f2c'.repeat(16),
    encryptedSender: writeSender(cipher, userId, SENDER),
  });
  await db.database.$transaction((tx) =>
    saveUnsubscribe(tx, userId, {
      senderId: '9f2c'.repeat(16),
      state: 'requested',
      encryptedRequest: writeUnsubscribeRequest(cipher, userId, {
        from: SENDER,
        url: 'https://shop.example/u',
      }),
    }),
  );
  const rule = { olderThan: 0, keepNewest: null, action: 'archive' as const, label: null, enabled: true };
  const senderKey = new Uint8Array(Buffer.alloc(32, 7));
  await insertRule(
    db.database,
    userId,
    {
      ...rule,
      senders: [{ senderKey, encryptedSender: writeSender(cipher, userId, SENDER) }],
      classifications: [],
      minConfidence: null,
    },
    { client: { address: null, browser: null }, now: NOW },
  );
  await db.query(
    `INSERT INTO "StoppedSuggestion" ("id", "userId", "senderKey", "action", "stoppedAt")
     VALUES ($1, $2, $3, 'delete', now())`,
    [uuidv7(), userId, Buffer.alloc(32)],
  );
  const cleanupId = uuidv7();
  await db.query(
    `INSERT INTO "Cleanup" ("id", "userId", "batchId", "action", "selection", "total", "isComplete", "sizeBytes",
       "sizeKnown", "historyId", "overlapHistoryId", "expiresAt")
     VALUES ($1, $2, $1, 'archive', '{}', 1, true, 0, 0, '1', '1', now())`,
    [cleanupId, userId],
  );
  await db.query(
    `INSERT INTO "CleanupEmail" ("id", "userId", "cleanupId", "emailId") VALUES ($1, $2, $3, 'm1')`,
    [uuidv7(), userId, cleanupId],
  );
  await db.query(
    `INSERT INTO "MailboxSurvey" ("userId", "scanId", "total") VALUES ($1, gen_random_uuid(), 1)`,
    [userId],
  );
  await db.query(
    `INSERT INTO "SurveyedSender" ("userId", "emailId", "mails", "inInbox", "unread", "olderThanYear")
      VALUES ($1, 'm1', 1, 1, 1, 1)`,
    [userId],
  );
  await db.query(
    `INSERT INTO "InboxSize" ("userId", "day", "total", "unread") VALUES ($1, '2026-03-01', 7, 3)`,
    [userId],
  );
  await db.query(`INSERT INTO "UserPreferences" ("userId", "timeZone") VALUES ($1, 'Europe/Berlin')`, [
    userId,
  ]);
  await db.query(`INSERT INTO "MailboxWatch" ("userId") VALUES ($1)`, [userId]);
  await db.query(
    `INSERT INTO "Notification" ("id", "userId", "kind", "key", "encryptedContent", "dueAt", "createdAt")
     VALUES ($1, $2, 'alert', 'alert:m1', 'cipher', now(), now())`,
    [uuidv7(), userId],
  );
  await db.query(
    `INSERT INTO "PushSubscription" ("id", "userId", "encryptedSubscription", "language")
     VALUES ($1, $2, 'cipher', 'en')`,
    [uuidv7(), userId],
  );
  await db.query(`INSERT INTO "Session" ("id", "userId", "expiresAt") VALUES ($1, $2, now())`, [
    uuidv7(),
    userId,
  ]);
  await db.query(
    `INSERT INTO "PersonalToken" ("id", "userId", "hash", "name", "scope", "expiresAt")
     VALUES ($1, $2, uuid_send($1), 'Script', 'read', now())`,
    [uuidv7(), userId],
  );
  await db.query(
    `INSERT INTO "PendingLogin" ("stateHash", "browserHash", "nonce", "encryptedCodeVerifier", "expiresAt", "expectedUserId")
     VALUES ($1, 'hash', 'nonce', 'cipher', now(), $2)`,
    [uuidv7(), userId],
  );
  await db.query(
    `INSERT INTO "AuthorizationRequest" ("id", "userId", "clientId", "clientName", "redirectUri", "state", "codeChallenge", "scope", "audience", "expiresAt")
     VALUES ($1, $2, 'client', 'Client', 'http://127.0.0.1/', 'state', 'challenge', 'read', 'api', now())`,
    [uuidv7(), userId],
  );
  await reserveIdempotencyKey(db.database, { userId, key: 'key', holderId: uuidv7() }, 'hash');
  await insertAuditEntry(db.database, {
    userId,
    event: 'signed_in',
    address: '192.0.2.1',
    browser: 'Firefox on Windows',
  });
  await write(userId);
  return userId;
};

/** A user's rows, table by table. */
const dump = (userId: string): Promise<[table: string, rows: string[]][]> =>
  Promise.all(
    PERSONAL_TABLES.map(async ({ table, owner }): Promise<[string, string[]]> => {
      const rows = await db.query<{ text: string }>(
        `SELECT row::text AS text FROM "${table}" AS row WHERE "${owner}" = $1 ORDER BY 1`,
        [userId],
      );
      return [table, rows.map(({ text }) => text)];
    }),
  );

const erase = (userId: string, revokeGrant = async (id: string) => void revoked.push(id)) =>
  createEraseUser({ database: db.database, queue, revokeGrant, logger })(userId);

const logger = createLogger({ service: 'test', level: 'silent' });
let db: TestDatabase;
let queue: QueueBackend;
let revoked: string[];
beforeEach(async () => {
  db = await createTestDatabase();
  queue = await openQueueBackend({ databaseUrl: db.url, logger });
  revoked = [];
});
afterEach(async () => {
  await queue.close();
  await db.drop();
});
