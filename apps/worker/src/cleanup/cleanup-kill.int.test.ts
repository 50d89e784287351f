import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { startTestGmail, type TestGmail } from '@mailsweep/google-sandbox/testing/gmail';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertConnectedUser, startWorkerProcess } from '../testing/worker-process.ts';

const COUNT = 2_300;
/** The mailbox lease and the job of a dead process end, and what it did is recovered, long before. */
const TAKE_OVER_MS = 90_000;

test(
  'a cleanup whose worker is killed in the middle is finished by another, on exactly the frozen emails',
  async () => {
    const first = await startWorkerProcess(db, gmail.url);
    let changes = 0;
    gmail.intercept(({ path }) => {
      if (!path.endsWith('/batchModify')) return undefined;
      changes += 1;
      // Gmail makes the change; nobody is there any more to record it.
      if (changes === 2) first.kill('SIGKILL');
      return undefined;
    });
    await insertCleanup();
    await once(first, 'exit');
    expect((await readCleanup()).changed).toBeLessThan(COUNT);
    await startWorkerProcess(db, gmail.url);

    await expect
      .poll(async () => (await readCleanup()).state, { timeout: TAKE_OVER_MS, interval: 200 })
      .toBe('completed');
    expect(await readCleanup()).toMatchObject({ changed: COUNT, unchanged: 0, skipped: 0, failed: 0 });
    const records = await db.database.actionHistory.findMany({
      select: { id: true, emailId: true, batchId: true },
    });
    const planned = await db.database.cleanupEmail.findMany({ select: { id: true, emailId: true } });
    expect(records.toSorted(byId)).toEqual(planned.map((row) => ({ ...row, batchId })).toSorted(byId));
    const moved = gmail.requests
      .filter(({ path }) => path.endsWith('/batchModify'))
      .flatMap(({ body }) => (body as { ids: string[] }).ids);
    expect(moved.toSorted()).toEqual(planned.map(({ emailId }) => emailId).toSorted());
    const left = gmail.messages.filter(({ labels }) => labels.includes('INBOX'));
    expect(left.map(({ id }) => id)).toEqual(['not-planned']);
  },
  TAKE_OVER_MS + 30_000,
);

const byId = (one: { id: string }, other: { id: string }): number => (one.id < other.id ? -1 : 1);

const readCleanup = () => db.database.cleanup.findUniqueOrThrow({ where: { id: cleanupId } });

/** A plan that archives all emails but one, and was run. */
const insertCleanup = async () => {
  const response = await fetch(`${gmail.url}/gmail/v1/users/me/profile`, {
    headers: { authorization: 'Bearer token' },
  });
  const { historyId } = (await response.json()) as { historyId: string };
  await db.database.cleanup.create({
    data: {
      id: cleanupId,
      userId,
      batchId,
      action: 'archive',
      selection: { type: 'filter', scope: 'inbox', except: [] },
      state: 'queued',
      total: COUNT,
      isComplete: true,
      sizeBytes: 0,
      sizeKnown: 0,
      historyId,
      overlapHistoryId: historyId,
      expiresAt: new Date(Date.now() + 3_600_000),
    },
  });
  await db.query(
    `INSERT INTO "CleanupEmail" ("id", "userId", "cleanupId", "emailId")
     SELECT gen_random_uuid(), $1, $2, 'm' || n FROM generate_series(0, $3::int - 1) AS n`,
    [userId, cleanupId, COUNT],
  );
};

const userId = randomUUID();
const cleanupId = randomUUID();
const batchId = randomUUID();
let db: TestDatabase;
let gmail: TestGmail;
beforeEach(async () => {
  db = await createTestDatabase();
  const planned = Array.from({ length: COUNT }, (_, index) => ({ id: `m${index}`, labels: ['INBOX'] }));
  gmail = await startTestGmail({ messages: [...planned, { id: 'not-planned', labels: ['INBOX'] }] });
  await insertConnectedUser(db, userId);
});
afterEach(async () => {
  await gmail.close();
  await db.drop();
});
