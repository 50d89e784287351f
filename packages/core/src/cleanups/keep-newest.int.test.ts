import type { CleanupAction, CleanupSelection } from '@mailsweep/contracts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BenchProcess } from '../testing/bench-process.ts';
import { openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

const DAY_MIN = 24 * 60;
const SHOP = 'Shop <news@shop.example>';
const OTHER = 'Other <news@other.example>';

/** Of the emails that came at the same instant, `n2` is the newest: it has the lower id. */
const MAIL = [
  { ...seedMessage('n1', 1, ['INBOX', 'STARRED']), from: SHOP },
  { ...seedMessage('n3', 5, ['INBOX', 'UNREAD']), from: SHOP },
  { ...seedMessage('n2', 5, ['INBOX']), from: SHOP },
  { ...seedMessage('o1', 7, ['INBOX']), from: OTHER },
  { ...seedMessage('n4', 60 * DAY_MIN, ['INBOX']), from: SHOP },
  { ...seedMessage('n5', 70 * DAY_MIN, []), from: SHOP },
  { ...seedMessage('o2', 75 * DAY_MIN, ['INBOX']), from: OTHER },
  { ...seedMessage('n6', 80 * DAY_MIN, ['INBOX', 'UNREAD']), from: SHOP },
];

let bench: SandboxBench;
let one: BenchProcess;
beforeEach(async () => {
  bench = await openSandboxBench(MAIL, {});
  one = bench.openProcess();
});
afterEach(() => bench.close());

const planIds = async (action: CleanupAction, selection: CleanupSelection) => {
  const plan = await one.cleanups.plan({ action, selection });
  const emails = await one.cleanups.listEmails(plan.id);
  return { plan, ids: emails?.data.map(({ emailId }) => emailId).toSorted() };
};
const idsOf = async (...froms: string[]): Promise<string[]> => {
  await one.list({ scope: 'all' });
  const { data } = await one.listSenders();
  return data.flatMap(({ id, from }) => (froms.includes(from) ? [id] : []));
};
type Choice = { keepNewest: number; olderThan?: number; except?: string[] };
const ofSender = async (choice: Choice): Promise<CleanupSelection> => ({
  type: 'senders',
  senders: await idsOf(SHOP),
  except: [],
  ...choice,
});
const ofFilter = async (choice: Choice): Promise<CleanupSelection> => ({
  type: 'filter',
  scope: 'all',
  search: 'from:news@shop.example',
  except: [],
  ...choice,
});

describe.each([
  ['a sender', ofSender],
  ['a filter for one sender', ofFilter],
])('all but the newest emails of %s', (_name, select) => {
  test.each<[string, CleanupAction, Choice, string[]]>([
    ['count protected ones', 'delete', { keepNewest: 1 }, ['n2', 'n3', 'n4', 'n5', 'n6']],
    [
      'are told apart by their ids where they came at once',
      'delete',
      { keepNewest: 2 },
      ['n3', 'n4', 'n5', 'n6'],
    ],
    ['count the inbox alone where they are archived', 'archive', { keepNewest: 4 }, ['n6']],
    ['count read ones where they are marked read', 'mark_read', { keepNewest: 2 }, ['n3', 'n6']],
    ['count younger ones, too, beside an age', 'archive', { keepNewest: 2, olderThan: 65 }, ['n6']],
    [
      'go with exceptions, which are no newest ones',
      'delete',
      { keepNewest: 2, except: ['n3'] },
      ['n4', 'n5', 'n6'],
    ],
    ['may be all', 'archive', { keepNewest: 5 }, []],
  ])('%s', async (_case, action, choice, expected) => {
    const { plan, ids } = await planIds(action, await select(choice));
    expect(ids).toEqual(expected);
    expect(plan).toMatchObject({ selection: choice, isComplete: true, excluded: {} });
  });

  test('stay where they are, however often that is done, and the others are undone exactly', async () => {
    const before = bench.readLabels();
    const { plan, ids = [] } = await planIds('delete', await select({ keepNewest: 2 }));
    await one.cleanups.control(plan.id, 'run');
    expect(await one.cleanups.work(plan.id)).toMatchObject({ state: 'completed', changed: ids.length });
    const trashed = [...bench.readLabels()].filter(([, labels]) => labels.includes('TRASH'));
    expect(trashed.map(([id]) => id).toSorted()).toEqual(ids);
    expect((await planIds('delete', await select({ keepNewest: 2 }))).ids).toEqual([]);

    await one.undo((await bench.listHistory()).map(({ id }) => id));
    expect(bench.readLabels()).toEqual(before);
  });
});

test('of several senders each keeps its own', async () => {
  const senders = await idsOf(SHOP, OTHER);
  const { ids } = await planIds('archive', { type: 'senders', senders, keepNewest: 1, except: [] });
  expect(ids).toEqual(['n2', 'n3', 'n4', 'n6', 'o2']);
});
