import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { startTestGmail, type TestGmail } from '@mailsweep/google-sandbox/testing/gmail';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertConnectedUser, startWorkerProcess } from '../testing/worker-process.ts';

const COUNT = 3_000;
/** The leases of a dead process end, and what it did is recovered, long before. */
const TAKE_OVER_MS = 90_000;

test(
  'a batch of 3,000 whose worker is killed in the middle is undone by another, nothing twice and none missed',
  async () => {
    const first = await startWorker();
    let changes = 0;
    gmail.intercept(({ path }) => {
      if (!path.endsWith('/batchModify')) return undefined;
      changes += 1;
      // Gmail makes the change; nobody is there any more to record it.
      if (changes === 2) first.kill('SIGKILL');
      return undefined;
    });
    await insertBatch();
    await once(first, 'exit');
    expect((await readBatch()).undone).toBeLessThan(COUNT);
    await startWorker();

    await expect
      .poll(async () => (await readBatch()).undoState, { timeout: TAKE_OVER_MS, interval: 200 })
      .toBe('done');
    expect(await readBatch()).toMatchObject({ total: COUNT, undone: COUNT, undoFailed: 0 });
    expect(await db.query('SELECT FROM "ActionHistory" WHERE "undoneAt" IS NULL')).toEqual([]);
    expect(gmail.messages.filter(({ labels }) => !labels.includes('INBOX'))).toEqual([]);
    const moved = gmail.requests
      .filter(({ path }) => path.endsWith('/batchModify'))
      .flatMap(({ body }) => (body as { ids: string[] }).ids);
    expect(moved.toSorted()).toEqual(gmail.messages.map(({ id }) => id).toSorted());
  },
  TAKE_OVER_MS + 30_000,
);

const startWorker = () => startWorkerProcess(db, gmail.url);

const readBatch = () => db.database.actionBatch.findUniqueOrThrow({ where: { id: batchId } });

/** Everything was archived in one batch, which is being undone. */
const insertBatch = async () => {
  await db.query(
    `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId")
     SELECT gen_random_uuid(), $1, 'm' || n, 'archive', now(),
       '{"source":"inbox","gmailResponse":{"status":"ok"},"note":"","labelChange":{"added":[],"removed":["INBOX"]}}', $2
     FROM generate_series(0, $3::int - 1) AS n`,
    [userId, batchId, COUNT],
  );
  await db.database.actionBatch.create({
    data: {
      id: batchId,
      userId,
      source: 'inbox',
      action: 'archive',
      startedAt: new Date(),
      total: COUNT,
      undoState: 'running',
    },
  });
};

const userId = randomUUID();
const batchId = randomUUID();
let db: TestDatabase;
let gmail: TestGmail;
beforeEach(async () => {
  db = await createTestDatabase();
  gmail = await startTestGmail({
    messages: Array.from({ length: COUNT }, (_, index) => ({
      id: `m${index}`,
      labels: ['CATEGORY_SOCIAL'],
    })),
  });
  await insertConnectedUser(db, userId);
});
afterEach(async () => {
  await gmail.close();
  await db.drop();
});
