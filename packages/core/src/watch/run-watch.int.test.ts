import { MailboxError } from '@mailsweep/mail/mailbox';
import { afterEach, describe, expect, test } from 'vitest';
import { claimDueWork } from '../due-work/due-work.repository.ts';
import { openWatchBench, type WatchBench } from '../testing/watch-bench.ts';
import { measureWatches, resumeWatches } from './mailbox-watch.repository.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const QUIET = { outcome: 'done', newEmails: 0, suggested: 0 };

let bench: WatchBench;
/** A watch whose first run has noted where the mailbox stands. */
const open = async (behaviour: Parameters<typeof openWatchBench>[0] = {}) => {
  bench = await openWatchBench(behaviour);
  await bench.change({ enabled: true });
  await bench.run();
};
afterEach(() => bench.close());

describe('a run of the watch', () => {
  test('begins with the email that arrives from now on, and costs two units when there is none', async () => {
    bench = await openWatchBench();
    await bench.change({ enabled: true });
    expect(await bench.run()).toEqual(QUIET);
    const before = await bench.readUnits();
    expect(await bench.run()).toEqual(QUIET);

    expect((await bench.readUnits()) - before).toBe(2);
    expect(bench.classified).toEqual([]);
    expect(await bench.findWatch()).toMatchObject({ state: 'active', error: null, total: { newEmails: 0 } });
  });

  test('classifies what arrived in the inbox, once, and stores the suggestions', async () => {
    await open();
    await bench.deliverAll(['Sale', 'Keep this']);
    await bench.deliver('Filtered away', []);
    await bench.sendInConversation('thread-old-1');
    expect(await bench.run()).toEqual({ outcome: 'done', newEmails: 2, suggested: 1 });
    expect(await bench.run()).toEqual(QUIET);
    await bench.deliver('Another sale');
    expect(await bench.run()).toEqual({ outcome: 'done', newEmails: 1, suggested: 1 });

    expect(bench.classified).toEqual(['Sale', 'Keep this', 'Another sale']);
    expect(await bench.countSuggestions()).toBe(2);
    expect(await bench.findWatch()).toMatchObject({
      lastRun: { newEmails: 1, suggested: 1 },
      total: { newEmails: 3, suggested: 2 },
    });
  });

  test('leaves out email that has left the inbox since it arrived', async () => {
    await open();
    const archived = await bench.deliver('Archived');
    await bench.deliver('Stays');
    await bench.changeElsewhere({
      ids: [archived],
      added: [],
      removed: ['INBOX'],
      delayMs: 0,
      isLost: false,
    });
    await bench.run();
    expect(bench.classified).toEqual(['Stays']);
  });

  test('finds out which emails were snoozed, once some have left the inbox', async () => {
    await open();
    const snoozed = await bench.deliver('Sale');
    await bench.run();
    await bench.changeElsewhere({ ids: [snoozed], added: [], removed: ['INBOX'], delayMs: 0, isLost: false });
    await bench.setAside({ [snoozed]: 'snoozed' });
    await bench.run();
    const read = () => bench.query('SELECT "setAsideIds" FROM "MailboxSync"');
    expect(await read()).toEqual([{ setAsideIds: [snoozed] }]);

    await bench.changeElsewhere({ ids: [snoozed], added: ['INBOX'], removed: [], delayMs: 0, isLost: false });
    await bench.setAside({ [snoozed]: null });
    await bench.run();
    expect(await read()).toEqual([{ setAsideIds: [] }]);
  });

  test('notes whom the user has written to, once something was sent', async () => {
    await open();
    await bench.sendInConversation('thread-old-1');
    await bench.run();
    expect(await bench.database.writtenTo.count()).toBe(1);
  });

  test.each([
    ['from the threshold on', 10, 1],
    ['not below it', 9, 0],
  ])('publishes the event of suggestions %s', async (_name, count, expected) => {
    await open();
    await bench.deliverAll(Array.from({ length: count }, (_, index) => `Sale ${index}`));
    await bench.run();
    const events = await bench.database.outboxEvent.findMany();
    expect(events.map(({ type }) => type)).toEqual(
      Array.from({ length: expected }, () => 'domain.suggestions.generated'),
    );
    expect(bench.countEvents()).toBe(expected);
  });

  test.each([false, true])(
    'finds email that the history shows late; its own id runs ahead of it: %s',
    async (historyIdLeadsRecords) => {
      await open({ historyIdLeadsRecords });
      await bench.changeBehaviour({ historyDelayMs: 2 * MINUTE_MS });
      await bench.deliver('Late');
      await bench.changeBehaviour({ historyDelayMs: 0 });
      await bench.deliver('Early');
      await bench.run();
      expect(bench.classified).toEqual(['Early']);
      await bench.letTimePass(5 * MINUTE_MS);
      await bench.run();
      await bench.run();
      expect(bench.classified).toEqual(['Early', 'Late']);
    },
  );

  test('looks again for email that Gmail does not have yet, soon, and for what is gone no more than once', async () => {
    await open();
    const early = await bench.deliver('Early');
    const gone = await bench.deliver('Gone');
    const missing = new RegExp(`/messages/(${early}|${gone})`).source;
    await bench.orderFault({ kind: 'history_expired', path: missing, times: 2 });
    expect(await bench.run()).toEqual(QUIET);
    expect((await bench.readRow()).dueAt?.getTime()).toBe(bench.clock.nowMs() + MINUTE_MS / 2);

    await bench.orderFault({ kind: 'history_expired', path: `/messages/${gone}`, times: 10 });
    expect(await bench.run()).toMatchObject({ newEmails: 1 });
    expect(await bench.run()).toEqual(QUIET);
    const units = await bench.readUnits();
    expect(await bench.run()).toEqual(QUIET);
    expect((await bench.readUnits()) - units).toBe(2);
    expect(bench.classified).toEqual(['Early']);
  });

  test('takes a hundred at a time, and the next at once', async () => {
    await open();
    const subjects = Array.from({ length: 130 }, (_, index) => `Sale ${index}`);
    await bench.deliverAll(subjects);
    expect(await bench.run()).toMatchObject({ newEmails: 100 });
    expect((await bench.readRow()).dueAt?.getTime()).toBe(bench.clock.nowMs());
    expect(await bench.run()).toMatchObject({ newEmails: 30 });
    expect(await bench.run()).toEqual(QUIET);
    expect(bench.classified.toSorted()).toEqual(subjects.toSorted());
  });

  test('is due again after the interval that the user chose', async () => {
    await open();
    await bench.change({ everyMinutes: 60 });
    await bench.run();
    const { dueAt } = await bench.readRow();
    await bench.run();
    expect((await bench.readRow()).dueAt).toEqual(dueAt);
    bench.clock.advance(60 * MINUTE_MS);
    await bench.run();
    const later = (await bench.readRow()).dueAt;
    expect((later?.getTime() ?? 0) - (dueAt?.getTime() ?? 0)).toBe(60 * MINUTE_MS);
  });

  test('is due again by the clock of the database, though that of the process is slow', async () => {
    await open();
    const watch = await bench.claim();
    const readNow = new Date(bench.clock.nowMs() + 3 * 60 * MINUTE_MS);
    expect(await bench.runWatch({ ...watch, readNow })).toMatchObject({ outcome: 'done' });
    expect((await bench.readRow()).dueAt?.getTime()).toBeGreaterThan(readNow.getTime());
  });

  test('leaves one line in the log, without content', async () => {
    await open();
    await bench.deliver('Secret subject');
    bench.lines.splice(0);
    await bench.run();
    expect(bench.lines).toMatchObject([{ level: 30, outcome: 'done', newEmails: 1, suggested: 1 }]);
    expect(JSON.stringify(bench.lines)).not.toMatch(/Secret|shop\.example/);
  });
});

describe('a run of the watch that comes to nothing', () => {
  test('keeps new email for the next one while the classification service is away', async () => {
    await open();
    await bench.deliver('Sale');
    bench.failClassification();
    expect(await bench.run()).toMatchObject({ outcome: 'classification_unavailable', newEmails: 0 });
    expect(await bench.findWatch()).toMatchObject({ state: 'waiting', error: 'classification_unavailable' });
    await bench.deliver('Another');
    bench.onClassify(() => undefined);
    expect(await bench.run()).toMatchObject({ newEmails: 2 });
    expect(bench.classified).toEqual(['Sale', 'Another']);
    expect(await bench.findWatch()).toMatchObject({ state: 'active', error: null });
  });

  test('finds what has arrived where Gmail has forgotten the history', async () => {
    await open();
    await bench.letTimePass(3 * DAY_MS);
    await bench.deliverAll(['Sale', 'Another']);
    await bench.orderFault({ kind: 'history_expired', times: 1 });
    expect(await bench.run()).toMatchObject({ outcome: 'done', newEmails: 2 });
    expect(bench.classified).toEqual(['Sale', 'Another']);
    await bench.deliver('Later');
    expect(await bench.run()).toMatchObject({ newEmails: 1 });
    expect(await bench.run()).toEqual(QUIET);
  });

  test('has the watch wait longer each time, until it succeeds', async () => {
    await open();
    bench.onRequest(() => Promise.reject(new MailboxError('mailbox_unavailable', 'away')));
    const waits: number[] = [];
    for (let failures = 0; failures < 5; failures += 1) {
      expect(await bench.run()).toMatchObject({ outcome: 'mailbox_unavailable' });
      waits.push(((await bench.readRow()).dueAt?.getTime() ?? 0) - bench.clock.nowMs());
    }
    const [first = 0] = waits;
    expect(waits.map((wait) => (wait - first) / MINUTE_MS)).toEqual([0, 15, 45, 60, 60]);
    bench.onRequest(async () => undefined);
    await bench.run();
    expect(await bench.readRow()).toMatchObject({ state: 'active', failures: 0 });
  });

  test('waits as long as Gmail asks when the quota is used up', async () => {
    await open();
    await bench.deliver('Sale');
    const retryAfterMs = 5 * 60 * MINUTE_MS;
    bench.onRequest(() =>
      Promise.reject(new MailboxError('daily_limit_exceeded', 'no more', { retryAfterMs })),
    );
    expect(await bench.run()).toMatchObject({ outcome: 'daily_limit_exceeded' });
    const waitMs = ((await bench.readRow()).dueAt?.getTime() ?? 0) - bench.clock.nowMs();
    expect(waitMs).toBeGreaterThan(retryAfterMs);
    expect(waitMs).toBeLessThanOrEqual(retryAfterMs + 15 * MINUTE_MS);
    bench.onRequest(async () => undefined);
    await bench.makeDue();
    expect(await bench.run()).toMatchObject({ newEmails: 1 });
  });

  test('stops when the connection has ended, and goes on after a new sign-in', async () => {
    await open();
    await bench.connect();
    await bench.deliver('Sale');
    bench.onRequest(() => Promise.reject(new MailboxError('reauth_required', 'ended')));
    expect(await bench.run()).toMatchObject({ outcome: 'reauth_required' });
    expect(await bench.findWatch()).toMatchObject({
      state: 'reconnect_required',
      error: 'reauth_required',
      nextRunAt: null,
    });
    expect(await claimDueWork(bench.database, 'watch')).toBeNull();
    expect(await resumeWatches(bench.database)).toBe(0);

    bench.onRequest(async () => undefined);
    await bench.connect();
    expect(await resumeWatches(bench.database)).toBe(1);
    expect(await bench.run()).toMatchObject({ outcome: 'done', newEmails: 1 });
    expect(await bench.findWatch()).toMatchObject({ state: 'active', error: null });
  });

  test('asks a mailbox that refuses it once a day', async () => {
    await open();
    await bench.orderFault({ kind: 'domain_policy', times: 1 });
    expect(await bench.run()).toMatchObject({ outcome: 'domain_policy' });
    const { dueAt, state } = await bench.readRow();
    expect(state).toBe('waiting');
    expect((dueAt?.getTime() ?? 0) - bench.clock.nowMs()).toBe(DAY_MS);
  });

  test('is left to another process when its own stops', async () => {
    await open();
    await bench.deliver('Sale');
    const watch = await bench.claim();
    bench.onClassify(() => {
      bench.stopping.abort(new Error('stopping'));
      throw new Error('stopping');
    });
    expect(await bench.runWatch(watch)).toMatchObject({ outcome: 'released' });
    await bench.release(watch);
    expect(await bench.readRow()).toMatchObject({ leaseId: null, failures: 0, historyId: watch.historyId });
  });

  test('by an error that nobody expected is logged, and tried again', async () => {
    await open();
    await bench.deliver('Sale');
    bench.onClassify(() => {
      throw new Error('unexpected');
    });
    expect(await bench.run()).toMatchObject({ outcome: 'failed' });
    expect(bench.lines.filter(({ level }) => level === 50)).toHaveLength(1);
    bench.onClassify(() => undefined);
    expect(await bench.run()).toMatchObject({ newEmails: 1 });
  });
});

describe('the watch of one user', () => {
  test('is taken by one process at a time', async () => {
    await open();
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimDueWork(bench.database, 'watch')));
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
    expect(await claimDueWork(bench.database, 'watch')).toBeNull();
  });

  test('runs the rules that are due, with the email that it found', async () => {
    await open();
    const rule = await bench.rules.create({
      condition: { type: 'classification', classification: 'bulk', minConfidence: 0.9 },
    });
    await bench.deliverAll(['Sale', 'Keep this']);
    expect(await bench.run()).toMatchObject({ outcome: 'done', newEmails: 2 });
    const [cleanup] = await bench.database.cleanup.findMany({ include: { emails: true } });
    expect(cleanup).toMatchObject({ state: 'queued', action: 'archive', ruleId: rule.id, total: 1 });
    expect(await bench.rules.find(rule.id)).toMatchObject({ lastRun: { cleanupId: cleanup?.id } });
    expect(bench.lines.at(-1)).toMatchObject({ rules: 1 });
  });

  test('runs a rule that takes email of any age at once, before the rule is due', async () => {
    await open();
    const condition = { type: 'classification', classification: 'bulk', minConfidence: 0.9 } as const;
    const rule = await bench.rules.create({ condition });
    const patient = await bench.rules.create({ condition, olderThan: 3, action: 'delete' });
    expect(await bench.run()).toMatchObject(QUIET);
    const { nextRunAt } = await bench.rules.find(patient.id);
    expect(await bench.database.cleanup.count()).toBe(0);

    await bench.deliverAll(['Sale']);
    expect(await bench.run()).toMatchObject({ newEmails: 1 });
    expect(await bench.database.cleanup.findMany()).toMatchObject([{ ruleId: rule.id, total: 1 }]);
    expect(await bench.rules.find(patient.id)).toMatchObject({ nextRunAt });
    expect(bench.lines.at(-1)).toMatchObject({ rules: 1 });
  });

  test('counts, whatever happens to the rules, which stay due; without classification none is run', async () => {
    await open();
    const rule = await bench.rules.create({
      condition: { type: 'classification', classification: 'bulk', minConfidence: 0.9 },
    });
    await bench.deliver('Sale');
    bench.failClassification();
    expect(await bench.run()).toMatchObject({ outcome: 'classification_unavailable' });
    expect(await bench.rules.find(rule.id)).toMatchObject({ checkedAt: null });

    bench.onClassify(() => undefined);
    await bench.makeDue();
    await bench.query('ALTER TABLE "CleanupEmail" RENAME TO "Away"');
    expect(await bench.run()).toMatchObject({ outcome: 'done', newEmails: 1 });
    expect(await bench.rules.find(rule.id)).toMatchObject({ checkedAt: null, lastRun: null });
    expect(bench.lines).toContainEqual(expect.objectContaining({ msg: 'rules could not be run' }));

    await bench.query('ALTER TABLE "Away" RENAME TO "CleanupEmail"');
    await bench.makeDue();
    await bench.run();
    expect(await bench.rules.find(rule.id)).toMatchObject({ lastRun: { state: 'queued' } });
  });

  test('is taken over when its process dies, and what that one found counts once', async () => {
    await open();
    await bench.deliver('Sale');
    const slow = await bench.claim();
    await bench.query(`UPDATE "MailboxWatch" SET "leasedUntil" = now() - interval '1 s'`);
    expect(await bench.run()).toMatchObject({ outcome: 'done', newEmails: 1 });
    const stored = await bench.readRow();
    expect(await bench.runWatch(slow)).toMatchObject({ outcome: 'ended', newEmails: 0 });
    expect(await bench.readRow()).toEqual(stored);
    expect(stored).toMatchObject({ newEmails: 1 });
  });

  test.each([
    ['disables it', () => bench.change({ enabled: false })],
    [
      'disables it and enables it again',
      async () => {
        await bench.change({ enabled: false });
        await bench.change({ enabled: true });
      },
    ],
    ['is erased', () => bench.query('DELETE FROM "User"')],
  ])('stores nothing of a run during which the user %s', async (_name, act) => {
    await open();
    await bench.deliver('Sale');
    bench.onClassify(async () => void (await act()));
    expect(await bench.run()).toMatchObject({ outcome: 'ended' });
    expect(await bench.countSuggestions()).toBe(0);
    expect((await bench.findWatch()).total?.newEmails ?? 0).toBe(0);
  });

  test('is off and costs nothing once the user has disabled it', async () => {
    await open();
    await bench.change({ enabled: false });
    expect(await bench.findWatch()).toEqual({
      state: 'off',
      error: null,
      nextRunAt: null,
      lastRun: null,
      total: null,
    });
    expect(await claimDueWork(bench.database, 'watch')).toBeNull();
  });

  test('is due at once when the user shortens the interval, and not when it grows', async () => {
    await open();
    await bench.query(`UPDATE "MailboxWatch" SET "dueAt" = now() + interval '1 hour'`);
    await bench.change({ everyMinutes: 60 });
    expect(await claimDueWork(bench.database, 'watch')).toBeNull();
    await bench.change({ everyMinutes: 5 });
    expect(await bench.claim()).toMatchObject({ everyMinutes: 5 });
  });

  test('is counted by state, with how long it has been due', async () => {
    await open();
    await bench.query(`UPDATE "MailboxWatch" SET "dueAt" = now() - interval '90 s'`);
    const { states, overdueSeconds } = await measureWatches(bench.database);
    expect(states).toEqual(new Map([['active', 1]]));
    expect(Math.round(overdueSeconds)).toBe(90);
    await bench.claim();
    expect((await measureWatches(bench.database)).overdueSeconds).toBe(0);
  });
});
