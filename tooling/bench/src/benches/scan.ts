import { setTimeout as sleep } from 'node:timers/promises';
import type { Scan } from '@mailsweep/contracts';
import type { MailboxPlan } from '../google-sandbox/generate-mailbox.ts';
import { atMost, atMostTimes, percentile, type Result, timeMs } from '../measure.ts';
import { startProduct } from '../product/start-product.ts';
import type { Servers } from '../servers.ts';

/**
 * Enforced by the sandbox and known to the product alike. Gmail's own 6,000 would take half an hour; with this the
 * scan outlasts a whole minute of quota, so that units have to come back before it ends.
 */
const UNITS_PER_MINUTE = 150_000;
/** What a scan may take of it while its user reads (docs/decisions/023). */
const SCAN_SHARE = 0.4;
const LATENCY_MS = 20;
const IDLE_PAGES = 60;
const PAUSE_MS = 200;
const LONGEST_SCAN_MS = 600_000;
const MINUTE_MS = 60_000;

const MAILBOX: MailboxPlan = {
  email: 'scan@example.com',
  seed: 51,
  messages: 10_000,
  skew: 5,
  unreadShare: 0.4,
  ownLabels: 20,
  attachmentShare: 0.1,
  newestDaysAgo: 0.5,
  days: 1_000,
};

/** A scan of a whole mailbox at the pace that the quota allows, and what it does to a user who reads meanwhile. */
export const measureScan = (servers: Servers): Promise<Result[]> =>
  servers.withDatabase(async ({ url }) => {
    await using product = await startProduct({
      databaseUrl: url,
      redisUrl: servers.redisUrl,
      workers: 1,
      mailboxes: [MAILBOX],
      sandbox: { quotaUnitsPerMinute: UNITS_PER_MINUTE, latencyMs: LATENCY_MS },
    });
    const user = await product.signIn(MAILBOX.email);
    const readPage = () => timeMs(() => user.ask('/api/v1/emails'));
    for (let page = 0; page < 10; page += 1) await readPage();
    const idle: number[] = [];
    while (idle.length < IDLE_PAGES) {
      idle.push(await readPage());
      await sleep(PAUSE_MS);
    }

    const meanwhile: number[] = [];
    const { response: scan, usage } = await product.countUsage(async (): Promise<Scan> => {
      const { id } = await user.ask('/api/v1/scans', {});
      const deadlineMs = performance.now() + LONGEST_SCAN_MS;
      for (;;) {
        meanwhile.push(await readPage());
        const scan: Scan = await user.ask(`/api/v1/scans/${id}`);
        if (scan.finishedAt !== null) return scan;
        if (performance.now() > deadlineMs)
          throw new Error(`only ${scan.scanned} emails were scanned in time`);
        await sleep(PAUSE_MS);
      }
    });
    if (scan.state !== 'completed' || scan.scanned !== MAILBOX.messages || scan.unclassified > 0) {
      throw new Error(`the scan ended as ${JSON.stringify(scan)}`);
    }

    const what = `scan of ${MAILBOX.messages} mails at ${UNITS_PER_MINUTE} units a minute`;
    return [
      atMost(0, {
        name: `${what}, calls refused`,
        unit: 'calls',
        ours: usage.refused.units + usage.refused.concurrency,
      }),
      atMostTimes(1.1, {
        name: `${what}; floor: its units over its share of the quota`,
        unit: 'ms',
        ours: Date.parse(scan.finishedAt ?? '') - Date.parse(scan.startedAt ?? ''),
        floor: (scan.unitsUsed / (UNITS_PER_MINUTE * SCAN_SHARE)) * MINUTE_MS,
      }),
      atMostTimes(1.5, {
        name: 'page read during the scan, 95th percentile; floor: the same without a scan',
        unit: 'ms',
        ours: percentile(95, meanwhile),
        floor: percentile(95, idle),
      }),
    ];
  });
