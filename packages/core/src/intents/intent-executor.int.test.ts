import { MailboxError } from '@mailsweep/mail/mailbox';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { archivePlan, type Bench, openBench, planItem, USER_ID } from '../testing/executor-bench.ts';

const refused = new MailboxError('forbidden', 'refused');
const lost = new MailboxError('mailbox_unavailable', 'no response');
/** Longest wait for a round that comes by itself, in milliseconds: a busy machine takes its time. */
const BUSY_MACHINE = { timeout: 10_000 };

describe('carrying a plan out', () => {
  test('changes the mailbox, records what happened under one instant, and leaves no intent', async () => {
    const plan = archivePlan('inbox', 'a', 'b');
    const { requestedAt, outcomes } = await bench.openExecutor().carryOut(USER_ID, plan);

    const change = { added: [], removed: ['INBOX'] };
    expect(outcomes).toEqual([
      { id: 'a', status: 'ok', change },
      { id: 'b', status: 'ok', change },
    ]);
    expect(bench.fake.labelsOf('a')).toEqual(['UNREAD']);
    expect(requestedAt).toEqual(bench.time.now);
    expect(await bench.listHistory()).toMatchObject(
      plan.items.map(({ recordId, emailId }) => ({
        id: recordId,
        emailId,
        userId: USER_ID,
        timestamp: requestedAt,
        details: { source: 'inbox', gmailResponse: { status: 'ok' }, note: '', labelChange: change },
      })),
    );
    expect(await bench.listIntents()).toEqual([]);
  });

  test('writes the plan down before anything is done', async () => {
    const seen: unknown[] = [];
    bench.fake.decideWith(async () => {
      seen.push(await bench.listIntents());
      return 'done' as const;
    });
    const plan = archivePlan('inbox', 'a');
    await bench.openExecutor().carryOut(USER_ID, plan);

    expect(seen).toMatchObject([[{ plan, requestedAt: bench.time.now }]]);
  });

  test('does nothing at all when the plan can’t be written down', async () => {
    await bench.query('ALTER TABLE "ActionIntent" RENAME TO "Elsewhere"');

    await expect(bench.openExecutor().carryOut(USER_ID, archivePlan('inbox', 'a'))).rejects.toThrow();
    expect(bench.fake.changes).toEqual([]);
  });

  test('calls neither mailbox nor database for an empty plan', async () => {
    await bench.query('ALTER TABLE "ActionIntent" RENAME TO "Elsewhere"');
    const response = await bench.openExecutor().carryOut(USER_ID, archivePlan('inbox'));

    expect(response).toEqual({ requestedAt: bench.time.now, outcomes: [] });
    expect(bench.fake.changes).toEqual([]);
  });

  test('records nothing for what the mailbox refused', async () => {
    bench.fake.decideWith(({ id }) => (id === 'b' ? refused : 'done'));
    const { outcomes } = await bench.openExecutor().carryOut(USER_ID, archivePlan('inbox', 'a', 'b', 'c'));

    expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'error', 'ok']);
    expect((await bench.listHistory()).map(({ emailId }) => emailId)).toEqual(['a', 'c']);
    expect(await bench.listIntents()).toEqual([]);
  });

  test('publishes one event for confirmed suggestions, about what was done, and wakes the relay', async () => {
    bench.fake.decideWith(({ id }) => (id === 'b' ? refused : 'done'));
    await bench.openExecutor().carryOut(USER_ID, archivePlan('suggestions', 'a', 'b', 'c'));

    expect((await bench.listEvents()).map(({ payload }) => payload)).toMatchObject([
      { type: 'domain.suggestions.confirmed', emailIds: ['a', 'c'], summary: { totalConfirmed: 2 } },
    ]);
    expect(bench.countWakes()).toBe(1);
  });

  test.each([
    ['of the inbox', archivePlan('inbox', 'a')],
    ['of which nothing was done', archivePlan('suggestions', 'b')],
    ['to undo', { kind: 'undo' as const, items: [planItem('c', { added: ['INBOX'], removed: [] })] }],
  ])('publishes nothing for a plan %s, and does not wake the relay', async (_name, plan) => {
    bench.fake.decideWith(({ id }) => (id === 'b' ? refused : 'done'));
    await bench.openExecutor().carryOut(USER_ID, plan);

    expect(await bench.listEvents()).toEqual([]);
    expect(bench.countWakes()).toBe(0);
  });
});

describe('when a response of the mailbox is lost', () => {
  test('what was done in spite of it is recorded once the mailbox shows it, with the original instant', async () => {
    const executor = bench.openExecutor();
    bench.fake.decideWith(({ id }) => (id === 'b' ? { doneBut: lost } : id === 'c' ? lost : 'done'));
    const { requestedAt } = await executor.carryOut(USER_ID, archivePlan('suggestions', 'a', 'b', 'c'));
    expect((await bench.listHistory()).map(({ emailId }) => emailId)).toEqual(['a']);
    expect((await bench.listIntents())[0]?.plan.items.map(({ emailId }) => emailId)).toEqual(['b', 'c']);

    bench.time.now = new Date(bench.time.now.getTime() + 60_000);
    await bench.expireLeases();
    await executor.recover();

    expect(await bench.listHistory()).toMatchObject([
      { emailId: 'a', timestamp: requestedAt },
      { emailId: 'b', timestamp: requestedAt },
    ]);
    expect((await bench.listEvents()).map(({ payload }) => payload)).toMatchObject([
      { emailIds: ['a'] },
      { emailIds: ['b'] },
    ]);
    expect(await bench.listIntents()).toEqual([]);
  });

  test('the same holds for an unexpected error', async () => {
    const executor = bench.openExecutor();
    bench.fake.decideWith(({ id }) => {
      if (id === 'b') throw new TypeError('a bug');
      return 'done';
    });
    const { outcomes } = await executor.carryOut(USER_ID, archivePlan('inbox', 'a', 'b'));
    expect(outcomes).toMatchObject([
      { status: 'error', error: { code: 'failed' } },
      { status: 'error', error: { code: 'failed' } },
    ]);

    await bench.expireLeases();
    await executor.recover();
    expect((await bench.listHistory()).map(({ emailId }) => emailId)).toEqual(['a']);
  });
});

describe('when the mailbox does not say what a change took', () => {
  test('the change counts as made, and its record follows once that is found out', async () => {
    const executor = bench.openExecutor();
    bench.fake.decideWith(({ id }) => (id === 'a' ? 'done_untold' : 'done'));
    const { outcomes } = await executor.carryOut(USER_ID, archivePlan('inbox', 'a', 'b'));
    expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect((await bench.listHistory()).map(({ emailId }) => emailId)).toEqual(['b']);

    // What the user does with the email since then can't make it undone.
    await bench.fake.mailbox.changeLabels([{ id: 'a', added: ['INBOX'], removed: [] }], undefined);
    await bench.expireLeases();
    await executor.recover();
    expect((await bench.listHistory()).map(({ emailId }) => emailId)).toEqual(['a', 'b']);
  });

  test('an email missing from the response is looked up again', async () => {
    const executor = bench.openExecutor();
    const { changeLabels } = bench.fake.mailbox;
    bench.fake.mailbox.changeLabels = async (...request) => (await changeLabels(...request)).slice(0, 1);
    await executor.carryOut(USER_ID, archivePlan('inbox', 'a', 'b'));
    expect((await bench.listHistory()).map(({ emailId }) => emailId)).toEqual(['a']);

    await bench.expireLeases();
    await executor.recover();
    expect((await bench.listHistory()).map(({ emailId }) => emailId)).toEqual(['a', 'b']);
  });
});

describe('when the history can’t be written', () => {
  test('the outcomes are returned, and the next round writes it, once', async () => {
    const mend = await bench.breakHistory();
    const executor = bench.openExecutor();
    const { requestedAt, outcomes } = await executor.carryOut(USER_ID, archivePlan('suggestions', 'a'));
    expect(outcomes).toMatchObject([{ id: 'a', status: 'ok' }]);
    await executor.recover();
    expect(await bench.listEvents()).toEqual([]);

    await mend();
    bench.time.now = new Date(bench.time.now.getTime() + 60_000);
    await executor.recover();
    await executor.recover();
    expect(await bench.listHistory()).toMatchObject([{ emailId: 'a', timestamp: requestedAt }]);
    expect(await bench.listEvents()).toHaveLength(1);
    expect(bench.fake.changes).toHaveLength(1);
  });

  test('what else was unsure is found out after it was written', async () => {
    const mend = await bench.breakHistory();
    const executor = bench.openExecutor();
    bench.fake.decideWith(({ id }) => (id === 'b' ? { doneBut: lost } : 'done'));
    await executor.carryOut(USER_ID, archivePlan('inbox', 'a', 'b'));
    await mend();
    await executor.recover();
    expect((await bench.listHistory()).map(({ emailId }) => emailId)).toEqual(['a']);

    await bench.expireLeases();
    await executor.recover();
    expect((await bench.listHistory()).map(({ emailId }) => emailId)).toEqual(['a', 'b']);
    expect(await bench.listIntents()).toEqual([]);
  });

  test('what has happened since in the mailbox makes no difference: the record describes the past', async () => {
    const mend = await bench.breakHistory();
    const executor = bench.openExecutor();
    await executor.carryOut(USER_ID, archivePlan('inbox', 'a'));
    await bench.fake.mailbox.changeLabels([{ id: 'a', added: ['INBOX'], removed: [] }], undefined);

    await mend();
    await executor.recover();
    expect((await bench.listHistory()).map(({ emailId }) => emailId)).toEqual(['a']);
  });

  test('a process that ends in good order writes it as the last thing it does', async () => {
    const mend = await bench.breakHistory();
    const executor = bench.openExecutor();
    await executor.carryOut(USER_ID, archivePlan('inbox', 'a'));
    await mend();
    await executor.close();

    expect(await bench.listHistory()).toHaveLength(1);
  });

  test('others keep away while this process still knows what happened', async () => {
    const mend = await bench.breakHistory();
    const executor = bench.openExecutor();
    await executor.carryOut(USER_ID, archivePlan('inbox', 'a'));
    await bench.query(`UPDATE "ActionIntent" SET "leasedUntil" = now() + interval '1 s'`);
    await executor.recover();

    const [intent] = await bench.listIntents();
    expect((intent?.leasedUntil.getTime() ?? 0) - Date.now()).toBeGreaterThan(20_000);
    await mend();
  });
});

test('rounds come by themselves, after one that failed too, and end with the executor', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const executor = bench.openExecutor(1_000);
  await bench.abandon({ ...archivePlan('inbox'), items: [planItem('a', { added: [], removed: [] })] });
  await bench.query('ALTER TABLE "ActionIntent" RENAME TO "Elsewhere"');
  vi.advanceTimersByTime(1_000);
  await expect.poll(() => bench.logLines, BUSY_MACHINE).toHaveLength(1);

  await bench.query('ALTER TABLE "Elsewhere" RENAME TO "ActionIntent"');
  vi.advanceTimersByTime(1_000);
  await expect.poll(bench.listHistory, BUSY_MACHINE).toHaveLength(1);

  await executor.close();
  expect(vi.getTimerCount()).toBe(0);
});

let bench: Bench;
beforeEach(async () => {
  bench = await openBench({ a: ['INBOX', 'UNREAD'], b: ['INBOX'], c: ['INBOX'] });
});
afterEach(() => bench.close());
