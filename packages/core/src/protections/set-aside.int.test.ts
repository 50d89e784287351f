import type { CleanupSelection, CreateCleanupRequest } from '@mailsweep/contracts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { updatePreferences } from '../account/update-preferences.ts';
import type { BenchProcess } from '../testing/bench-process.ts';
import { openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

/** Snoozed and scheduled email looks archived, as at Gmail: only a search tells (gauteh/lieer#291). */
const HIDDEN = { m0: 'snoozed', m1: 'snoozed', m2: 'scheduled' } as const;
const IDS = ['m0', 'm1', 'm2', 'm3', 'm4', 'm5'];
const ALL: CleanupSelection = { type: 'filter', scope: 'all', except: [] };
const SUGGESTED: CleanupSelection = { type: 'suggestions', except: [] };

test('is left out of every plan, with the reason', async () => {
  await snooze();
  const senders = [await senderOf()];
  const requests: CreateCleanupRequest[] = [
    { action: 'delete', selection: ALL },
    { action: 'delete', selection: { ...ALL, search: 'is:snoozed OR subject:Subject' } },
    { action: 'delete', selection: { type: 'senders', senders, except: [] } },
    { action: 'mark_read', selection: { ...ALL, unread: true } },
    { action: 'label', label: 'Own', selection: { type: 'senders', senders, except: [] } },
    { action: 'accept', selection: SUGGESTED },
    { action: 'delete', selection: SUGGESTED },
    { action: 'accept', selection: { type: 'senders', senders, except: [] } },
  ];
  for (const request of requests) {
    const plan = await one.cleanups.plan(request);
    expect([request, plan.total, plan.excluded]).toEqual([request, 3, { snoozed: 3 }]);
  }
});

test('is skipped where it was snoozed after the plan was made', async () => {
  const plan = await one.cleanups.plan({ action: 'delete', selection: ALL });
  // No record of the history tells.
  await bench.setAside(HIDDEN);
  await one.cleanups.control(plan.id, 'run');
  expect(await one.cleanups.work(plan.id)).toMatchObject({ changed: 3, skipped: 3 });
  const skipped = await one.cleanups.listEmails(plan.id, { outcome: 'skipped' });
  expect(skipped?.data.map(({ emailId, reason }) => [emailId, reason])).toEqual(
    Object.keys(HIDDEN).map((id) => [id, 'snoozed']),
  );
});

test('is left alone by rules', async () => {
  await updatePreferences(
    bench.database,
    bench.userId,
    { watch: { enabled: true } },
    { address: null, browser: null },
  );
  await snooze();
  const rule = await one.rules.create({
    condition: { type: 'sender', sender: await senderOf() },
    action: 'delete',
  });
  expect(await one.rules.runDue()).toBe(1);
  const { lastRun } = await one.rules.find(rule.id);
  expect(await one.cleanups.work(lastRun?.cleanupId ?? '')).toMatchObject({
    changed: 3,
    excluded: { snoozed: 3 },
  });
  expect(listTrashed()).toEqual(['m3', 'm4', 'm5']);
});

test('is not in all mail, and nothing is suggested for it once that was read', async () => {
  await snooze();
  expect((await one.list({ scope: 'all' })).emails.map(({ id }) => id)).toEqual(['m3', 'm4', 'm5']);
  await one.cleanups.plan({ action: 'accept', selection: SUGGESTED });
  const { data } = await one.listStoredSuggestions({});
  expect(data.map(({ id }) => id)).toEqual(['m3', 'm4', 'm5']);
  const sender = await senderOf();
  expect(await one.findSender(sender)).toMatchObject({ excluded: { snoozed: 3 }, takes: { delete: 3 } });
  expect(await one.listSenderEmails(sender)).toContainEqual(
    expect.objectContaining({ id: 'm0', protection: 'snoozed' }),
  );

  await bench.setAside({ m0: null });
  await one.cleanups.plan({ action: 'accept', selection: SUGGESTED });
  expect((await one.listStoredSuggestions({})).data).toHaveLength(4);
});

test('is changed where the user names it, as starred email is', async () => {
  await snooze();
  expect(await one.act(['m0'], 'delete')).toMatchObject({ results: [{ emailId: 'm0', status: 'ok' }] });
  expect(listTrashed()).toEqual(['m0']);
});

const listTrashed = () => IDS.filter((id) => bench.readLabels().get(id)?.includes('TRASH'));
const snooze = async () => {
  const ids = Object.keys(HIDDEN);
  await bench.changeElsewhere({ ids, added: [], removed: ['INBOX'], delayMs: 0, isLost: false });
  await bench.setAside(HIDDEN);
};
const senderOf = async (): Promise<string> => (await one.listSenders()).data[0]?.id ?? '';

let bench: SandboxBench;
let one: BenchProcess;
beforeEach(async () => {
  bench = await openSandboxBench(
    IDS.map((id, index) => ({
      ...seedMessage(id, index, ['INBOX', 'UNREAD']),
      from: 'Shop <news@shop.example>',
    })),
    {},
  );
  one = bench.openProcess();
  await one.list({ scope: 'all' });
  await bench.storeSuggestions(IDS, 'delete');
});
afterEach(() => bench.close());
