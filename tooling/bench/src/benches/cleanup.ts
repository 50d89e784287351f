import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionBatch, Cleanup, CleanupPlan } from '@mailsweep/contracts';
import type { MailboxPlan } from '../google-sandbox/generate-mailbox.ts';
import { atMost, type Result, timeMs } from '../measure.ts';
import { type SignedIn, startProduct } from '../product/start-product.ts';
import type { Servers } from '../servers.ts';

/** What Gmail gives new projects; enforced by the sandbox. */
const UNITS_PER_MINUTE = 6_000;
const EMAILS = 10_000;
const MINUTE_MS = 60_000;
const LONGEST_MS = 10 * MINUTE_MS;
const PLAN_LIMIT = 150;
const EXECUTION_LIMIT = 700;
const POLL_MS = 100;

const MAILBOX: MailboxPlan = {
  email: 'cleanup@example.com',
  seed: 81,
  messages: EMAILS,
  skew: 4,
  unreadShare: 0.4,
  ownLabels: 20,
  attachmentShare: 0.1,
  newestDaysAgo: 0.5,
  days: 900,
};

/** The ids of the inbox as Gmail has it. */
const listInbox = async (user: SignedIn): Promise<Set<string>> => {
  const ids = new Set<string>();
  let token = '';
  do {
    const page = await user.askGmail(`messages?labelIds=INBOX&maxResults=500&pageToken=${token}`);
    for (const { id } of page.messages ?? []) ids.add(id);
    token = page.nextPageToken ?? '';
  } while (token !== '');
  return ids;
};

const until = async <T>(read: () => Promise<T>, isOver: (value: T) => boolean): Promise<T> => {
  const deadlineMs = performance.now() + LONGEST_MS;
  for (;;) {
    const value = await read();
    if (isOver(value)) return value;
    if (performance.now() > deadlineMs) throw new Error(`not in time: ${JSON.stringify(value)}`);
    await sleep(POLL_MS);
  }
};

/** Plans, archives and undoes 10,000 emails under Gmail's quota, with the inbox at Gmail compared after each. */
export const measureCleanup = (servers: Servers): Promise<Result[]> =>
  servers.withDatabase(async ({ url }) => {
    await using product = await startProduct({
      databaseUrl: url,
      redisUrl: servers.redisUrl,
      workers: 1,
      mailboxes: [MAILBOX],
      sandbox: { quotaUnitsPerMinute: UNITS_PER_MINUTE },
    });
    const user = await product.signIn(MAILBOX.email);
    // As a browser does, which shows the inbox first.
    await user.ask('/api/v1/emails?pageSize=30');
    await sleep(MINUTE_MS);

    const measure = async <T>(work: () => Promise<T>) => {
      let ms = 0;
      const { response, usage } = await product.countUsage(async () => {
        let value: T | undefined;
        ms = await timeMs(async () => {
          value = await work();
        });
        return value as T;
      });
      return { response, units: usage.units, ms, refused: usage.refused };
    };
    const toResults = (
      what: string,
      limit: number,
      { units, ms }: { units: number; ms: number },
    ): Result[] => [
      atMost(limit, { name: `${what} ${EMAILS} emails`, unit: 'units', ours: units }),
      atMost(MINUTE_MS, { name: `${what} ${EMAILS} emails`, unit: 'ms', ours: ms }),
    ];

    const planned = await measure(
      (): Promise<CleanupPlan> =>
        user.ask('/api/v1/cleanups', { action: 'archive', selection: { type: 'filter' } }),
    );
    const plan = planned.response;
    if (plan.total !== EMAILS) throw new Error(`the plan has ${plan.total} emails`);

    const archived = await measure(async (): Promise<Cleanup> => {
      await user.ask(`/api/v1/cleanups/${plan.id}/run`, {});
      return await until<Cleanup>(
        () => user.ask(`/api/v1/cleanups/${plan.id}`),
        ({ finishedAt }) => finishedAt !== null,
      );
    });
    if (archived.response.changed !== EMAILS) throw new Error(JSON.stringify(archived.response));
    await sleep(MINUTE_MS);
    const left = await listInbox(user);
    if (left.size > 0) throw new Error(`${left.size} emails are still in the inbox`);

    await sleep(MINUTE_MS);
    const undone = await measure(async (): Promise<ActionBatch> => {
      await user.ask(`/api/v1/cleanups/${plan.id}/undo`, {});
      return await until<ActionBatch>(
        async () => (await user.ask(`/api/v1/notifications/history/batches?batch=${plan.batchId}`)).data[0],
        ({ undo }) => undo?.state === 'done',
      );
    });
    if (undone.response.undone !== EMAILS) throw new Error(JSON.stringify(undone.response));
    await sleep(MINUTE_MS);
    const back = await listInbox(user);
    if (back.size !== EMAILS) throw new Error(`only ${back.size} emails came back`);

    return [
      ...toResults('plan', PLAN_LIMIT, planned),
      ...toResults('archive', EXECUTION_LIMIT, archived),
      ...toResults('undo', EXECUTION_LIMIT, undone),
    ];
  });
