import type { CreateCleanupRequest, Suggestion } from '@mailsweep/contracts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BenchProcess } from '../testing/bench-process.ts';
import { openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';
import { estimateAcceptance, type KindDecisions, learnModel, sumByKind } from './acceptance.ts';
import { readAcceptanceModel } from './learned-acceptance.repository.ts';

const MINUTE_MS = 60_000;
const BULK: Suggestion = { action: 'archive', classification: 'bulk', confidence_score: 0.96 };
const OLD: Suggestion = { action: 'delete', classification: 'promotions_old', confidence_score: 0.8 };

// Of seven senders: every seventh message is from the same one.
const allIds = Array.from({ length: 42 }, (_, index) => `m${index}`);
const ofSender = (sender: number): string[] => allIds.filter((_, index) => index % 7 === sender);

describe('what the user decides', () => {
  test('changes what suggestions for the sender, and of the kind, are called; without decisions nothing is sure', async () => {
    expect(await readAcceptances()).toEqual(allIds.map(() => 0.94));

    await one.confirm(['m0'], 'reject');
    const [rejected, other] = await Promise.all([acceptanceOf('m7'), acceptanceOf('m1')]);
    expect(rejected).toBeLessThan(0.8);
    expect(other).toBeLessThan(0.94);
    expect(other).toBeGreaterThan(0.85);

    await one.confirm(ofSender(1).slice(0, 4), 'accept');
    expect(await acceptanceOf('m29')).toBeGreaterThan(0.96);
  });

  test('of what was called sure, puts in doubt what was accepted before, until the sender is accepted again', async () => {
    const ids = [0, 1, 2, 3, 4, 5, 6].map(ofSender);
    const [, [, , ...rejectedAtOnce] = [], [, , rejected = ''] = [], [, , accepted = '', next = ''] = []] =
      ids;
    const [, , other = ''] = ids[4] ?? [];
    for (const ofOne of ids) await one.confirm(ofOne.slice(0, 2), 'accept');
    expect(await acceptanceOf(other)).toBeGreaterThan(0.95);

    // However many emails, one request about one sender is one decision.
    await one.confirm(rejectedAtOnce, 'reject');
    expect((await readAcceptanceModel(bench.database, bench.userId)).doubtedAt).toBeNull();
    expect(await acceptanceOf(other)).toBeGreaterThan(0.95);

    await one.confirm([rejected], 'reject');
    const model = await readAcceptanceModel(bench.database, bench.userId);
    expect(model.doubtedAt).not.toBeNull();
    const { action, classification, confidence_score: confidence } = BULK;
    const known = { decided: 1, accepted: 1, isDoubted: true };
    const doubted = estimateAcceptance(model, { action, classification, confidence }, known);
    expect(doubted).toBeLessThan(0.95);
    expect(await acceptanceOf(other)).toBeCloseTo(doubted, 12);

    await one.confirm([accepted], 'accept');
    expect(await acceptanceOf(next)).toBeGreaterThan(0.95);
    expect(await acceptanceOf(other)).toBeLessThan(0.95);

    const records = await bench.listHistory();
    await one.undo(records.filter(({ emailId }) => emailId === rejected).map(({ id }) => id));
    expect(await acceptanceOf(other)).toBeGreaterThan(0.95);
  });

  test('is estimated by the database as by the formula, for every email and filter', async () => {
    await storeEach((index) => ({ ...(index % 2 ? BULK : OLD), confidence_score: index / 42 }));
    await one.confirm(['m0', 'm1', 'm2', 'm8', 'm15', 'm22'], 'accept');
    await one.confirm(['m7', 'm9', 'm14'], 'reject');
    const records = await bench.listHistory();
    await one.undo(records.filter(({ emailId }) => ['m2', 'm9'].includes(emailId)).map(({ id }) => id));

    const senders = await bench.query<KindDecisions & { sender: string }>(
      `SELECT encode("senderKey", 'hex') AS "sender", "action", "classification", "decided", "accepted", "confidence"
       FROM "SenderAcceptance"`,
    );
    // What was undone is no decision.
    expect(senders.reduce((sum, { decided }) => sum + decided, 0)).toBe(5);
    expect(senders.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(3);
    const model = learnModel(sumByKind(senders));
    const stored = await readAcceptanceModel(bench.database, bench.userId);
    expect(stored.rejectionRatio).toBeCloseTo(model.rejectionRatio, 12);

    const { data } = await one.listStoredSuggestions({});
    expect(data.length).toBeGreaterThan(30);
    const keys = await bench.query<{ emailId: string; sender: string }>(
      `SELECT "emailId", encode("senderKey", 'hex') AS "sender" FROM "CachedMessage"`,
    );
    const senderOf = new Map(keys.map(({ emailId, sender }) => [emailId, sender]));
    for (const { id, suggestions } of data) {
      const [best] = suggestions;
      if (best === undefined) throw new Error('an email without a suggestion was listed');
      const { action, classification, confidence_score: confidence } = best;
      const known = senders.find(
        (row) =>
          row.sender === senderOf.get(id) && row.action === action && row.classification === classification,
      );
      const expected = estimateAcceptance(model, { action, classification, confidence }, known);
      expect(best.acceptance).toBeCloseTo(expected, 12);
    }
    const values = data.flatMap(({ suggestions }) => suggestions[0]?.acceptance ?? []);
    for (const minAcceptance of [0.3, 0.75, 0.95]) {
      const { total } = await one.listStoredSuggestions({ minAcceptance });
      expect(total).toBe(values.filter((value) => value >= minAcceptance).length);
      const groups = await one.listSuggestionGroups({ by: 'sender', minAcceptance });
      expect(groups.emails).toBe(total);
    }
    const { confidence, data: groups } = await one.listSuggestionGroups({ by: 'sender' });
    expect(confidence.sure).toBe(values.filter((value) => value >= 0.95).length);
    expect(confidence.check).toBe(values.filter((value) => value < 0.75).length);
    expect(Math.max(...groups.map(({ mostAcceptance }) => mostAcceptance))).toBeCloseTo(Math.max(...values));
    expect(Math.min(...groups.map(({ leastAcceptance }) => leastAcceptance))).toBeCloseTo(
      Math.min(...values),
    );
  });

  test('counts once for each request that accepts several emails of a sender: nobody has read them all', async () => {
    await storeEach(() => OLD);
    await one.confirm(
      [0, 1, 2].flatMap((sender) => ofSender(sender).slice(0, 4)),
      'accept',
    );
    expect(await bench.query('SELECT "decided"::int, "accepted"::int FROM "SenderAcceptance"')).toEqual(
      Array.from({ length: 3 }, () => ({ decided: 1, accepted: 1 })),
    );
    const [, , , , left = ''] = ofSender(0);
    expect(await acceptanceOf(left)).toBeLessThan(0.95);
    await one.confirm([left], 'accept');
    expect(await acceptanceOf(ofSender(0)[5] ?? '')).toBeGreaterThan(0.95);
  });

  test('counts once for each email, however often it is decided', async () => {
    for (let round = 0; round < 3; round += 1) await one.confirm(['m0'], 'reject');
    expect(await bench.query('SELECT "decided"::int, "accepted"::int FROM "SenderAcceptance"')).toEqual([
      { decided: 1, accepted: 0 },
    ]);
    expect((await one.learning.listStopped()).total).toBe(0);
  });
});

describe('what is undone', () => {
  test('was never decided: after accepting or rejecting all and undoing it, every group stands as before', async () => {
    await one.confirm(['m0', 'm1', 'm2', 'm8', 'm9', 'm15'], 'accept');
    await one.confirm(['m7', 'm3'], 'reject');
    const before = await readGroups();
    expect(before.confidence).toMatchObject({ sure: 7, check: 9 });

    const { id } = await one.cleanups.plan(ACCEPT_ALL);
    await one.cleanups.control(id, 'run');
    expect(await one.cleanups.work(id)).toMatchObject({ state: 'completed' });
    expect(await listIds()).toEqual([]);
    await undoSince(8);
    expect(await readGroups()).toEqual(before);

    const ids = allIds.filter((emailId) => before.emailIds.includes(emailId));
    for (const action of ['accept', 'reject'] as const) {
      const { length } = await bench.listHistory();
      await one.confirm(ids, action);
      expect(await readGroups()).not.toEqual(before);
      await undoSince(length);
      expect(await readGroups()).toEqual(before);
    }
  });

  test('lets the decision before it count again', async () => {
    await one.confirm(['m0', 'm7'], 'reject');
    await one.confirm(['m0'], 'accept');
    await undoSince(2);
    expect(await one.confirm(['m14'], 'reject')).toHaveProperty('stopped');
  });
});

describe('an action that was rejected three times in a row', () => {
  test('is no longer suggested for the sender, is listed, and comes back when it is allowed', async () => {
    expect(await one.confirm(['m0', 'm7'], 'reject')).not.toHaveProperty('stopped');
    expect(await listIds()).toContain('m14');
    const { stopped } = await one.confirm(['m14', 'm1'], 'reject');
    expect(stopped).toEqual((await one.learning.listStopped()).data);
    await one.undo((await bench.listHistory()).filter(({ emailId }) => emailId === 'm1').map(({ id }) => id));

    const left = ofSender(0).slice(3);
    expect((await listIds()).filter((id) => left.includes(id))).toEqual([]);
    expect((await one.listSuggestionGroups({ by: 'sender' })).emails).toBe(36);
    const plan = await one.cleanups.plan(ACCEPT_ALL);
    expect(plan.total).toBe(36);
    const { data } = await one.learning.listStopped();
    expect(data).toMatchObject([{ from: 'Sender <sender0@shop.example>', action: 'archive' }]);

    await one.learning.allow(data[0]?.id ?? '');
    expect((await one.learning.listStopped()).data).toEqual([]);
    expect((await listIds()).filter((id) => left.includes(id)).toSorted()).toEqual(left.toSorted());

    // Two more rejections are not three in a row.
    bench.clock.advance(MINUTE_MS);
    expect(await one.confirm(left.slice(0, 2), 'reject')).not.toHaveProperty('stopped');
    expect((await one.learning.listStopped()).total).toBe(0);
    expect(await one.confirm(left.slice(2), 'reject')).toMatchObject({
      stopped: [{ id: data[0]?.id }],
    });
    expect((await one.learning.listStopped()).total).toBe(1);
  });

  test('is suggested again when a rejection is undone; other actions and senders are suggested all the time', async () => {
    await bench.storeSuggestionsOf({ m21: [BULK, OLD], m28: [BULK] });
    await one.confirm(['m0', 'm7', 'm14'], 'reject');
    const { data } = await one.listStoredSuggestions({});
    expect(data.find(({ id }) => id === 'm21')?.suggestions).toMatchObject([OLD]);
    expect(data.find(({ id }) => id === 'm28')).toBeUndefined();

    const [record] = await bench.listHistory();
    await one.undo([record?.id ?? '']);
    expect(await listIds()).toContain('m28');
    expect((await one.learning.listStopped()).total).toBe(0);
  });

  test('an acceptance in between, or an acceptance that was undone, does not stop it', async () => {
    await one.confirm(['m0', 'm7'], 'reject');
    await one.confirm(['m14'], 'accept');
    await one.confirm(['m21'], 'reject');
    expect((await one.learning.listStopped()).total).toBe(0);

    await one.confirm(ofSender(1).slice(0, 4), 'accept');
    await undoSince(4);
    expect((await one.learning.listStopped()).total).toBe(0);
  });
});

describe('the precision', () => {
  test('is counted by what suggestions were called when the user decided, also those of cleanups', async () => {
    await storeEach((index) => (index % 7 < 4 ? BULK : OLD));
    await one.confirm(
      [0, 1, 2, 3].flatMap((sender) => ofSender(sender).slice(0, 2)),
      'accept',
    );
    await one.confirm(['m14', 'm15', 'm16', 'm4'], 'accept');
    await one.confirm(['m17', 'm5'], 'reject');
    const records = await bench.listHistory();
    await one.undo(records.filter(({ emailId }) => emailId === 'm15').map(({ id }) => id));

    const precision = await one.learning.getPrecision('week');
    expect(precision).toMatchObject({
      by: 'week',
      sure: { decided: 3, agreed: 2 },
      likely: { decided: 10, agreed: 9, rate: 0.9 },
      check: { decided: 0, agreed: 0, rate: null, low: null, high: null },
      classifications: [
        { classification: 'bulk', sure: { decided: 3, agreed: 2 }, likely: { decided: 8, agreed: 8 } },
        { classification: 'promotions_old', likely: { decided: 2, agreed: 1 } },
      ],
    });
    // 2026-06-15 is a Monday.
    expect(precision.spans).toMatchObject([{ start: '2026-06-15', sure: { decided: 3, agreed: 2 } }]);
    expect((await one.learning.getPrecision('month')).spans).toMatchObject([{ start: '2026-06-01' }]);

    const { id } = await one.cleanups.plan({
      action: 'accept',
      selection: { type: 'suggestions', sender: await keyOf('m6'), except: [] },
    });
    // Called what it was when the plan was made, though each email makes the next one surer.
    await one.cleanups.control(id, 'run');
    await one.cleanups.work(id);
    expect(await one.learning.getPrecision('week')).toMatchObject({ likely: { decided: 16, agreed: 15 } });
  });
});

/** All open suggestions: their groups, in both ways, and what each is called. */
const readGroups = async () => {
  const [bySender, byClassification, { data }] = await Promise.all([
    one.listSuggestionGroups({ by: 'sender' }),
    one.listSuggestionGroups({ by: 'classification' }),
    one.listStoredSuggestions({}),
  ]);
  return {
    confidence: bySender.confidence,
    groups: [bySender.data, byClassification.data],
    acceptances: data.map(({ id, suggestions }) => [id, suggestions[0]?.acceptance]),
    emailIds: data.map(({ id }) => id),
    precision: await one.learning.getPrecision('week'),
  };
};
const undoSince = async (count: number) => {
  const records = await bench.listHistory();
  const { results } = await one.undo(records.slice(count).map(({ id }) => id));
  expect(results.every(({ status }) => status === 'ok')).toBe(true);
};

const ACCEPT_ALL: CreateCleanupRequest = {
  action: 'accept',
  selection: { type: 'suggestions', except: [] },
};

const storeEach = (toSuggestion: (index: number) => Suggestion) =>
  bench.storeSuggestionsOf(Object.fromEntries(allIds.map((id, index) => [id, [toSuggestion(index)]])));
const readAcceptances = async () =>
  (await one.listStoredSuggestions({})).data.map(({ suggestions }) => suggestions[0]?.acceptance);
const acceptanceOf = async (emailId: string) =>
  (await one.listStoredSuggestions({})).data.find(({ id }) => id === emailId)?.suggestions[0]?.acceptance;
const listIds = async () => (await one.listStoredSuggestions({})).data.map(({ id }) => id);
const keyOf = async (emailId: string) => {
  const [row] = await bench.query<{ key: string }>(
    `SELECT encode("senderKey", 'hex') AS "key" FROM "CachedMessage" WHERE "emailId" = $1`,
    [emailId],
  );
  return row?.key ?? '';
};

let bench: SandboxBench;
let one: BenchProcess;
beforeEach(async () => {
  bench = await openSandboxBench(
    allIds.map((id, index) => seedMessage(id, index, ['INBOX'])),
    {},
  );
  one = bench.openProcess();
  await bench.cacheMessages(allIds);
  await storeEach(() => BULK);
});
afterEach(() => bench.close());
