import type { Scan } from '@mailsweep/contracts';
import { beforeAll, expect, it } from 'vitest';
import { byForm, eventually, openRow } from './harness/campaign.ts';
import {
  ADA,
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  startFaultStack,
  type User,
} from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';

const PAGE_SIZE = 100;
const FIRST_PAGE_SIZE = 25;
const MAIL_COUNT = 8 * PAGE_SIZE;
/** Beside full pages the first one and a short last one. */
const PAGES = 2 + Math.floor((MAIL_COUNT - FIRST_PAGE_SIZE) / PAGE_SIZE);
const KILLS = byForm(2, 5);
/** What the walk costs at least: a list and a read of each message. */
const FLOOR_UNITS = PAGES * 5 + MAIL_COUNT * 20;
/** What a page costs, and what finding out how the mailbox changed does. */
const PAGE_UNITS = 5 + PAGE_SIZE * 20;
const LOOK_UNITS = 10;

const row = openRow('R27');

describeOnEachQueue('R27 a worker is killed in the middle of a scan', 'postgres', (queue) => {
  it('and the scan goes on with the page it was at: nothing lost, nothing counted twice', async () => {
    explainFailure(stack);
    const started = await ada.ask('/api/v1/scans', { json: {} });
    expect(started.status).toBe(202);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await eventually(async () =>
        expect((await read(started.body.id)).scanned).toBeGreaterThan(kill * PAGE_SIZE),
      );
      for (const worker of stack.workers) await worker.kill();
      row.ran();
      for (const worker of stack.workers) await worker.start();
    }
    const scan = await eventually(async () => {
      const present = await read(started.body.id);
      expect(present.state).toBe('completed');
      return present;
    }, 60_000);

    const lost = MAIL_COUNT - scan.scanned;
    row.lost(Math.max(0, lost));
    row.doubled(Math.max(0, -lost));
    expect(scan).toMatchObject({
      scanned: MAIL_COUNT,
      total: MAIL_COUNT,
      suggested: MAIL_COUNT,
      unclassified: 0,
    });
    expect(await stack.query('SELECT count(*)::int AS count FROM "EmailSuggestion"')).toEqual([
      { count: MAIL_COUNT },
    ]);
    expect(await stack.query('SELECT count(*)::int AS count FROM "CachedMessage"')).toEqual([
      { count: MAIL_COUNT },
    ]);
    const events = await stack.query<{ total: number }>(
      `SELECT ("payload"->'summary'->>'totalSuggestions')::int AS total FROM "OutboxEvent"`,
    );
    expect(events).toEqual([{ total: MAIL_COUNT }]);

    const calls = await stack.google.listCalls();
    expect(calls.filter(({ status }) => status === 429)).toEqual([]);
    const spent = FLOOR_UNITS + KILLS * PAGE_UNITS + LOOK_UNITS + PAGES * 2;
    expect(calls.reduce((sum, { units }) => sum + units, 0)).toBeLessThanOrEqual(spent);
  });

  const read = async (id: string): Promise<Scan> => (await ada.ask(`/api/v1/scans/${id}`)).body;

  let stack: FaultStack;
  let ada: User;
  beforeAll(async () => {
    stack = await startFaultStack({
      queue,
      workers: 1,
      mail: { [ADA]: mails(MAIL_COUNT) },
      sandbox: { quotaUnitsPerMinute: 120_000, concurrentCalls: 25, latencyMs: 20 },
      apiEnv: { GMAIL_QUOTA_UNITS_PER_MINUTE: '120000' },
      workerEnv: { GMAIL_QUOTA_UNITS_PER_MINUTE: '120000' },
    });
    ada = await stack.signIn();
    await stack.google.forgetCalls();
  });
});
