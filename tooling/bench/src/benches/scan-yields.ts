import { setTimeout as sleep } from 'node:timers/promises';
import type { MailboxPlan } from '../google-sandbox/generate-mailbox.ts';
import { atMostTimes, median, type Result, timeMs } from '../measure.ts';
import { type SignedIn, startProduct } from '../product/start-product.ts';
import type { Servers } from '../servers.ts';

/** What Gmail allows and takes. */
const SANDBOX = { quotaUnitsPerMinute: 6_000, latencyMs: 70 };
/** As many as the sixth search in a row, which had to wait for the quota once. */
const READS = 6;
/** What a user needs to look at a list before the next one. Unit: milliseconds. */
const PAUSE_MS = 3_000;
/** So long that the scan has all that it may take of a minute. Unit: milliseconds. */
const SCANNED_MS = 70_000;
/** Emails on a screen of the web app. */
const PAGE_SIZE = 30;
const DAYS = 1_000;
const DAY_MS = 86_400_000;

const toMailbox = (email: string): MailboxPlan => ({
  email,
  seed: 52,
  messages: 3_000,
  skew: 5,
  unreadShare: 0.4,
  ownLabels: 20,
  attachmentShare: 0.1,
  newestDaysAgo: 0.5,
  days: DAYS,
});

const toDay = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '/');

/** Times searches for email that was never read, and pages of old promotions, one after another. */
const timeReads = async (user: SignedIn) => {
  const searches: number[] = [];
  const pages: number[] = [];
  let pageToken: string | null = null;
  for (let read = 0; read < READS; read += 1) {
    const search = encodeURIComponent(`before:${toDay(DAYS - 100 * (read + 1))}`);
    searches.push(
      await timeMs(() => user.ask(`/api/v1/emails?scope=all&pageSize=${PAGE_SIZE}&search=${search}`)),
    );
    await sleep(PAUSE_MS);
    const next = pageToken === null ? '' : `&pageToken=${pageToken}`;
    pages.push(
      await timeMs(async () => {
        const old = `category=promotions&olderThan=${DAYS / 2}`;
        ({ nextPageToken: pageToken } = await user.ask(`/api/v1/emails?${old}&pageSize=10${next}`));
      }),
    );
    await sleep(PAUSE_MS);
  }
  return { searches, pages };
};

/** What a scan of the whole mailbox does to a user who searches meanwhile, at Gmail's own limits. */
export const measureScanYields = async (servers: Servers): Promise<Result[]> => {
  const results: Result[] = [];
  for (const [store, redisUrl] of [['Postgres', null] as const, ['Redis', servers.redisUrl] as const]) {
    if (store === 'Redis' && !redisUrl) continue;
    await servers.withDatabase(async ({ url }) => {
      const [alone, scanned] = [toMailbox('alone@example.com'), toMailbox('scanned@example.com')];
      await using product = await startProduct({
        databaseUrl: url,
        redisUrl,
        workers: 1,
        mailboxes: [alone, scanned],
        sandbox: SANDBOX,
      });
      const [idle, busy] = [await product.signIn(alone.email), await product.signIn(scanned.email)];
      const { id } = await busy.ask('/api/v1/scans', {});
      await sleep(SCANNED_MS);
      const floor = await timeReads(idle);
      const before = await busy.ask(`/api/v1/scans/${id}`);
      const { response: ours, usage } = await product.countUsage(() => timeReads(busy));
      const after = await busy.ask(`/api/v1/scans/${id}`);
      if (before.finishedAt !== null || after.finishedAt !== null) throw new Error('the scan ended too soon');
      process.stdout.write(
        `${store}: scanned ${before.scanned}, then ${after.scanned}; refused ${usage.refused.units}; longest ${Math.round(Math.max(...ours.searches, ...ours.pages))} ms\n`,
      );
      for (const what of ['searches', 'pages'] as const) {
        results.push(
          atMostTimes(1.5, {
            name: `${what} never read before, during a scan, units counted in ${store}; floor: without a scan`,
            unit: 'ms',
            ours: median(ours[what]),
            floor: median(floor[what]),
          }),
        );
      }
    });
  }
  return results;
};
