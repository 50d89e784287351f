import type { SeedMessage } from '@mailsweep/google-sandbox';
import { afterEach, describe, expect, test } from 'vitest';
import type { BenchProcess } from '../testing/bench-process.ts';
import { openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

const DAY_MIN = 24 * 60;
const COUNT = 600;

/** Two thirds of the mailbox; others have the rest. */
const LARGE = 'Shop <news@shop.example>';
/** All but one of these are also found by a search for the address of the large sender. */
const LOOK_ALIKES = [
  '"news@shop.example" <billing@phish.example>',
  'Other shop <news@shop.example.au>',
  'Big <big.news@shop.example>',
  'Nobody <bob@work.example>',
];
const CATEGORIES = ['CATEGORY_PROMOTIONS', 'CATEGORY_SOCIAL', undefined];

/** Emails of all ages, newest first: every third of a look-alike. */
const MAIL: SeedMessage[] = Array.from({ length: COUNT }, (_, index) => {
  const category = CATEGORIES[index % CATEGORIES.length];
  return {
    ...seedMessage(`m${index}`, index * 3 * DAY_MIN + 1, [
      ...(index % 4 === 0 ? [] : ['INBOX']),
      ...(index % 5 === 0 ? ['UNREAD'] : []),
      ...(category === undefined ? [] : [category]),
    ]),
    from: index % 3 === 0 ? (LOOK_ALIKES[(index / 3) % LOOK_ALIKES.length] ?? '') : LARGE,
  };
});
const isOf = (from: string) => (message: SeedMessage) => message.from === from;
const ofLarge = MAIL.filter(isOf(LARGE)).map(({ id }) => id);

let bench: SandboxBench;
let one: BenchProcess;

const open = async (mail = MAIL) => {
  bench = await openSandboxBench(mail, {});
  one = bench.openProcess();
};
afterEach(() => bench.close());

/** Takes the first step of a scan, which is the survey. */
const survey = async () => {
  // As a user sees the newest emails first.
  await one.list({});
  const id = await one.scans.start();
  expect(await one.scans.takeStep(id)).toEqual({ kind: 'next' });
  return id;
};
const findLarge = async () => {
  const { data } = await one.listSenders();
  const sender = data.find(({ from }) => from === LARGE);
  if (sender === undefined) throw new Error('the large sender was not found');
  return sender;
};
const inTrash = () =>
  [...bench.readLabels()].filter(([, labels]) => labels.includes('TRASH')).map(([id]) => id);
const takeSteps = async (id: string) => {
  while ((await one.scans.takeStep(id)).kind === 'next');
};

describe('the survey of a mailbox', () => {
  test('counts all emails by category, age and read state, and those of each sender, for few units', async () => {
    await open();
    await one.list({});
    const before = await bench.readUnits();
    await survey();

    const { counts, ...rest } = await one.getSurvey();
    expect(rest).toMatchObject({ state: 'completed', total: COUNT, unlisted: 0 });
    const count = (wanted: (message: SeedMessage, days: number) => boolean) => {
      const found = MAIL.filter((message, index) => wanted(message, index * 3));
      const having = (label: string) => found.filter(({ labels }) => labels.includes(label)).length;
      return { total: found.length, unread: having('UNREAD'), inInbox: having('INBOX') };
    };
    const isPromotion = ({ labels }: SeedMessage) => labels.includes('CATEGORY_PROMOTIONS');
    const isPrimary = ({ labels }: SeedMessage) => !labels.some((label) => label.startsWith('CATEGORY_'));
    expect(counts).toContainEqual({
      category: 'promotions',
      age: 'month',
      ...count((message, days) => isPromotion(message) && days < 30),
    });
    expect(counts).toContainEqual({
      category: 'primary',
      age: 'older',
      ...count((message, days) => isPrimary(message) && days >= 1_095),
    });
    expect(counts.reduce((sum, { total }) => sum + total, 0)).toBe(COUNT);

    const { data } = await one.listSenders();
    const counted = Object.fromEntries(data.map(({ from, mails }) => [from, mails]));
    expect(counted).toEqual(
      Object.fromEntries([LARGE, ...LOOK_ALIKES].map((from) => [from, MAIL.filter(isOf(from)).length])),
    );
    const own = MAIL.filter(isOf(LARGE));
    expect(await findLarge()).toMatchObject({
      inInbox: own.filter(({ labels }) => labels.includes('INBOX')).length,
      unread: own.filter(({ labels }) => labels.includes('UNREAD')).length,
      olderThanYear: MAIL.filter((message, index) => isOf(LARGE)(message) && index * 3 >= 365).length,
    });
    expect((await findLarge()).read).toBeLessThan(100);
    // Reading the mailbox takes 12,000.
    expect((await bench.readUnits()) - before).toBeLessThan(600);
  });

  test('begins again where its process died, and ends where the scan is cancelled', async () => {
    await open();
    const id = await one.scans.start();
    const dying = new AbortController();
    let requests = 0;
    bench.onRequest(async () => {
      requests += 1;
      if (requests === 30) dying.abort(new Error('the process dies'));
      if (dying.signal.aborted && requests < 60) throw dying.signal.reason;
    });
    await one.scans.takeStep(id).catch(() => undefined);
    expect(await one.getSurvey()).toMatchObject({ state: 'running' });
    bench.onRequest(async () => undefined);
    const two = bench.openProcess();
    await two.scans.takeStep(id);
    expect(await two.getSurvey()).toMatchObject({ state: 'completed', unlisted: 0 });

    await two.scans.cancel(id);
    const next = await two.scans.start().catch(() => undefined);
    expect(next).toBeUndefined();
    expect(await two.scans.takeStep(id)).toEqual({ kind: 'over' });
  });

  test('is not made of a small mailbox, and ends when the scan has read all', async () => {
    await open(MAIL.slice(0, 100));
    await takeSteps(await one.scans.start());
    expect(await one.getSurvey()).toMatchObject({ state: 'none', counts: [] });
    await bench.close();

    await open(MAIL.slice(0, 520));
    await takeSteps(await one.scans.start());
    const { data, complete } = await one.listSenders();
    expect(complete).toBe(true);
    expect(data.filter(({ read }) => read !== undefined)).toEqual([]);
  });
});

describe('cleaning a sender of whom few emails were read', () => {
  const plan = async (action: 'delete' | 'archive' = 'delete', more: object = {}) =>
    one.cleanups.plan({
      action,
      selection: { type: 'senders', senders: [(await findLarge()).id], except: [], ...more },
    });

  test('takes all its emails and none of look-alikes, and is undone exactly', async () => {
    await open();
    const id = await survey();
    const labels = bench.readLabels();
    const before = await bench.readUnits();
    const planned = await plan();
    expect(planned).toMatchObject({ total: ofLarge.length, isComplete: true });
    expect((await bench.readUnits()) - before).toBeLessThan(1_000);

    await one.cleanups.control(planned.id, 'run');
    expect(await one.cleanups.work(planned.id)).toMatchObject({ changed: ofLarge.length });
    expect(inTrash().toSorted()).toEqual(ofLarge.toSorted());
    expect((await one.listSenders()).data.map(({ from }) => from)).not.toContain(LARGE);

    const records = await bench.listHistory();
    await one.undo(records.map(({ id: record }) => record));
    expect(bench.readLabels()).toEqual(labels);
    // The scan counts again what was cleaned, after a while.
    await bench.query(`UPDATE "MailboxSurvey" SET "startedAt" = now() - interval '1 h',
      "finishedAt" = now() - interval '59 min'`);
    await one.scans.takeStep(id);
    expect(await findLarge()).toMatchObject({ mails: ofLarge.length });
  });

  test('leaves out look-alikes that the survey has not seen, and what is protected', async () => {
    await open(
      MAIL.map((message, index) =>
        index % 6 === 1 ? { ...message, labels: [...message.labels, 'STARRED'] } : message,
      ),
    );
    await survey();
    const starred = MAIL.filter((message, index) => isOf(LARGE)(message) && index % 6 === 1);
    // As if nothing of them had been read.
    await bench.query(`DELETE FROM "CachedMessage" WHERE "emailId" = ANY($1::text[])`, [
      MAIL.filter(({ from }) => LOOK_ALIKES.includes(from)).map(({ id }) => id),
    ]);
    const planned = await plan();
    expect(planned.excluded).toEqual({ starred: starred.length });
    expect(planned.total).toBe(ofLarge.length - starred.length);
  });

  test('archives what is in the inbox, and nothing of a protected sender', async () => {
    await open();
    await survey();
    const inInbox = MAIL.filter((message) => isOf(LARGE)(message) && message.labels.includes('INBOX'));
    const planned = await plan('archive');
    expect(planned).toMatchObject({ total: inInbox.length });
    await one.cleanups.control(planned.id, 'run');
    expect(await one.cleanups.work(planned.id)).toMatchObject({ changed: inInbox.length });
    expect(await findLarge()).toMatchObject({ mails: ofLarge.length, inInbox: 0 });
    await one.protections.protect((await findLarge()).id);
    expect(await plan()).toMatchObject({ total: 0, excluded: { protected: ofLarge.length } });
  });

  test.each([undefined, 1_000])(
    'leaves its newest ones where they are, of an age of %s days',
    async (age) => {
      await open();
      await survey();
      const keepNewest = 30;
      const rest = MAIL.flatMap((message, index) =>
        isOf(LARGE)(message) && index * 3 >= (age ?? 0) ? [message.id] : [],
      ).filter((id) => !ofLarge.slice(0, keepNewest).includes(id));
      const planned = await plan('delete', { keepNewest, ...(age && { olderThan: age }) });
      expect(planned).toMatchObject({ total: rest.length, isComplete: true });
      await one.cleanups.control(planned.id, 'run');
      await one.cleanups.work(planned.id);
      expect(inTrash().toSorted()).toEqual(rest.toSorted());
    },
  );
});
