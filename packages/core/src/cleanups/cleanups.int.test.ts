import { createSecretKey, randomBytes } from 'node:crypto';
import type { CreateCleanupRequest } from '@mailsweep/contracts';
import type { Mailbox } from '@mailsweep/mail/mailbox';
import { afterEach, describe, expect, test } from 'vitest';
import type { BenchProcess } from '../testing/bench-process.ts';
import { openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';
import { selectEmails } from './select-emails.ts';

const COUNT = 40;
const STEP_SIZE = 15;
const allIds = Array.from({ length: COUNT }, (_, index) => `m${index}`);

let bench: SandboxBench;
let one: BenchProcess;

/** Opens a mailbox of emails in the inbox; some have other labels. */
const open = async (
  others: Record<string, string[]> = {},
  behaviour: Parameters<typeof openSandboxBench>[1] = {},
) => {
  bench = await openSandboxBench(
    allIds.map((id, index) => seedMessage(id, index, others[id] ?? ['INBOX'])),
    behaviour,
  );
  one = bench.openProcess({ stepSize: STEP_SIZE });
};
afterEach(() => bench.close());

const ARCHIVE_INBOX: CreateCleanupRequest = {
  action: 'archive',
  selection: { type: 'filter', scope: 'inbox', except: [] },
};

const planAndRun = async (request = ARCHIVE_INBOX) => {
  const plan = await one.cleanups.plan(request);
  await one.cleanups.control(plan.id, 'run');
  return await one.cleanups.work(plan.id);
};
const inInbox = (): string[] =>
  [...bench.readLabels()].filter(([, labels]) => labels.includes('INBOX')).map(([id]) => id);
const listOutcomes = async (id: string) => {
  const page = await one.cleanups.listEmails(id);
  return new Map(page?.data.map(({ emailId, outcome, reason }) => [emailId, { outcome, reason }]));
};

describe('planning a cleanup', () => {
  test('freezes the emails of a filter by list pages, and changes nothing', async () => {
    await open();
    const plan = await one.cleanups.plan(ARCHIVE_INBOX);

    expect(plan).toMatchObject({
      state: 'planned',
      total: COUNT,
      isComplete: true,
      processed: 0,
      excluded: {},
    });
    expect(plan.sample.map(({ subject }) => subject)).toContain('Subject of m0');
    expect([...(await listOutcomes(plan.id)).keys()]).toEqual(allIds);
    expect(inInbox()).toHaveLength(COUNT);
  });

  test('leaves out starred and important emails, conversations of the user, and exceptions', async () => {
    await open({
      m1: ['INBOX', 'STARRED'],
      m2: ['INBOX', 'IMPORTANT'],
      m3: ['INBOX', 'STARRED', 'IMPORTANT'],
      m4: ['INBOX'],
    });
    await bench.sendInConversation('thread-m4');
    const plan = await one.cleanups.plan({
      ...ARCHIVE_INBOX,
      selection: { type: 'filter', scope: 'inbox', except: ['m5'] },
    });

    expect(plan.excluded).toEqual({ starred: 2, important: 1, conversation: 1 });
    expect(plan.total).toBe(COUNT - 5);
    const planned = await listOutcomes(plan.id);
    expect(['m1', 'm2', 'm3', 'm4', 'm5'].filter((id) => planned.has(id))).toEqual([]);
  });

  test('leaves out invitations where it would clear them away, by the files that Gmail finds', async () => {
    const invite = { filename: 'invite.ics', mimeType: 'text/calendar', sizeBytes: 3_000, isInline: false };
    bench = await openSandboxBench(
      allIds.map((id, index) => ({
        ...seedMessage(id, index, id === 'm1' ? ['INBOX', 'STARRED'] : ['INBOX']),
        attachments: ['m1', 'm3', 'm30'].includes(id) ? [invite] : [],
      })),
      {},
    );
    one = bench.openProcess({ stepSize: STEP_SIZE });
    for (const action of ['archive', 'delete'] as const) {
      const plan = await one.cleanups.plan({ ...ARCHIVE_INBOX, action });
      expect(plan).toMatchObject({ total: COUNT - 3, excluded: { starred: 1, invitation: 2 } });
      const planned = await listOutcomes(plan.id);
      expect(['m1', 'm3', 'm30'].filter((id) => planned.has(id))).toEqual([]);
    }
    const read = await one.cleanups.plan({ ...ARCHIVE_INBOX, action: 'mark_unread' });
    expect(read).toMatchObject({ total: COUNT - 1, excluded: { starred: 1 } });
  });

  test('leaves alone a conversation that the user answers at any moment of the planning', async () => {
    await open();
    let moment = 0;
    let requests = 0;
    do {
      moment += 1;
      requests = 0;
      bench.onRequest(async () => {
        requests += 1;
        if (requests === moment) await bench.sendInConversation(`thread-m${moment}`);
      });
      const plan = await one.cleanups.plan({ ...ARCHIVE_INBOX, action: 'label', label: 'Own' });
      bench.onRequest(async () => undefined);
      await one.cleanups.control(plan.id, 'run');
      await one.cleanups.work(plan.id);
      const outcomes = await listOutcomes(plan.id);
      const isAnswered = moment <= requests;
      expect(outcomes.get(`m${moment}`)?.outcome ?? 'excluded').toMatch(
        isAnswered ? /skipped|excluded/ : /changed/,
      );
    } while (moment <= requests);
    expect(moment).toBeGreaterThan(5);
  });

  test('plans the same emails while labels are stale, by the labels that they have now', async () => {
    await open();
    await one.list({});
    await bench.storeSuggestions(allIds, 'archive');
    const [row] = await bench.query<{ key: string }>(
      `SELECT encode("senderKey", 'hex') AS "key" FROM "CachedMessage" WHERE "emailId" = 'm0'`,
    );
    const change = { added: [], removed: [], delayMs: 0, isLost: false };
    await bench.changeElsewhere({ ...change, ids: ['m7'], added: ['STARRED'] });
    await bench.changeElsewhere({ ...change, ids: ['m14'], removed: ['INBOX'] });
    await bench.orderFault({ kind: 'history_expired', path: '/history$', times: 1 });
    // Keeps labels from being read again.
    await bench.orderFault({ kind: 'server_error', path: '/labels$', times: 1_000 });

    const plan = await one.cleanups.plan({
      action: 'archive',
      selection: { type: 'senders', senders: [row?.key ?? ''], except: [] },
    });
    expect(plan).toMatchObject({ total: 4, excluded: { starred: 1 }, isComplete: true });
    expect((await one.listSenders()).total).toBe(7);
    expect(await one.listSuggestionGroups({ by: 'sender' })).toMatchObject({ emails: COUNT - 2 });
    await one.cleanups.control(plan.id, 'run');
    expect(await one.cleanups.work(plan.id)).toMatchObject({ state: 'completed', changed: 4 });
    expect(inInbox()).toEqual(allIds.filter((id) => !['m0', 'm14', 'm21', 'm28', 'm35'].includes(id)));
    expect(await one.listSuggestionGroups({ by: 'sender' })).toMatchObject({ emails: COUNT - 6 });
  });

  test('plans the cached emails of senders, and of suggestions as they are now', async () => {
    await open({ m7: ['INBOX', 'STARRED'] });
    await one.list({});
    await bench.storeSuggestions(['m0', 'm7', 'm8'], 'archive');
    const [row] = await bench.query<{ key: string }>(
      `SELECT encode("senderKey", 'hex') AS "key" FROM "CachedMessage" WHERE "emailId" = 'm0'`,
    );
    await bench.changeElsewhere({ ids: ['m8'], added: [], removed: ['INBOX'], delayMs: 0, isLost: false });

    const bySender = await one.cleanups.plan({
      action: 'delete',
      selection: { type: 'senders', senders: [row?.key ?? ''], except: [] },
    });
    expect([...(await listOutcomes(bySender.id)).keys()]).toEqual(['m0', 'm14', 'm21', 'm28', 'm35']);
    expect(bySender.excluded).toEqual({ starred: 1 });
    expect(bySender).toMatchObject({ sizeKnown: 5 });
    await bench.changeElsewhere({ ids: ['m14'], added: ['UNREAD'], removed: [], delayMs: 0, isLost: false });
    const toMarkUnread = await one.cleanups.plan({
      action: 'mark_unread',
      selection: { type: 'senders', senders: [row?.key ?? ''], except: [] },
    });
    expect([...(await listOutcomes(toMarkUnread.id)).keys()]).toEqual(['m0', 'm21', 'm28', 'm35']);

    const suggested = await one.cleanups.plan({
      action: 'accept',
      selection: { type: 'suggestions', minConfidence: 0.9, except: [] },
    });
    expect([...(await listOutcomes(suggested.id)).keys()]).toEqual(['m0']);
    const sure = { type: 'suggestions' as const, minConfidence: 0.91, except: [] };
    expect((await one.cleanups.plan({ action: 'accept', selection: sure })).total).toBe(0);
  });

  test('leaves out cached email that is no mail by now, such as what was snoozed', async () => {
    await open();
    await one.list({});
    const [row] = await bench.query<{ key: string }>(
      `SELECT encode("senderKey", 'hex') AS "key" FROM "CachedMessage" WHERE "emailId" = 'm0'`,
    );
    const mailbox: Mailbox = {
      ...one.mailbox,
      readBaseline: async (ids) => ({ ...(await one.mailbox.readBaseline(ids)), noMail: new Set(['m7']) }),
    };
    const selected = await selectEmails(
      {
        database: bench.database,
        cipher: { encrypt: (text) => text, decrypt: (text) => text },
        senderKey: createSecretKey(randomBytes(32)),
      },
      mailbox,
      bench.userId,
      { action: 'delete', selection: { type: 'senders', senders: [row?.key ?? ''], except: [] } },
    );
    expect(selected.emails.map(({ emailId }) => emailId)).toEqual(['m0', 'm14', 'm21', 'm28', 'm35']);
  });

  test('keeps the newest of the plans that were never run', async () => {
    await open();
    const plans = [];
    for (let count = 0; count < 12; count += 1) plans.push(await one.cleanups.plan(ARCHIVE_INBOX));

    await expect(one.cleanups.find(plans[0]?.id ?? '')).rejects.toThrow('no such cleanup');
    expect(await one.cleanups.find(plans[2]?.id ?? '')).toMatchObject({ state: 'planned' });
  });
});

describe('running a cleanup', () => {
  test('acts on exactly the frozen emails, in steps, and records each under one batch', async () => {
    await open({ m9: [] });
    const plan = await one.cleanups.plan(ARCHIVE_INBOX);
    await bench.deliver('arrived after planning');
    await one.cleanups.control(plan.id, 'run');
    const done = await one.cleanups.work(plan.id);

    expect(done).toMatchObject({ state: 'completed', changed: COUNT - 1, processed: COUNT - 1, skipped: 0 });
    expect(done).toMatchObject({
      plannedActions: { archive: COUNT - 1 },
      changedActions: { archive: COUNT - 1 },
    });
    expect(done.finishedAt).not.toBeNull();
    expect((await one.list({})).emails.map(({ subject }) => subject)).toEqual(['arrived after planning']);
    const records = await bench.query<{ emailId: string; batchId: string; source: string }>(
      `SELECT "emailId", "batchId", "details"->>'source' AS "source" FROM "ActionHistory"`,
    );
    expect(new Set(records.map(({ emailId }) => emailId))).toEqual(
      new Set(allIds).difference(new Set(['m9'])),
    );
    expect(new Set(records.map(({ batchId }) => batchId))).toEqual(new Set([plan.batchId]));
    expect(new Set(records.map(({ source }) => source))).toEqual(new Set(['cleanup']));
  });

  test('leaves alone what became protected after planning, or was moved or answered', async () => {
    await open();
    const plan = await one.cleanups.plan(ARCHIVE_INBOX);
    await bench.changeElsewhere({
      ids: ['m1', 'm30'],
      added: ['STARRED'],
      removed: [],
      delayMs: 0,
      isLost: false,
    });
    await bench.changeElsewhere({ ids: ['m2'], added: [], removed: ['INBOX'], delayMs: 0, isLost: false });
    await bench.changeElsewhere({ ids: ['m3'], added: ['UNREAD'], removed: [], delayMs: 0, isLost: false });
    await bench.sendInConversation('thread-m31');
    await bench.changeElsewhere({
      ids: ['m4'],
      added: ['IMPORTANT'],
      removed: [],
      delayMs: 0,
      isLost: false,
    });
    await bench.storeSuggestions(['m5', 'm32'], 'notify');
    await bench.storeSuggestionsOf({
      m6: [{ action: 'label', classification: 'receipt', confidence_score: 0.9 }],
    });
    await one.cleanups.control(plan.id, 'run');
    const done = await one.cleanups.work(plan.id);

    expect(done).toMatchObject({ changed: COUNT - 8, skipped: 8, failed: 0 });
    const outcomes = await listOutcomes(plan.id);
    expect(outcomes.get('m1')).toEqual({ outcome: 'skipped', reason: 'starred' });
    expect(outcomes.get('m30')).toEqual({ outcome: 'skipped', reason: 'starred' });
    expect(outcomes.get('m2')).toEqual({ outcome: 'skipped', reason: 'moved' });
    expect(outcomes.get('m31')).toEqual({ outcome: 'skipped', reason: 'answered' });
    expect(outcomes.get('m4')).toEqual({ outcome: 'skipped', reason: 'important' });
    expect(outcomes.get('m5')).toEqual({ outcome: 'skipped', reason: 'notify' });
    expect(outcomes.get('m32')).toEqual({ outcome: 'skipped', reason: 'notify' });
    expect(outcomes.get('m6')).toEqual({ outcome: 'skipped', reason: 'receipt' });
    expect(outcomes.get('m3')).toEqual({ outcome: 'changed', reason: null });
    expect(inInbox().toSorted()).toEqual(expect.arrayContaining(['m1', 'm30', 'm31']));
  });

  test('acts on emails that left the inbox and came back before planning', async () => {
    await open();
    await one.list({});
    const elsewhere = { ids: ['m1', 'm2'], delayMs: 0, isLost: false };
    await bench.changeElsewhere({ ...elsewhere, added: [], removed: ['INBOX'] });
    await bench.changeElsewhere({ ...elsewhere, added: ['INBOX'], removed: [] });
    const done = await planAndRun();

    expect(done).toMatchObject({ state: 'completed', changed: COUNT, skipped: 0 });
  });

  test('counts a step that only waits as no progress', async () => {
    await open();
    const plan = await one.cleanups.plan(ARCHIVE_INBOX);
    await one.cleanups.control(plan.id, 'run');
    await bench.refuseChanges();
    await bench.query(`UPDATE "Cleanup" SET "progressedAt" = now() - interval '23 h'`);
    for (let step = 0; step < 3; step += 1) {
      expect(await one.cleanups.takeStep(plan.id)).toMatchObject({ kind: 'wait' });
    }
    const [row] = await bench.query<{ waitedH: number }>(
      `SELECT extract(epoch FROM now() - "progressedAt")::float8 / 3600 AS "waitedH" FROM "Cleanup"`,
    );

    expect(row?.waitedH).toBeGreaterThanOrEqual(23);
  });

  test('notices what happens between two steps, also where the history shows it late', async () => {
    await open();
    const plan = await one.cleanups.plan(ARCHIVE_INBOX);
    await one.cleanups.control(plan.id, 'run');
    await one.cleanups.takeStep(plan.id);
    await bench.changeElsewhere({
      ids: ['m39'],
      added: ['STARRED'],
      removed: [],
      delayMs: 1_000,
      isLost: false,
    });
    await one.cleanups.takeStep(plan.id);
    bench.clock.advance(2_000);
    const done = await one.cleanups.work(plan.id);

    expect(done).toMatchObject({ state: 'completed', changed: COUNT - 1, skipped: 1 });
    expect(inInbox()).toEqual(['m39']);
  });

  test('goes on after a kill without doing or recording anything twice', async () => {
    await open();
    const plan = await one.cleanups.plan(ARCHIVE_INBOX);
    await one.cleanups.control(plan.id, 'run');
    await one.cleanups.takeStep(plan.id);
    const { promise: died, resolve: die } = Promise.withResolvers<void>();
    const dying = bench.openProcess({ onDeath: die, stepSize: STEP_SIZE });
    void dying.cleanups.takeStep(plan.id);
    await died;
    await bench.expireLeases();
    bench.clock.advance(300_000);

    const done = await one.cleanups.work(plan.id);
    expect(done).toMatchObject({ state: 'completed', changed: COUNT, unchanged: 0, skipped: 0 });
    expect(await bench.listHistory()).toHaveLength(COUNT);
  });

  test('does nothing twice where two processes take steps at once', async () => {
    await open();
    const plan = await one.cleanups.plan(ARCHIVE_INBOX);
    await one.cleanups.control(plan.id, 'run');
    const two = bench.openProcess({ stepSize: STEP_SIZE });
    await Promise.all([one.cleanups.takeStep(plan.id), two.cleanups.takeStep(plan.id)]);
    const done = await one.cleanups.work(plan.id);

    expect(done).toMatchObject({ state: 'completed', changed: COUNT, unchanged: 0, skipped: 0, failed: 0 });
    expect(await bench.listHistory()).toHaveLength(COUNT);
  });

  test('pauses, resumes and cancels', async () => {
    await open();
    const plan = await one.cleanups.plan(ARCHIVE_INBOX);
    await one.cleanups.control(plan.id, 'run');
    await one.cleanups.takeStep(plan.id);

    expect(await one.cleanups.control(plan.id, 'pause')).toMatchObject({ state: 'paused' });
    expect(await one.cleanups.takeStep(plan.id)).toEqual({ kind: 'over' });
    expect(inInbox()).toHaveLength(COUNT - STEP_SIZE);
    expect(await one.cleanups.control(plan.id, 'resume')).toMatchObject({ state: 'queued' });
    await one.cleanups.takeStep(plan.id);
    expect(await one.cleanups.control(plan.id, 'cancel')).toMatchObject({ state: 'cancelled' });
    expect(await one.cleanups.takeStep(plan.id)).toEqual({ kind: 'over' });
    expect(inInbox()).toHaveLength(COUNT - 2 * STEP_SIZE);
    await expect(one.cleanups.control(plan.id, 'resume')).rejects.toThrow('cancelled');
  });

  test('does not run a plan that has expired', async () => {
    await open();
    const plan = await one.cleanups.plan(ARCHIVE_INBOX);
    await bench.query(`UPDATE "Cleanup" SET "expiresAt" = now() - interval '1 s'`);

    expect(await one.cleanups.find(plan.id)).toMatchObject({ state: 'expired' });
    await expect(one.cleanups.control(plan.id, 'run')).rejects.toThrow('expired');
    expect(await one.cleanups.takeStep(plan.id)).toEqual({ kind: 'over' });
    expect(inInbox()).toHaveLength(COUNT);
  });

  test('compares each email with the plan where Gmail no longer tells what changed since', async () => {
    await open();
    const plan = await one.cleanups.plan(ARCHIVE_INBOX);
    const quick = { delayMs: 0, isLost: false };
    await bench.changeElsewhere({ ...quick, ids: ['m1'], added: ['STARRED'], removed: [] });
    await bench.changeElsewhere({ ...quick, ids: ['m2'], added: ['TRASH'], removed: ['INBOX'] });
    await bench.changeElsewhere({ ...quick, ids: ['m3'], added: [], removed: ['INBOX'] });
    await bench.query(`UPDATE "Cleanup" SET "historyId" = '1', "overlapHistoryId" = '1'`);
    await one.cleanups.control(plan.id, 'run');

    expect(await one.cleanups.work(plan.id)).toMatchObject({
      state: 'completed',
      changed: COUNT - 3,
      skipped: 3,
    });
    expect(inInbox()).toEqual(['m1']);
  });

  test.each([
    ['mark_read', ['UNREAD'], []],
    ['mark_unread', [], ['UNREAD']],
    ['delete', [], ['TRASH']],
  ] as const)('can %s', async (action, before, after) => {
    await open({ m0: ['INBOX', ...before] });
    const done = await planAndRun({
      action,
      selection: { type: 'filter', scope: 'inbox', except: allIds.slice(1) },
    });

    expect(done).toMatchObject({ state: 'completed', changed: 1 });
    expect(bench.readLabels().get('m0')).toEqual([...(action === 'delete' ? [] : ['INBOX']), ...after]);
  });

  test('adds a label of the user’s choice, which it creates', async () => {
    await open();
    const done = await planAndRun({
      action: 'label',
      label: 'Receipts/2026 🧾',
      selection: ARCHIVE_INBOX.selection,
    });

    expect(done).toMatchObject({ state: 'completed', changed: COUNT });
    expect(new Set([...bench.readLabels().values()].map((labels) => labels.length))).toEqual(new Set([2]));
  });
});
