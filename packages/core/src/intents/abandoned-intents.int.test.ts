import { MailboxError } from '@mailsweep/mail/mailbox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { archivePlan, type Bench, openBench, planItem, USER_ID } from '../testing/executor-bench.ts';
import { measurePendingIntents } from './action-intent.repository.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

describe('an intent that a dead process left behind', () => {
  test('is recorded as far as the mailbox shows it in effect, under its own instant; the rest is dropped', async () => {
    const requestedAt = new Date(bench.time.now.getTime() - 60_000);
    await bench.abandon(
      archivePlan('suggestions', 'archived', 'in-inbox', 'gone', 'archived-too'),
      requestedAt,
    );
    await bench.openExecutor().recover();

    expect(await bench.listHistory()).toMatchObject([
      { emailId: 'archived', timestamp: requestedAt, action: 'accept' },
      { emailId: 'archived-too', timestamp: requestedAt, action: 'accept' },
    ]);
    expect((await bench.listEvents()).map(({ payload }) => payload)).toMatchObject([
      { emailIds: ['archived', 'archived-too'], summary: { totalConfirmed: 2 } },
    ]);
    expect(await bench.listIntents()).toEqual([]);
    expect(bench.fake.changes).toEqual([]);
  });

  test('is recorded whole where nothing was to be changed: writing it down was all there was to do', async () => {
    const rejection = { ...archivePlan('suggestions'), action: 'reject' };
    await bench.abandon({ ...rejection, items: [planItem('in-inbox', { added: [], removed: [] })] });
    await bench.openExecutor().recover();

    expect(await bench.listHistory()).toMatchObject([{ emailId: 'in-inbox', action: 'reject' }]);
  });

  test('stays, as far as the mailbox can’t be read, until it can', async () => {
    const executor = bench.openExecutor();
    await bench.abandon(archivePlan('inbox', 'archived', 'in-inbox'));
    bench.fake.failReading(new MailboxError('reauth_required', 'signed out'));
    await executor.recover();
    expect((await bench.listIntents())[0]?.plan.items).toHaveLength(2);
    expect(await bench.listHistory()).toEqual([]);

    bench.fake.failReading(undefined);
    await bench.expireLeases();
    await executor.recover();
    expect((await bench.listHistory()).map(({ emailId }) => emailId)).toEqual(['archived']);
    expect(await bench.listIntents()).toEqual([]);
  });

  test('is given up, loudly, when the mailbox can’t be read for more than seven days', async () => {
    const executor = bench.openExecutor();
    await bench.abandon(archivePlan('inbox', 'archived'), new Date(bench.time.now.getTime() - 7 * DAY_MS));
    bench.fake.failReading(new MailboxError('reauth_required', 'signed out'));
    await executor.recover();
    expect(await bench.listIntents()).toHaveLength(1);
    expect(listErrors()).toEqual([]);

    bench.time.now = new Date(bench.time.now.getTime() + 1);
    await bench.expireLeases();
    await executor.recover();
    expect(await bench.listIntents()).toEqual([]);
    expect(listErrors()).toHaveLength(1);
  });

  test('is recorded as usual, however old, when the mailbox still shows its outcome', async () => {
    const requestedAt = new Date(bench.time.now.getTime() - 8 * DAY_MS);
    await bench.abandon(archivePlan('inbox', 'archived', 'in-inbox'), requestedAt);
    await bench.openExecutor().recover();

    expect(await bench.listHistory()).toMatchObject([{ emailId: 'archived', timestamp: requestedAt }]);
    expect(await bench.listIntents()).toEqual([]);
    expect(listErrors()).toEqual([]);
  });

  test('is marked as undone when it was an undo that the mailbox shows in effect', async () => {
    const changes = archivePlan('inbox', 'in-inbox', 'archived');
    await bench.openExecutor().carryOut(USER_ID, changes);
    await bench.fake.mailbox.changeLabels([{ id: 'in-inbox', added: ['INBOX'], removed: [] }], undefined);
    const undo = changes.items.map(({ recordId, emailId }) => ({
      recordId,
      emailId,
      labelChange: { added: ['INBOX'], removed: [] },
    }));
    await bench.abandon({ kind: 'undo', items: undo });
    await bench.openExecutor().recover();

    expect(await bench.listHistory()).toMatchObject([
      { emailId: 'archived', undoneAt: null },
      { emailId: 'in-inbox', undoneAt: bench.time.now },
    ]);
  });

  test('is left to the process that still works on it', async () => {
    const response = Promise.withResolvers<'done'>();
    bench.fake.decideWith(() => response.promise);
    const atWork = bench.openExecutor().carryOut(USER_ID, archivePlan('inbox', 'in-inbox'));
    await expect.poll(() => bench.fake.changes.length).toBe(1);
    await bench.openExecutor().recover();
    expect(await bench.listIntents()).toHaveLength(1);

    response.resolve('done');
    await atWork;
    expect(await bench.listHistory()).toHaveLength(1);
  });

  test('is kept from others for as long as its process looks after it', async () => {
    const response = Promise.withResolvers<'done'>();
    bench.fake.decideWith(() => response.promise);
    const executor = bench.openExecutor();
    const atWork = executor.carryOut(USER_ID, archivePlan('inbox', 'in-inbox'));
    await expect.poll(() => bench.fake.changes.length).toBe(1);
    await bench.expireLeases();
    await executor.recover();

    const [intent] = await bench.listIntents();
    expect(intent?.leasedUntil.getTime()).toBeGreaterThan(Date.now());
    response.resolve('done');
    await atWork;
  });

  test('is recorded once, however many processes take it up at the same time', async () => {
    for (let count = 0; count < 30; count += 1) await bench.abandon(archivePlan('suggestions', 'archived'));
    const executors = Array.from({ length: 4 }, () => bench.openExecutor());
    // A process that waits too long for the mailbox lease leaves the intent to a later round.
    await expect
      .poll(
        async () => {
          await Promise.all(executors.map((executor) => executor.recover()));
          return await bench.listIntents();
        },
        { timeout: 20_000 },
      )
      .toEqual([]);
    expect(await bench.listHistory()).toHaveLength(30);
    expect(await bench.listEvents()).toHaveLength(30);
  });

  test('does not hold up the others when it can’t be understood, and is not lost either', async () => {
    const unreadable = await bench.abandon({ kind: 'dance', items: [] });
    await bench.abandon(archivePlan('inbox', 'archived'));
    await bench.openExecutor().recover();

    expect((await bench.listHistory()).map(({ emailId }) => emailId)).toEqual(['archived']);
    expect((await bench.listIntents()).map(({ id }) => id)).toEqual([unreadable]);
    expect(bench.logLines.join('')).toContain(unreadable);
  });
});

test('pending intents are counted, with the age of the oldest', async () => {
  expect(await measurePendingIntents(bench.database)).toEqual({ count: 0, oldestSeconds: 0 });
  await bench.abandon(archivePlan('inbox', 'archived'), new Date());
  await bench.abandon(archivePlan('inbox', 'archived'), new Date(Date.now() - 60_000));

  const { count, oldestSeconds } = await measurePendingIntents(bench.database);
  expect(count).toBe(2);
  expect(oldestSeconds).toBeGreaterThanOrEqual(60);
  expect(oldestSeconds).toBeLessThan(120);
});

describe('recording the same outcome twice', () => {
  test('writes nothing twice', async () => {
    const changes = archivePlan('suggestions', 'archived');
    const intent = {
      id: await bench.abandon(changes),
      userId: USER_ID,
      changes,
      requestedAt: bench.time.now,
      idempotencyKey: null,
    };
    const outcomes = {
      done: new Map(changes.items.map(({ recordId, labelChange }) => [recordId, { change: labelChange }])),
      unsure: new Map(),
    };
    await Promise.all([1, 2, 3].map(() => bench.recordOutcomes(intent, outcomes)));

    expect(await bench.listHistory()).toHaveLength(1);
    expect(await bench.listEvents()).toHaveLength(1);
    expect(bench.countWakes()).toBe(1);
  });

  test('publishes no second event for a record that is there already', async () => {
    const changes = archivePlan('suggestions', 'archived');
    const outcomes = {
      done: new Map(changes.items.map(({ recordId, labelChange }) => [recordId, { change: labelChange }])),
      unsure: new Map(),
    };
    for (let count = 0; count < 2; count += 1) {
      const intent = {
        id: await bench.abandon(changes),
        userId: USER_ID,
        changes,
        requestedAt: bench.time.now,
        idempotencyKey: null,
      };
      await bench.recordOutcomes(intent, outcomes);
    }

    expect(await bench.listHistory()).toHaveLength(1);
    expect(await bench.listEvents()).toHaveLength(1);
  });

  test('writes history and event in one transaction: without the one there is not the other', async () => {
    const changes = archivePlan('suggestions', 'archived');
    const intent = {
      id: await bench.abandon(changes),
      userId: USER_ID,
      changes,
      requestedAt: bench.time.now,
      idempotencyKey: null,
    };
    const outcomes = {
      done: new Map(changes.items.map(({ recordId, labelChange }) => [recordId, { change: labelChange }])),
      unsure: new Map(),
    };
    await bench.query(`ALTER TABLE "OutboxEvent" ADD CONSTRAINT nothing CHECK (false)`);
    await expect(bench.recordOutcomes(intent, outcomes)).rejects.toThrow();

    expect(await bench.listHistory()).toEqual([]);
    expect(await bench.listIntents()).toHaveLength(1);
    expect(bench.countWakes()).toBe(0);
  });
});

const ERROR_LEVEL = 50;
const listErrors = () => bench.logLines.filter((line) => JSON.parse(line).level === ERROR_LEVEL);

let bench: Bench;
beforeEach(async () => {
  bench = await openBench({ archived: ['UNREAD'], 'archived-too': [], 'in-inbox': ['INBOX'] });
});
afterEach(() => bench.close());
