import type { CleanupSelection } from '@mailsweep/contracts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BenchProcess } from '../testing/bench-process.ts';
import { openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

const IDS = ['m0', 'm1', 'm2', 'm3'];
const YEAR = 365;

test('email that a migration brought says when it was sent, where that is more than a day off', async () => {
  const { emails } = await one.list({ scope: 'all' });
  expect(emails.map(({ id, sentAt }) => [id, sentAt])).toEqual([
    ['m0', '2009-03-03T09:00:00.000Z'],
    ['m1', '2009-03-03T09:00:00.000Z'],
    ['m2', '2009-03-03T09:00:00.000Z'],
    ['m3', undefined],
  ]);
});

test('a plan by age that finds nothing says how much of it was only received later', async () => {
  const senders = (await one.listSenders()).data.map(({ id }) => id);
  const selections: CleanupSelection[] = [
    { type: 'filter', scope: 'inbox', olderThan: YEAR, except: [] },
    { type: 'filter', scope: 'all', search: 'subject:Subject', olderThan: YEAR, except: [] },
    { type: 'senders', senders, olderThan: YEAR, except: [] },
    { type: 'suggestions', olderThan: YEAR, except: [] },
  ];
  for (const selection of selections) {
    const plan = await one.cleanups.plan({ action: 'archive', selection });
    expect([selection, plan.total, plan.excluded]).toEqual([selection, 0, { received_later: 3 }]);
  }
});

test('so does the preview of a rule', async () => {
  const [sender] = (await one.listSenders()).data;
  const rule = await one.rules.create({
    condition: { type: 'sender', sender: sender?.id ?? '' },
    olderThan: YEAR,
  });
  expect(await one.rules.preview(rule.id)).toMatchObject({ total: 0, excluded: { received_later: 3 } });
});

test('a plan that finds nothing for another reason says nothing', async () => {
  const selection = { type: 'filter' as const, scope: 'inbox' as const, olderThan: 40 * YEAR, except: [] };
  expect(await one.cleanups.plan({ action: 'archive', selection })).toMatchObject({ total: 0, excluded: {} });
});

let bench: SandboxBench;
let one: BenchProcess;
beforeEach(async () => {
  bench = await openSandboxBench(
    IDS.map((id, index) => ({
      ...seedMessage(id, index, ['INBOX']),
      from: 'Shop <news@shop.example>',
      ...(id !== 'm3' && { headers: [{ name: 'Date', value: 'Tue, 3 Mar 2009 10:00:00 +0100 (CET)' }] }),
    })),
    {},
  );
  one = bench.openProcess();
  await one.list({ scope: 'all' });
  await bench.storeSuggestions(IDS, 'archive');
});
afterEach(() => bench.close());
