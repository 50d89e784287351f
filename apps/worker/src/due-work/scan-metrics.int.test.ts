import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { eventually } from '@mailsweep/event-bus/testing';
import { startTestGmail, type TestGmail } from '@mailsweep/google-sandbox/testing/gmail';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import { respondWithSuggestions, startClassificationStandIn } from '@mailsweep/ml-client/testing';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readMailboxWorkConfig } from '../config.ts';
import { startWorkerService } from '../dependencies.ts';

const KEY = Buffer.alloc(32, 1);
const MAIL_COUNT = 130;

describe('the metrics of a worker that scans', () => {
  test('count scans that are completed, what they have read and what it cost', async () => {
    await insertScan();
    await startWorker();

    await expectMetrics([
      /mailsweep_scans_ended_total\{outcome="completed".*\} 1$/m,
      new RegExp(`mailsweep_scan_emails_total\\{.*\\} ${MAIL_COUNT}$`, 'm'),
      new RegExp(`mailsweep_quota_units_total\\{priority="background".*\\} ${await readUnitsUsed()}$`, 'm'),
      /mailsweep_scans\{state="running".*\} 0$/m,
    ]);
  });

  test('count what a shadow classification service suggests, of which nothing is stored', async () => {
    const shadow = await startClassificationStandIn(
      respondWithSuggestions([{ action: 'delete', classification: 'bulk', confidence_score: 1 }]),
    );
    onTestFinished(shadow.close);
    await insertScan();
    await startWorker({ ML_SHADOW_URL: shadow.url });

    await expectMetrics([
      new RegExp(
        `mailsweep_ml_shadow_comparisons_total\\{result="differed",primary="none",shadow="delete",.*\\} ${MAIL_COUNT}$`,
        'm',
      ),
      /mailsweep_scans_ended_total\{outcome="completed".*\} 1$/m,
    ]);
    expect(await db.query(`SELECT * FROM "EmailSuggestion" WHERE "suggestions"::text <> '[]'`)).toEqual([]);
  });

  test('count active scans, and what they wait for', async () => {
    gmail.intercept(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
    await insertScan();
    await startWorker();

    await expectMetrics([
      /mailsweep_scans\{state="waiting".*\} 1$/m,
      /mailsweep_scans\{state="queued".*\} 0$/m,
      /mailsweep_scan_waits_total\{reason="mailbox_unavailable".*\} 1$/m,
    ]);
  });

  test('count time spent waiting for quota', async () => {
    await insertScan();
    await startWorker({ GMAIL_QUOTA_UNITS_PER_MINUTE: '600' });

    await expectMetrics([/mailsweep_quota_wait_seconds_total\{priority="background".*\} [1-9]/]);
  });

  test('name why scans failed, timed-out scans included', async () => {
    await insertScan();
    await insertScan({ progressedAt: new Date(Date.now() - 25 * 3_600_000) });
    await db.query(`UPDATE "ProviderConnection" SET "reauthRequiredAt" = now()`);
    await startWorker();

    await expectMetrics([
      /mailsweep_scans_ended_total\{outcome="reauth_required".*\} 1$/m,
      /mailsweep_scans_ended_total\{outcome="timed_out".*\} 1$/m,
      /mailsweep_scan_emails_total\{.*\} 0$/m,
    ]);
  });
});

test('long work is counted by kind, what waits for an operator apart', async () => {
  const batch = { source: 'inbox', action: 'archive', startedAt: new Date(), total: 1, undoState: 'running' };
  const later = new Date(Date.now() + 3_600_000);
  for (const crashes of [0, 0, 5]) {
    const ids = { id: randomUUID(), userId: randomUUID() };
    await db.database.actionBatch.create({ data: { ...batch, ...ids, crashes, dueAt: later } });
  }
  await startWorker();
  await expectMetrics([
    /mailsweep_long_work\{kind="undo",state="active".*\} 2$/m,
    /mailsweep_long_work\{kind="undo",state="parked".*\} 1$/m,
    /mailsweep_long_work\{kind="scan",state="parked".*\} 0$/m,
  ]);
});

describe('the metrics of a worker that watches mailboxes', () => {
  test('count checks by outcome, watches by state, and how late they are', async () => {
    const watched = await insertUser();
    const ended = await insertUser();
    await db.query(`UPDATE "ProviderConnection" SET "reauthRequiredAt" = now() WHERE "userId" = $1`, [ended]);
    for (const userId of [watched, ended]) {
      await db.database.userPreferences.create({ data: { userId, watchEnabled: true } });
      await db.database.mailboxWatch.create({ data: { userId } });
    }
    await startWorker();

    await expectMetrics([
      /mailsweep_watch_runs_total\{outcome="done".*\} 1$/m,
      /mailsweep_watch_runs_total\{outcome="reauth_required".*\} 1$/m,
      /mailsweep_watches\{state="active".*\} 1$/m,
      /mailsweep_watches\{state="reconnect_required".*\} 1$/m,
      /mailsweep_watch_overdue_seconds\{.*\} 0$/m,
      /mailsweep_watch_emails_total\{.*\} 0$/m,
    ]);
  });
});

/** A user with a mailbox, and a scan whose job was lost: the sweeper adds it again. */
const insertScan = async (changes: { progressedAt?: Date } = {}) => {
  const userId = await insertUser();
  await db.database.mailboxScan.create({
    data: { id: randomUUID(), userId, scope: 'all', updatedAt: new Date(0), ...changes },
  });
};

const insertUser = async (): Promise<string> => {
  const userId = randomUUID();
  await db.database.user.create({ data: { id: userId, providerSubject: userId, email: 'ada@example.com' } });
  await db.database.providerConnection.create({
    data: {
      userId,
      encryptedAccessToken: createTokenCipher({ current: KEY }).encrypt('token', userId),
      accessTokenExpiresAt: new Date(Date.now() + 3_600_000),
      scope: '',
    },
  });
  return userId;
};

const readUnitsUsed = async (): Promise<number> => {
  await eventually(async () => {
    expect(await db.database.mailboxScan.count({ where: { state: 'completed' } })).toBe(1);
  });
  return (await db.database.mailboxScan.findFirstOrThrow()).unitsUsed;
};

const startWorker = async (changes: Record<string, string> = {}) => {
  const closers: (() => unknown)[] = [];
  onTestFinished(async () => {
    for (const close of closers.toReversed()) await close();
  });
  const classification = await startClassificationStandIn();
  closers.push(classification.close);
  const scan = readMailboxWorkConfig({
    TOKEN_ENCRYPTION_KEY: KEY.toString('base64'),
    OAUTH_ISSUER: 'http://127.0.0.1:1',
    OAUTH_CLIENT_ID: 'client',
    OAUTH_CLIENT_SECRET: 'client-secret',
    GMAIL_BASE_URL: gmail.url,
    GMAIL_QUOTA_UNITS_PER_MINUTE: '1000000',
    ML_BASE_URL: classification.url,
    ...changes,
  });
  const { port } = await startWorkerService(
    {
      databaseUrl: db.url,
      redisUrl: undefined,
      webhook: undefined,
      push: undefined,
      notificationWebhook: false,
      mailboxWork: scan,
      operationsPassword: undefined,
      sharedVariables: {},
      port: 0,
      host: '127.0.0.1',
      logLevel: 'silent',
    },
    {
      logger: createRecordingLogger().logger,
      lifecycle: { onClose: (_name, close) => void closers.push(close) },
    },
  );
  workerUrl = `http://127.0.0.1:${port}`;
};

const expectMetrics = (patterns: RegExp[]) =>
  eventually(async () => {
    const metrics = await (await fetch(`${workerUrl}/metrics`)).text();
    for (const pattern of patterns) expect(metrics).toMatch(pattern);
  });

let db: TestDatabase;
let gmail: TestGmail;
let workerUrl: string;
beforeEach(async () => {
  db = await createTestDatabase();
  gmail = await startTestGmail({
    messages: Array.from({ length: MAIL_COUNT }, (_, index) => ({
      id: `m${index}`,
    })),
  });
});
afterEach(async () => {
  await gmail.close();
  await db.drop();
});
