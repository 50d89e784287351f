import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BenchProcess } from '../testing/bench-process.ts';
import { openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

const COUNT = 40;
const STEP_SIZE = 15;
const allIds = Array.from({ length: COUNT }, (_, index) => `m${index}`);

test('an accepting cleanup accepts suggestions as they were when the plan was made', async () => {
  await bench.storeSuggestions(['m0', 'm1'], 'archive');
  await bench.storeSuggestions(['m2'], 'label');
  const plan = await one.cleanups.plan({
    action: 'accept',
    selection: { type: 'suggestions', except: [] },
  });
  expect(plan).toMatchObject({
    plannedActions: { archive: 2, label: 1 },
    changedActions: {},
    changedBytes: 0,
  });
  await bench.storeSuggestions(['m0', 'm2'], 'delete');
  await one.cleanups.control(plan.id, 'run');
  const done = await one.cleanups.work(plan.id);

  expect(done).toMatchObject({ state: 'completed', changed: 3, changedActions: { archive: 2, label: 1 } });
  const labels = bench.readLabels();
  expect(labels.get('m0')).not.toContain('TRASH');
  expect(inInbox()).not.toContain('m1');
  expect(labels.get('m2')).toHaveLength(2);
  expect((await listConfirmed()).map((emailIds) => emailIds.toSorted())).toEqual([['m0', 'm1', 'm2']]);
});

test('an accepting cleanup of senders takes those of their emails that have a suggestion', async () => {
  await bench.storeSuggestions(['m0', 'm7', 'm1', 'm2'], 'archive');
  const senders = await bench.query<{ key: string }>(
    `SELECT encode("senderKey", 'hex') AS "key" FROM "CachedMessage" WHERE "emailId" IN ('m0', 'm1')`,
  );
  const plan = await one.cleanups.plan({
    action: 'accept',
    selection: { type: 'senders', senders: senders.map(({ key }) => key), except: ['m7'] },
  });
  expect(plan).toMatchObject({ total: 2, plannedActions: { archive: 2 } });
  await one.cleanups.control(plan.id, 'run');
  expect(await one.cleanups.work(plan.id)).toMatchObject({ changedActions: { archive: 2 } });

  expect(allIds.filter((id) => !inInbox().includes(id))).toEqual(['m0', 'm1']);
});

test('a cleanup of the suggestions of all senders makes none of them sure, one of a single sender makes that one sure', async () => {
  await bench.storeSuggestions(allIds, 'archive');
  const [{ key: sender } = { key: '' }] = (await one.listSuggestionGroups({ by: 'sender' })).data;
  const accept = async (selection: object) => {
    const suggestions = { type: 'suggestions' as const, except: [], ...selection };
    const plan = await one.cleanups.plan({ action: 'accept', selection: suggestions });
    await one.cleanups.control(plan.id, 'run');
    await one.cleanups.work(plan.id);
  };
  const countSure = async () => (await one.listStoredSuggestions({ minAcceptance: 0.95 })).total;
  const kept = (await one.listStoredSuggestions({ sender })).data.map(({ id }) => id);
  await accept({ except: kept.slice(0, 2) });
  expect(await countSure()).toBe(0);
  await accept({ sender, except: kept.slice(0, 1) });
  expect(await countSure()).toBe(1);
});

test.each(['mark_read', 'label', 'archive', 'delete'] as const)(
  'a cleanup that does %s to suggested emails decides about each suggestion, until it is undone',
  async (action) => {
    await bench.storeSuggestions(['m0', 'm1', 'm2'], 'archive');
    await bench.changeElsewhere({ ids: ['m1'], added: [], removed: ['INBOX'], delayMs: 0, isLost: false });
    await bench.storeSuggestions(['m1'], 'delete');
    const label = action === 'label' ? { label: 'Reading' } : {};
    const selection = { type: 'suggestions' as const, except: ['m2'] };
    const plan = await one.cleanups.plan({ action, ...label, selection });
    expect(plan).toMatchObject({ total: 2, plannedActions: { [action]: 2 } });
    await one.cleanups.control(plan.id, 'run');
    expect(await one.cleanups.work(plan.id)).toMatchObject({ state: 'completed', failed: 0, skipped: 0 });

    expect(await listOpen()).toEqual(['m2']);
    expect((await listConfirmed()).map((emailIds) => emailIds.toSorted())).toEqual([['m0', 'm1']]);
    const records = await bench.listHistory();
    expect(plan.action).toBe(action);
    expect(records.find(({ emailId }) => emailId === 'm1')?.details).toMatchObject({
      source: 'suggestions',
      note: `Suggested: delete (bulk); chosen instead: ${action}.`,
      suggestions: [{ action: 'delete' }],
    });
    await one.undo(records.map(({ id }) => id));
    expect(await listOpen()).toEqual(['m0', 'm1', 'm2']);
  },
);

test('an accepting cleanup publishes each email once, also after a kill, and nothing for an undo', async () => {
  await bench.storeSuggestions(allIds, 'archive');
  const plan = await one.cleanups.plan({
    action: 'accept',
    selection: { type: 'suggestions', except: [] },
  });
  await one.cleanups.control(plan.id, 'run');
  await one.cleanups.takeStep(plan.id);
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  void bench.openProcess({ onDeath: die, stepSize: STEP_SIZE }).cleanups.takeStep(plan.id);
  await died;
  expect(await listConfirmed()).toHaveLength(1);
  await bench.expireLeases();
  bench.clock.advance(300_000);
  const done = await one.cleanups.work(plan.id);

  expect(done).toMatchObject({
    state: 'completed',
    changed: COUNT,
    changedActions: { archive: COUNT },
    // What is archived frees no space.
    changedBytes: 0,
  });
  const confirmed = await listConfirmed();
  expect(confirmed.flat().toSorted()).toEqual(allIds.toSorted());
  const records = await bench.listHistory();
  await one.undo(records.map(({ id }) => id));
  expect(inInbox()).toHaveLength(COUNT);
  expect(await listConfirmed()).toEqual(confirmed);
});

test('an accepting cleanup names what is done to each email, and counts what it changed, and measures what it trashed', async () => {
  const actions = ['archive', 'delete', 'notify', 'review'];
  await bench.storeSuggestionsOf(
    Object.fromEntries(
      allIds.slice(0, 20).map((id, index) => [
        id,
        [
          { action: actions[index % 4] ?? 'archive', classification: 'bulk', confidence_score: 0.9 },
          { action: 'label', classification: 'other', confidence_score: 0.1 },
        ],
      ]),
    ),
  );
  const plan = await one.cleanups.plan({
    action: 'accept',
    selection: { type: 'suggestions', classification: 'bulk', except: [] },
  });
  expect(plan.plannedActions).toEqual({ archive: 5, delete: 5, notify: 5, review: 5 });
  const trashed = await one.cleanups.listEmails(plan.id, { action: 'delete' });
  expect(trashed?.total).toBe(5);
  expect(new Set(trashed?.data.map(({ action }) => action))).toEqual(new Set(['delete']));
  expect(await one.cleanups.listEmails(plan.id, { action: 'mark_read' })).toMatchObject({ total: 0 });

  await bench.changeElsewhere({ ids: ['m1'], added: ['STARRED'], removed: [], delayMs: 0, isLost: false });
  // One whose size is not known.
  await bench.query(`DELETE FROM "CachedMessage" WHERE "emailId" = 'm5'`);
  await one.cleanups.control(plan.id, 'run');
  const done = await one.cleanups.work(plan.id);

  expect(done).toMatchObject({ state: 'completed', changed: 9, unchanged: 10, skipped: 1 });
  expect(done.changedActions).toEqual({ archive: 5, delete: 4 });
  const changed = await one.cleanups.listEmails(plan.id, { action: 'delete', outcome: 'changed' });
  const sizes = changed?.data.map(({ email }) => email?.size) ?? [];
  expect(sizes.filter((size) => size === undefined)).toHaveLength(1);
  expect(done.changedBytes).toBe(sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0));
  const skipped = await one.cleanups.listEmails(plan.id, { action: 'delete', outcome: 'skipped' });
  expect(skipped?.data.map(({ emailId }) => emailId)).toEqual(['m1']);
});

/** The emails whose suggestions are open. */
const listOpen = async () => (await one.listStoredSuggestions({})).data.map(({ id }) => id).toSorted();

/** The emails of each event that was published for accepted suggestions. */
const listConfirmed = async () => {
  const events = await bench.query<{ payload: { type: string; action: string; emailIds: string[] } }>(
    'SELECT "payload" FROM "OutboxEvent" ORDER BY "id"',
  );
  for (const { payload } of events) {
    expect(payload).toMatchObject({ type: 'domain.suggestions.confirmed', action: 'accept' });
  }
  return events.map(({ payload }) => payload.emailIds);
};

const inInbox = (): string[] =>
  [...bench.readLabels()].filter(([, labels]) => labels.includes('INBOX')).map(([id]) => id);

let bench: SandboxBench;
let one: BenchProcess;
beforeEach(async () => {
  bench = await openSandboxBench(
    allIds.map((id, index) => seedMessage(id, index, ['INBOX'])),
    {},
  );
  one = bench.openProcess({ stepSize: STEP_SIZE });
  await one.list({});
});
afterEach(() => bench.close());
