import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BenchProcess } from '../testing/bench-process.ts';
import { openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

const HOUR_MS = 3_600_000;
const LIST = { headers: [{ name: 'List-Id', value: 'Offers <offers.shop.example>' }] };
const MAIL = [
  { ...seedMessage('m1', 1, ['INBOX']), from: 'Shop <bounce+1@shop.example>', ...LIST },
  { ...seedMessage('m2', 2, ['INBOX', 'STARRED']), from: 'Shop <bounce+2@mail.shop.example>', ...LIST },
  { ...seedMessage('m3', 3, ['INBOX']), from: 'Shop <bounce+3@shop.example>', ...LIST },
  { ...seedMessage('m4', 4, ['INBOX']), from: 'Shop <bounce+4@shop.example>' },
  { ...seedMessage('m5', 5, ['INBOX']), from: 'Ada at the shop <ada@shop.example>', ...LIST },
  { ...seedMessage('m6', 6, ['INBOX']), from: 'Else <news@other.example>' },
];

let bench: SandboxBench;
let one: BenchProcess;
beforeEach(async () => {
  bench = await openSandboxBench(MAIL, {});
  one = bench.openProcess();
  await one.list({ scope: 'all' });
});
afterEach(() => bench.close());

const findGroup = async (by: 'domain' | 'list') => {
  const { data } = await one.listSenders(by);
  const group = data.find((sender) => sender.group?.name.endsWith('shop.example'));
  if (group === undefined) throw new Error('no such group');
  return group.id;
};

const idOf = async (address: string) => {
  const { data } = await one.listSenders();
  return data.find(({ from }) => from.includes(address))?.id ?? '';
};

const trashed = () =>
  [...bench.readLabels()].flatMap(([id, labels]) => (labels.includes('TRASH') ? [id] : [])).toSorted();

test.each([
  ['domain', ['m1', 'm3', 'm4']],
  ['list', ['m1', 'm3']],
] as const)(
  'the cleanup of a %s leaves its protected sender out, and is undone exactly',
  async (by, expected) => {
    await one.protections.protect(await idOf('ada@shop.example'));
    const before = bench.readLabels();
    const senders = [await findGroup(by)];
    const selection = { type: 'senders' as const, senders, except: [] };
    const plan = await one.cleanups.plan({ action: 'delete', selection });
    expect(plan).toMatchObject({ total: expected.length, selection, excluded: { protected: 1, starred: 1 } });
    expect(await one.findSender(senders[0] ?? '')).toMatchObject({
      protected: false,
      takes: { delete: expected.length },
      excluded: plan.excluded,
    });

    await one.cleanups.control(plan.id, 'run');
    expect(await one.cleanups.work(plan.id)).toMatchObject({ state: 'completed', changed: expected.length });
    expect(trashed()).toEqual(expected);
    await one.undo((await bench.listHistory()).map(({ id }) => id));
    expect(bench.readLabels()).toEqual(before);
  },
);

test.each([
  ['domain', { type: 'domain', from: 'shop.example' }, 5],
  ['list', { type: 'list', from: 'offers@shop.example' }, 4],
] as const)(
  'a %s is protected, with email that comes later or is not cached, until that ends',
  async (by, expected, count) => {
    const id = await findGroup(by);
    const protection = await one.protections.protect(id);
    expect(protection).toMatchObject(expected);
    expect(await one.protections.protect(id)).toEqual(protection);
    expect((await one.protections.list()).data).toEqual([protection]);
    const { data } = await one.listSenders(by);
    expect(data.filter((sender) => sender.protected).map((sender) => sender.id)).toEqual([id]);
    expect(await one.findSender(id)).toMatchObject({ protected: true, excluded: { protected: count } });

    await bench.deliver('New', ['INBOX'], 'List-Id: Offers <offers.shop.example>');
    await one.list({ scope: 'all' });
    await bench.query(`DELETE FROM "CachedMessage" WHERE "emailId" = 'm2'`);
    for (const search of [undefined, 'from:example']) {
      const selection = { type: 'filter' as const, scope: 'inbox' as const, search, except: [] };
      const plan = await one.cleanups.plan({ action: 'archive', selection });
      expect([search, plan.excluded]).toEqual([search, { protected: count + 1 }]);
    }

    await one.protections.unprotect(id);
    expect((await one.protections.list()).total).toBe(0);
    expect(await one.findSender(id)).toMatchObject({ protected: false });
    await one.protections.protect(id);
    await one.protections.unprotect(protection?.id ?? '');
    expect((await one.protections.list()).total).toBe(0);
  },
);

test('what came by no list is protected with its sender; an unknown group is not', async () => {
  const { data } = await one.listSenders('list');
  const rest = data.find(({ group }) => group?.name === 'bounce+4@shop.example') ?? data[0];
  expect(await one.protections.protect(rest?.id ?? '')).not.toBeNull();
  expect(await one.protections.protect('f'.repeat(64))).toBeNull();
});

test('a group keeps its newest emails, whoever of it sent them', async () => {
  const selection = { type: 'senders' as const, senders: [await findGroup('domain')], except: [] };
  const plan = await one.cleanups.plan({ action: 'archive', selection: { ...selection, keepNewest: 3 } });
  const emails = await one.cleanups.listEmails(plan.id);
  expect(emails?.data.map(({ emailId }) => emailId)).toEqual(['m4', 'm5']);
});

test.each([
  ['domain', 'domain:shop.example', ['m3', 'm4', 'm5']],
  ['list', 'list:offers@shop.example', ['m3', 'm5']],
] as const)(
  'the rule of a %s takes what its new addresses send, and keeps the newest',
  async (by, from, expected) => {
    const sender = await findGroup(by);
    await bench.query('INSERT INTO "MailboxWatch" ("userId") SELECT "id" FROM "User"');
    const condition = { type: 'sender' as const, sender };
    const rule = await one.rules.create({ condition, action: 'delete', keepNewest: 3 });
    expect(rule.condition).toEqual({ ...condition, from });
    // Without the new one, m3 would be among the newest.
    await bench.deliver('New', ['INBOX'], 'List-Id: Offers <offers.shop.example>');
    await bench.letTimePass(HOUR_MS);
    await one.list({ scope: 'all' });
    expect(await one.rules.runDue()).toBe(1);
    await one.cleanups.work((await one.rules.find(rule.id)).lastRun?.cleanupId ?? '');
    expect(trashed()).toEqual(expected);
  },
);
