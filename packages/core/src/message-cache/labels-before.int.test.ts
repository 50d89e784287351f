import { refusal } from '@mailsweep/google-sandbox/testing/gmail';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BenchProcess } from '../testing/bench-process.ts';
import { inboxMail, openMailboxBench } from '../testing/mailbox-bench.ts';

type Bench = Awaited<ReturnType<typeof openMailboxBench>>;

const LISTED = ['INBOX', 'UNREAD'];
const STAR = { added: ['STARRED'], removed: [] };
const ARCHIVED = { added: [], removed: ['INBOX'] };
const mailIds = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`);

let bench: Bench;
let mailbox: BenchProcess['mailbox'];
beforeEach(async () => {
  bench = await openMailboxBench([...inboxMail(20), { id: 'draft', labels: ['DRAFT'] }], {
    shortChangeResponses: true,
    historyDelayMs: 60_000,
  });
  ({ mailbox } = bench.openProcess());
});
afterEach(() => bench.close());

/** What some work gives, and what of Gmail it asks for. */
const ask = async <T>(work: () => Promise<T>) => {
  bench.gmail.requests.length = 0;
  const result = await work();
  return { result, asked: bench.gmail.requests.map(({ path }) => path.split('/').at(-1)) };
};
const list = () => mailbox.listEmails({ scope: 'all', pageSize: 10 });
const changeElsewhere = async (id: string) => {
  await bench.gmail.change(id, STAR);
  bench.clock.advance(60_000);
};
const star = async (id: string) => mailbox.changeLabels([{ id, ...STAR, before: LISTED }], undefined);

describe('the labels before a change', () => {
  const cases: [string, string[], () => Promise<unknown>, string[]][] = [
    ['that were listed a moment ago are those', mailIds(10), list, []],
    [
      'that were seen too long ago are compared with the history',
      ['m0'],
      async () => {
        await list();
        await bench.query(`UPDATE "MailboxSync" SET "syncedAt" = now() - interval '5 minutes'`);
      },
      ['history'],
    ],
    [
      'of emails that we have changed are compared with the history',
      ['m0', 'm1'],
      async () => {
        await list();
        await star('m0');
      },
      ['history'],
    ],
    [
      'of more emails than are changed one by one are compared with the history',
      mailIds(11),
      async () => {
        await list();
        await mailbox.findEmails(['m10']);
      },
      ['history'],
    ],
    [
      'of emails of which some are not cached are those where nothing has happened since',
      ['m0', 'm15', 'draft'],
      list,
      ['profile', 'messages', 'draft'],
    ],
    [
      'of emails of which some are not cached are compared with the history where something has',
      ['m0', 'm15'],
      async () => {
        await list();
        await changeElsewhere('m1');
      },
      ['profile', 'history', 'messages'],
    ],
    ['of emails of which none is cached are not known', ['m15'], list, ['profile', 'messages']],
    [
      'of emails before anything is cached are not known',
      ['m0'],
      async () => undefined,
      ['profile', 'messages'],
    ],
  ];
  test.each(cases)('%s', async (_, ids, prepare, requests) => {
    await prepare();
    const { result, asked } = await ask(() => mailbox.readBaseline(ids));
    expect(asked).toEqual(requests);
    const known = new Map(await readCached());
    expect(result.labels).toEqual(new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id)]] : []))));
    expect([...result.noMail]).toEqual(ids.filter((id) => id === 'draft'));
    expect(result.historyId).toBe(await readCursor());
  });

  test.each([
    ['one that the response tells of', 1, false],
    ['those of a batch', 15, false],
    ['those of a batch after which the history cannot be read', 15, true],
  ])('have our changes before the history shows them: %s', async (_, count, isUnreadable) => {
    await mailbox.listEmails({ scope: 'all', pageSize: 20 });
    bench.gmail.intercept(({ path, body }) => {
      if (isUnreadable && path.endsWith('/history')) return refusal(403, 'forbidden', 'No');
      return path.includes('/m19/') && body !== undefined ? refusal(403, 'forbidden', 'No') : undefined;
    });
    const ids = mailIds(count);
    const wanted = [
      ...ids.map((id) => ({ id, before: LISTED })),
      { id: 'm18', before: [...LISTED, 'STARRED'] },
    ];
    await mailbox.changeLabels(
      wanted.map((one) => ({ ...one, ...STAR })),
      undefined,
    );
    await mailbox.changeLabels([{ id: 'm19', before: LISTED, ...STAR }], undefined);
    bench.gmail.intercept(() => undefined);
    const others = ['m17', 'm19'];
    const early = await mailbox.readBaseline([...ids, ...others]);
    expect([...early.ahead].toSorted()).toEqual(ids.toSorted());
    expect(ids.map((id) => early.labels.get(id))).toEqual(ids.map(() => [...LISTED, 'STARRED']));
    expect(others.map((id) => early.labels.get(id))).toEqual([LISTED, LISTED]);
    bench.clock.advance(60_000);
    expect([...(await mailbox.readBaseline(ids)).ahead]).toEqual([]);
  });

  test('are cached from the first time on', async () => {
    const { historyId } = await mailbox.readBaseline(['m0']);
    expect(await readCursor()).toBe(historyId);
  });
});

describe('a check of earlier changes', () => {
  const changes = (ids: readonly string[], historyId?: string) =>
    ids.map((id) => ({ id, change: ARCHIVED, historyId }));

  test('goes by the cached labels, and says which are ahead of the history', async () => {
    await list();
    await mailbox.changeLabels([{ id: 'm0', ...ARCHIVED, before: LISTED }], undefined);
    const { result, asked } = await ask(() => mailbox.checkChanges(changes(['m1', 'm0'])));
    expect(result.statuses).toEqual([
      { id: 'm1', isReversible: false, labels: LISTED, isAhead: false },
      { id: 'm0', isReversible: true, labels: ['UNREAD'], isAhead: true },
    ]);
    expect(asked).toEqual(['history']);
  });

  test('of emails that are not cached reads the history once, from the earliest change on', async () => {
    const first = await mailbox.readHistoryId();
    await bench.gmail.change('m11', { added: ['INBOX'] });
    await bench.gmail.change(['m11', 'm12', 'm13'], ARCHIVED);
    await bench.gmail.change('m12', { added: ['INBOX'] });
    await bench.gmail.remove('m13');
    bench.clock.advance(60_000);
    const last = await bench.gmail.readHistoryId('m12');
    await mailbox.readBaseline([]);
    const made = [...changes(['m11'], last), ...changes(['m12', 'm13'], first), ...changes(['m14'], last)];
    const { result, asked } = await ask(() => mailbox.checkChanges(made));
    expect(result.statuses).toEqual([
      { id: 'm11', isReversible: true },
      { id: 'm12', isReversible: false },
      { id: 'm13', error: expect.objectContaining({ code: 'not_found', message: expect.any(String) }) },
      { id: 'm14', isReversible: true },
    ]);
    expect(asked).toEqual(['history', 'history']);
  });

  test('needs no other history where the changes came after what is cached', async () => {
    await list();
    const historyId = await mailbox.readHistoryId();
    const { asked } = await ask(() => mailbox.checkChanges(changes(['m15'], historyId)));
    expect(asked).toEqual(['history']);
  });

  test('reads the labels of emails whose history is gone, or whose place in it is not known', async () => {
    const historyId = await mailbox.readHistoryId();
    await bench.gmail.change('m15', ARCHIVED);
    await bench.gmail.expireHistory();
    bench.clock.advance(60_000);
    await mailbox.readBaseline([]);
    const made = [...changes(['m15', 'm16'], historyId), ...changes(['gone'])];
    const { result, asked } = await ask(() => mailbox.checkChanges(made));
    expect(result.statuses).toEqual([
      { id: 'm15', isReversible: true, labels: ['UNREAD'] },
      { id: 'm16', isReversible: false, labels: LISTED },
      { id: 'gone', error: expect.objectContaining({ code: 'not_found' }) },
    ]);
    expect(asked).toEqual(['history', 'history', 'gone', 'm15', 'm16']);
    expect(result.historyId).toBe(await readCursor());
  });
});

const readCursor = async () => {
  const rows = await bench.query<{ historyId: string }>('SELECT "historyId"::text FROM "MailboxSync"');
  return rows[0]?.historyId;
};
const readCached = async () => {
  const rows = await bench.query<{ emailId: string; labels: string[] }>(
    'SELECT "emailId", "labels" FROM "CachedMessage"',
  );
  return rows.map(({ emailId, labels }) => [emailId, labels] as const);
};
