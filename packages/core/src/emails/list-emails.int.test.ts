import { refusal } from '@mailsweep/google-sandbox/testing/gmail';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BenchProcess } from '../testing/bench-process.ts';
import { inboxMail, type MailboxBench, openMailboxBench } from '../testing/mailbox-bench.ts';

const MINUTE_MS = 60_000;

describe('the total of the inbox', () => {
  test('is exact on every page, for one unit a minute', async () => {
    const cold = await bench.measure(() => api.list({}));
    expect(cold.result).toMatchObject({ total: 250, totalIsExact: true });
    expect(cold.units).toBe(5 + 100 * 20 + 1);

    const warm = await bench.measure(() => api.list({}));
    expect(warm.result).toMatchObject({ total: 250, totalIsExact: true });
    expect(warm.units).toBe(7);

    const pageToken = warm.result.nextPageToken ?? '';
    expect(await api.list({ pageToken })).toMatchObject({ total: 250, totalIsExact: true });

    bench.clock.advance(MINUTE_MS);
    await bench.gmail.deliver({ labels: ['INBOX'] });
    const later = await bench.measure(() => api.list({}));
    expect(later).toMatchObject({ result: { total: 251, totalIsExact: true }, units: 7 + 20 + 1 });
  });

  test('costs nothing where the list is one page', async () => {
    await bench.close();
    bench = await openMailboxBench(inboxMail(3));
    api = bench.openProcess();
    const cold = await bench.measure(() => api.list({}));

    expect(cold).toMatchObject({ result: { total: 3, totalIsExact: true }, units: 5 + 3 * 20 });
  });

  test('counts what the process itself archived no more, without waiting for the minute', async () => {
    await api.list({});
    await api.act(['m0', 'm1'], 'archive');

    expect(await api.list({})).toMatchObject({ total: 248, totalIsExact: true });
  });

  test('is the number of unread emails where only these are listed', async () => {
    await bench.gmail.change(['m0', 'm1', 'm2'], { removed: ['UNREAD'] });

    expect(await api.list({ unread: true, pageSize: 10 })).toMatchObject({ total: 247, totalIsExact: true });
  });

  test('is what was counted so far while the provider returns no total, and the emails are listed', async () => {
    bench.gmail.intercept(({ path }) =>
      path.endsWith('/labels/INBOX') ? refusal(403, 'forbidden') : undefined,
    );
    const page = await api.list({ pageSize: 10 });

    expect(page).toMatchObject({ total: 10, totalIsExact: false });
    expect(page.emails).toHaveLength(10);
    bench.gmail.intercept(() => undefined);
    expect(await api.list({ pageSize: 10 })).toMatchObject({ total: 250, totalIsExact: true });
  });
});

test.each([{ olderThan: 0 }, { category: 'primary' as const }, { scope: 'all' as const }])(
  'the total of %j is what was counted so far, until the last page, and costs nothing',
  async (query) => {
    bench.clock.advance(MINUTE_MS);
    const first = await api.list(query);
    const second = await api.list({ ...query, pageToken: first.nextPageToken ?? '' });
    const third = await api.list({ ...query, pageToken: second.nextPageToken ?? '' });

    expect([first, second, third].map(({ total, totalIsExact }) => [total, totalIsExact])).toEqual([
      [100, false],
      [200, false],
      [250, true],
    ]);
    expect(bench.gmail.requests.some(({ path }) => /\/(labels|profile)/.test(path))).toBe(false);
  },
);

let bench: MailboxBench;
let api: BenchProcess;

beforeEach(async () => {
  bench = await openMailboxBench(inboxMail(250));
  api = bench.openProcess();
});
afterEach(() => bench.close());
