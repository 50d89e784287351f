import type { CreateRuleRequest } from '@mailsweep/contracts';
import { type Mailbox, MailboxError } from '@mailsweep/mail/mailbox';
import { afterEach, describe, expect, test } from 'vitest';
import { updatePreferences } from '../account/update-preferences.ts';
import type { BenchProcess } from '../testing/bench-process.ts';
import { OWN_LABEL, openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const COUNT = 40;
const SENDERS = 7;
const allIds = Array.from({ length: COUNT }, (_, index) => `m${index}`);
/** Emails of the first sender: m0, m7, … */
const ofFirst = allIds.filter((_, index) => index % SENDERS === 0);

let bench: SandboxBench;
let one: BenchProcess;
let senderIds: Map<string, string>;

/** Opens a cached mailbox in which an email came every `minutesApart`; some have other labels. */
const open = async (others: Record<string, string[]> = {}, minutesApart = SENDERS) => {
  bench = await openSandboxBench(
    allIds.map((id, index) => ({
      ...seedMessage(id, index * minutesApart, others[id] ?? ['INBOX', 'UNREAD']),
      from: `Sender <sender${index % SENDERS}@shop.example>`,
    })),
    {},
  );
  one = bench.openProcess();
  await switchWatch(true);
  await one.list({ scope: 'all' });
  const rows = await bench.query<{ emailId: string; key: string }>(
    `SELECT "emailId", encode("senderKey", 'hex') AS "key" FROM "CachedMessage"`,
  );
  senderIds = new Map(rows.map(({ emailId, key }) => [emailId, key]));
};
afterEach(() => bench.close());

const switchWatch = (enabled: boolean) =>
  updatePreferences(bench.database, bench.userId, { watch: { enabled } }, { address: null, browser: null });

const createRule = (more: Partial<CreateRuleRequest> = {}) =>
  one.rules.create({ condition: { type: 'sender', sender: senderIds.get('m0') ?? '' }, ...more });
/** Has the worker execute the last run of a rule. */
const workOff = async (id: string) => {
  const { lastRun } = await one.rules.find(id);
  if (lastRun === null) throw new Error('the rule was not run');
  return one.cleanups.work(lastRun.cleanupId);
};
const listArchived = (): string[] => allIds.filter((id) => !bench.readLabels().get(id)?.includes('INBOX'));
const listRecords = () =>
  bench.query<{ emailId: string; source: string; ruleId: string; undoneAt: Date | null }>(
    `SELECT "emailId", "source", "details"->>'ruleId' AS "ruleId", "undoneAt" FROM "ActionHistory" ORDER BY "id"`,
  );

describe('a rule that is due', () => {
  test('acts on the email of its sender, and on no other; the history names it', async () => {
    await open();
    const rule = await createRule();
    expect(await one.rules.runDue()).toBe(1);
    expect(listArchived()).toEqual([]);
    expect(await workOff(rule.id)).toMatchObject({
      state: 'completed',
      ruleId: rule.id,
      changed: ofFirst.length,
    });

    expect(listArchived()).toEqual(ofFirst);
    const records = await listRecords();
    expect(records.map(({ emailId }) => emailId).toSorted()).toEqual(ofFirst.toSorted());
    expect(new Set(records.map(({ source, ruleId }) => `${source} ${ruleId}`))).toEqual(
      new Set([`rule ${rule.id}`]),
    );
    expect(await one.rules.find(rule.id)).toMatchObject({
      lastRun: { state: 'completed', actions: ofFirst.length, undone: 0 },
      counts: { runs: 1, actions: ofFirst.length, undone: 0 },
    });
    expect(await bench.query('SELECT FROM "OutboxEvent"')).toEqual([]);
  });

  test('is run also where the mailbox refuses what another one needs, which stays due', async () => {
    await open();
    const refused = await createRule();
    const other = await createRule({ condition: { type: 'sender', sender: senderIds.get('m1') ?? '' } });
    const readBaseline: Mailbox['readBaseline'] = async (ids) => {
      if (ids.includes('m0')) throw new MailboxError('failed', 'mail.example refuses it');
      return await one.mailbox.readBaseline(ids);
    };
    expect(await one.rules.runDue({ readBaseline })).toBe(1);
    expect((await one.rules.find(other.id)).lastRun).not.toBeNull();
    expect((await one.rules.find(refused.id)).lastRun).toBeNull();
    expect(await one.rules.runDue()).toBe(1);
    expect((await one.rules.find(refused.id)).lastRun).not.toBeNull();
  });

  test('takes only email that is old enough', async () => {
    await open({}, 13 * 60);
    const rule = await createRule({ olderThan: 7 });
    await one.rules.runDue();
    await workOff(rule.id);
    // The thirteenth came 169 hours ago.
    expect(listArchived()).toEqual(ofFirst.filter((id) => Number(id.slice(1)) >= 13));
  });

  test('leaves the newest email until a newer one comes, for no quota unit until then, and is undone', async () => {
    await open();
    const arrive = async (subject: string) => {
      const id = await bench.deliver(subject);
      await bench.letTimePass(HOUR_MS);
      await one.list({ scope: 'all' });
      return id;
    };
    const listInbox = async () => (await one.list({})).emails.map(({ id }) => id).slice(0, 2);
    const first = await arrive('First');
    const [sender] = (await one.listSenders()).data.filter(({ from }) => from.includes('new@shop'));
    const rule = await createRule({
      condition: { type: 'sender', sender: sender?.id ?? '' },
      keepNewest: 1,
    });
    const before = await bench.readUnits();
    expect(await one.rules.runDue()).toBe(0);
    expect((await bench.readUnits()) - before).toBeLessThanOrEqual(4);

    const second = await arrive('Second');
    expect(await one.rules.runDue()).toBe(1);
    expect(await workOff(rule.id)).toMatchObject({ changed: 1, selection: { keepNewest: 1 } });
    expect(await listInbox()).toEqual([second, 'm0']);
    await one.rules.undo(rule.id);
    expect(await listInbox()).toEqual([second, first]);
  });

  test('takes email by the classification and confidence of its best open suggestion', async () => {
    await open();
    const suggest = (classification: string, confidence_score: number) => [
      { action: 'archive', classification, confidence_score },
    ];
    await bench.storeSuggestionsOf({
      m1: suggest('bulk', 0.9),
      m2: suggest('bulk', 0.8),
      m3: suggest('bulk', 0.79),
      m4: suggest('social', 0.9),
      m5: suggest('bulk', 0.95),
    });
    await one.confirm(['m5'], 'reject');
    const rule = await createRule({
      condition: { type: 'classification', classification: 'bulk', minConfidence: 0.8 },
      action: 'label',
      label: 'Offers',
    });
    await one.rules.runDue();
    await workOff(rule.id);
    const labelled = allIds.filter((id) => (bench.readLabels().get(id)?.length ?? 0) > 2);
    expect(labelled).toEqual(['m1', 'm2']);
  });

  test('takes email of any of several senders and classifications', async () => {
    await open();
    const others = allIds.filter((id) => senderIds.get(id) !== senderIds.get('m0'));
    const [second, third, fourth] = others;
    await bench.storeSuggestionsOf({
      [String(second)]: [{ action: 'archive', classification: 'bulk', confidence_score: 0.9 }],
      [String(third)]: [{ action: 'archive', classification: 'social', confidence_score: 0.9 }],
      [String(fourth)]: [{ action: 'archive', classification: 'digest', confidence_score: 0.7 }],
    });
    const rule = await createRule({
      condition: {
        type: 'any',
        senders: [senderIds.get('m0') ?? ''],
        classifications: ['bulk', 'digest'],
        minConfidence: 0.8,
      },
    });
    await one.rules.runDue();
    await workOff(rule.id);
    expect(listArchived()).toEqual(allIds.filter((id) => ofFirst.includes(id) || id === second));
    expect((await one.rules.find(rule.id)).counts.actions).toBe(ofFirst.length + 1);
  });

  test('is run hourly where it takes new email, and daily otherwise, once for each slot', async () => {
    await open();
    const hourly = await createRule();
    const daily = await createRule({ olderThan: 3 });
    const countDue = async () => {
      const before = await Promise.all([hourly, daily].map(({ id }) => one.rules.find(id)));
      await one.rules.runDue();
      const after = await Promise.all([hourly, daily].map(({ id }) => one.rules.find(id)));
      return after.map(({ checkedAt }, index) => checkedAt !== before[index]?.checkedAt);
    };
    expect(await countDue()).toEqual([true, true]);
    await workOff(hourly.id);
    expect(await countDue()).toEqual([false, false]);
    await bench.letTimePass(HOUR_MS);
    expect(await countDue()).toEqual([true, false]);
    await bench.letTimePass(DAY_MS - HOUR_MS);
    expect(await countDue()).toEqual([true, true]);
  });

  test('is begun once by processes that run it at the same time', async () => {
    await open();
    const rule = await createRule();
    const processes = [one, bench.openProcess(), bench.openProcess()];
    const begun = await Promise.all(processes.map(({ rules }) => rules.runDue()));
    expect(begun.toSorted()).toEqual([0, 0, 1]);
    expect(await one.rules.find(rule.id)).toMatchObject({ counts: { runs: 1 } });
    expect(await bench.query('SELECT FROM "Cleanup"')).toHaveLength(1);
  });

  test('takes no quota unit but for the history when the cache has no email for it', async () => {
    await open();
    const rule = await createRule();
    await one.rules.runDue();
    await workOff(rule.id);
    await bench.letTimePass(HOUR_MS);
    const before = await bench.readUnits();
    expect(await one.rules.runDue()).toBe(0);
    expect((await bench.readUnits()) - before).toBeLessThanOrEqual(4);
    expect(await one.rules.find(rule.id)).toMatchObject({ counts: { runs: 1 } });
  });

  test('that archives is not run for invitations, one that marks email read is', async () => {
    await open();
    await bench.query('UPDATE "CachedMessage" SET "isInvitation" = true');
    await createRule();
    expect(await one.rules.runDue()).toBe(0);
    await createRule({ action: 'mark_read' });
    expect(await one.rules.runDue()).toBe(1);
  });

  test('waits while its last run goes on, or the user has paused it; one that an error paused is replaced', async () => {
    await open();
    const rule = await createRule();
    await one.rules.runDue();
    const { lastRun } = await one.rules.find(rule.id);
    const firstId = lastRun?.cleanupId ?? '';
    await bench.letTimePass(HOUR_MS);
    expect(await one.rules.runDue()).toBe(0);
    await one.cleanups.control(firstId, 'pause');
    expect(await one.rules.runDue()).toBe(0);

    await bench.query(`UPDATE "Cleanup" SET "error" = 'reauth_required'`);
    expect(await one.rules.runDue()).toBe(1);
    expect(await one.cleanups.find(firstId)).toMatchObject({ state: 'cancelled' });
    expect(await workOff(rule.id)).toMatchObject({ state: 'completed', changed: ofFirst.length });
  });

  test('stays due while the mailbox can’t be read', async () => {
    await open();
    const rule = await createRule();
    await bench.orderFault({ kind: 'unavailable', times: 100 });
    expect(await one.rules.runDue()).toBe(0);
    await bench.loseNoRecords();
    expect(await one.rules.find(rule.id)).toMatchObject({ checkedAt: null, lastRun: null });
    expect(await one.rules.runDue()).toBe(1);
  });

  test('does not act while the user lets Mailsweep only look, nor does a run that has begun', async () => {
    await open();
    const begun = await createRule();
    expect(await one.rules.runDue()).toBe(1);
    const waiting = await createRule({ condition: { type: 'sender', sender: senderIds.get('m1') ?? '' } });
    await bench.query(
      `INSERT INTO "ProviderConnection" ("userId", "encryptedAccessToken", "accessTokenExpiresAt", "scope", "canChange")
       SELECT "id", '', now(), '', false FROM "User"
       ON CONFLICT ("userId") DO UPDATE SET "canChange" = false`,
    );
    expect(await one.rules.runDue()).toBe(0);
    expect(await workOff(begun.id)).toMatchObject({ state: 'paused', error: 'missing_scope', changed: 0 });
    expect(listArchived()).toEqual([]);

    await bench.query('UPDATE "ProviderConnection" SET "canChange" = true');
    expect(await one.rules.runDue()).toBe(1);
    await workOff(waiting.id);
    expect(listArchived()).toEqual(allIds.filter((_, index) => index % SENDERS === 1));
  });

  test('stops when the user switches the watch off, unless the user has begun it', async () => {
    await open();
    const rule = await createRule();
    await one.rules.runDue();
    await switchWatch(false);
    expect(await workOff(rule.id)).toMatchObject({ state: 'cancelled', changed: 0 });

    await switchWatch(true);
    await one.rules.run(rule.id);
    await switchWatch(false);
    expect(await workOff(rule.id)).toMatchObject({ state: 'completed', changed: ofFirst.length });
  });

  test('is not begun when the user switches the watch off while its emails are selected', async () => {
    await open();
    const rule = await createRule();
    bench.onRequest(async () => void (await switchWatch(false)));
    expect(await one.rules.runDue()).toBe(0);
    expect(await one.rules.find(rule.id)).toMatchObject({ checkedAt: null, lastRun: null });
  });

  test('does nothing while it is disabled, and stops when it is disabled or deleted', async () => {
    await open();
    const rule = await createRule({ enabled: false });
    expect(await one.rules.runDue()).toBe(0);
    await one.rules.update(rule.id, { enabled: true });
    expect(await one.rules.runDue()).toBe(1);
    await one.rules.update(rule.id, { enabled: false });
    expect(await workOff(rule.id)).toMatchObject({ state: 'cancelled', changed: 0 });

    await one.rules.update(rule.id, { enabled: true });
    expect(await one.rules.runDue()).toBe(1);
    const { lastRun } = await one.rules.find(rule.id);
    await one.rules.delete(rule.id);
    expect(await one.cleanups.work(lastRun?.cleanupId ?? '')).toMatchObject({ state: 'cancelled' });
    expect(listArchived()).toEqual([]);
  });
});

describe('the plan of a rule', () => {
  test('says what is left out, and running it is a run of the rule', async () => {
    await open({ m0: ['INBOX', 'STARRED'], m7: ['INBOX', 'IMPORTANT'] });
    await bench.sendInConversation('thread-m14');
    const rule = await createRule({ enabled: false });
    const plan = await one.rules.preview(rule.id);
    expect(plan).toMatchObject({
      ruleId: rule.id,
      state: 'planned',
      total: ofFirst.length - 3,
      excluded: { starred: 1, important: 1, conversation: 1 },
    });
    expect(await one.rules.find(rule.id)).toMatchObject({ lastRun: null, counts: { runs: 0 } });
    await one.cleanups.control(plan?.id ?? '', 'run');
    await workOff(rule.id);
    expect(listArchived()).toEqual(ofFirst.slice(3));

    expect(await one.rules.preview(rule.id)).toMatchObject({ total: 0 });
  });

  test('leaves out what the rule has done before, and what the user has undone', async () => {
    await open();
    await one.act(['m0'], 'archive');
    const [record] = await bench.listHistory();
    await one.undo([record?.id ?? '']);
    const rule = await createRule({ action: 'label', label: 'Shop', enabled: false });
    const archiving = await createRule({ enabled: false });
    await one.rules.run(rule.id);
    expect(await workOff(rule.id)).toMatchObject({ changed: ofFirst.length });
    expect(await one.rules.preview(rule.id)).toMatchObject({
      total: 0,
      excluded: { handled: ofFirst.length },
    });
    expect(await one.rules.preview(archiving.id)).toMatchObject({
      total: ofFirst.length - 1,
      excluded: { handled: 1 },
    });
  });
});

describe('undoing', () => {
  /** A rule that has archived 6 emails in one run. */
  const runOnce = async () => {
    await open();
    const rule = await createRule();
    await one.rules.runDue();
    await workOff(rule.id);
    return rule;
  };

  test('all runs of a rule restores all it did, and pauses it', async () => {
    const rule = await runOnce();
    await bench.changeElsewhere({ ids: ['m1'], added: [], removed: ['INBOX'], delayMs: 0, isLost: false });
    await bench.letTimePass(HOUR_MS);
    const undone = await one.rules.undo(rule.id);
    expect(undone).toMatchObject({
      isRunning: false,
      rule: {
        enabled: false,
        pausedReason: 'undone',
        pausedAt: expect.any(String),
        nextRunAt: null,
        counts: { actions: ofFirst.length, undone: ofFirst.length },
        lastRun: { undone: ofFirst.length },
      },
    });
    expect(listArchived()).toEqual(['m1']);
    expect(await one.rules.runDue()).toBe(0);
    expect(await one.rules.find(rule.id)).toMatchObject({ undoing: 0 });
    await bench.query(`UPDATE "ActionBatch" SET "undoState" = 'running'`);
    expect(await one.rules.find(rule.id)).toMatchObject({ undoing: 1 });
  });

  test('a tenth of its actions pauses a rule; enabled again, it counts from zero and leaves them alone', async () => {
    const rule = await runOnce();
    const [first] = await bench.listHistory();
    await one.undo([first?.id ?? '']);
    expect(await one.rules.find(rule.id)).toMatchObject({
      enabled: false,
      pausedReason: 'undone',
      counts: { actions: ofFirst.length, undone: 1 },
    });
    const enabled = await one.rules.update(rule.id, { enabled: true });
    expect(enabled).toMatchObject({
      enabled: true,
      pausedReason: null,
      pausedAt: null,
      counts: { runs: 0, actions: 0, undone: 0 },
      lastRun: { actions: ofFirst.length, undone: 1 },
    });
    expect(await one.rules.runDue()).toBe(0);
    expect(listArchived()).toHaveLength(ofFirst.length - 1);
    // Undoing what it did before counts no more.
    await one.undo([(await bench.listHistory())[1]?.id ?? '']);
    expect(await one.rules.find(rule.id)).toMatchObject({ enabled: true, pausedReason: null });
  });

  test('emails that a rule did not change count neither as actions nor as undone', async () => {
    const [changed, ...labelled] = allIds;
    await open(Object.fromEntries(labelled.map((id) => [id, ['INBOX', 'UNREAD', OWN_LABEL]])));
    const suggestion = { action: 'label', classification: 'bulk', confidence_score: 0.9 };
    await bench.storeSuggestionsOf(Object.fromEntries(allIds.map((id) => [id, [suggestion]])));
    const rule = await createRule({
      condition: { type: 'classification', classification: 'bulk', minConfidence: 0.8 },
      action: 'label',
      label: 'Own',
    });
    await one.rules.runDue();
    expect(await workOff(rule.id)).toMatchObject({ changed: 1, unchanged: labelled.length });
    const records = Map.groupBy(await bench.listHistory(), ({ emailId }) => emailId === changed);
    const undoTen = (isChanged: boolean) =>
      one.undo((records.get(isChanged) ?? []).slice(0, 10).map(({ id }) => id));

    await undoTen(false);
    const counts = { actions: 1, undone: 0 };
    expect(await one.rules.find(rule.id)).toMatchObject({ enabled: true, counts });
    await undoTen(true);
    expect(await one.rules.find(rule.id)).toMatchObject({ enabled: false, pausedReason: 'undone' });
  });

  test('a tenth of what a rule has changed pauses it, however much it left as it was', async () => {
    const rule = await runOnce();
    await bench.query(
      `INSERT INTO "ActionBatch" ("id", "userId", "source", "action", "ruleId", "startedAt", "total")
       SELECT gen_random_uuid(), "userId", 'rule', 'archive', "id", "countedFrom", 99 FROM "Rule"`,
    );
    await one.undo((await bench.listHistory()).slice(0, 1).map(({ id }) => id));
    expect(await one.rules.find(rule.id)).toMatchObject({ enabled: false, pausedReason: 'undone' });
  });

  test('pausing is told once, by the sender, and listed in the audit trail', async () => {
    const rule = await runOnce();
    await bench.query(`UPDATE "UserPreferences" SET "notifications" = '{"attention": {"push": true}}'`);
    const ids = (await bench.listHistory()).map(({ id }) => id);
    await one.undo(ids.slice(0, 1));
    await one.undo(ids.slice(1, 2));
    expect(await one.rules.listAttention()).toEqual([
      { reason: 'rule_paused', name: 'Sender <sender0@shop.example>' },
    ]);
    const readTrail = () =>
      bench.query(
        `SELECT "event", "details" FROM "AuditEntry" WHERE "event" LIKE 'rule%' ORDER BY "at", "id"`,
      );
    const details = { ruleId: rule.id };
    expect(await readTrail()).toEqual([
      { event: 'rule_created', details },
      { event: 'rule_paused', details },
    ]);

    await one.rules.update(rule.id, { enabled: true, olderThan: 1 });
    await one.rules.update(rule.id, { olderThan: 0 });
    await one.rules.delete(rule.id);
    expect((await readTrail()).slice(2)).toEqual([
      { event: 'rule_changed', details: { ...details, enabled: 'true' } },
      { event: 'rule_changed', details },
      { event: 'rule_deleted', details },
    ]);
    expect(await one.rules.listAttention()).toHaveLength(1);
  });

  test('less than a tenth of all its actions pauses a rule when it is a tenth of the newest', async () => {
    const rule = await runOnce();
    // Earlier runs, of which nothing is undone.
    await bench.query(
      `INSERT INTO "ActionBatch" ("id", "userId", "source", "action", "ruleId", "startedAt", "total", "changed")
       SELECT gen_random_uuid(), "userId", 'rule', 'archive', "id", "countedFrom", 100, 100
       FROM "Rule" CROSS JOIN generate_series(1, 3)`,
    );
    const ids = (await bench.listHistory()).map(({ id }) => id);
    await bench.query(
      `UPDATE "ActionBatch" SET "total" = 99, "changed" = 99, "startedAt" = "startedAt" + interval '1 s' WHERE "total" < 99`,
    );
    await one.undo(ids.slice(0, 5));
    expect(await one.rules.find(rule.id)).toMatchObject({
      enabled: true,
      counts: { actions: 399, undone: 5 },
    });
    await bench.query(`UPDATE "ActionBatch" SET "total" = 100, "changed" = 100 WHERE "total" = 99`);
    await bench.query(`UPDATE "ActionBatch" SET "undone" = 9, "changedUndone" = 9 WHERE "undone" = 5`);
    await one.undo(ids.slice(5));
    expect(await one.rules.find(rule.id)).toMatchObject({
      enabled: false,
      pausedReason: 'undone',
      counts: { actions: 400, undone: 10 },
    });
  });
});
