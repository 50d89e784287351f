import { setTimeout as sleep } from 'node:timers/promises';
import { atMostTimes, percentile, type Result, timeMs } from '../measure.ts';
import { smallMailbox } from '../product/small-mailbox.ts';
import { type SignedIn, startProduct } from '../product/start-product.ts';
import type { Servers } from '../servers.ts';

const PATHS = ['/api/v1/emails', '/api/v1/senders', '/api/v1/notifications/history', '/api/v1/me'];
const PAUSE_MS = 150;
const MEASURED_MS = 40_000;
/** A refused request is not sent again at once. */
const AFTER_REFUSAL_MS = 100;

const INBOX = { type: 'filter', scope: 'inbox' };

/** What one account does all the time, as fast as it gets responses; limits refuse part of it. */
const WORKS: Record<string, (user: SignedIn) => Promise<unknown>> = {
  scans: async (user) => {
    const { id } = await user.ask('/api/v1/scans', {});
    return await user.ask(`/api/v1/scans/${id}/cancel`, {});
  },
  cleanups: async (user) => {
    const { id } = await user.ask('/api/v1/cleanups', { action: 'archive', selection: INBOX });
    await user.ask(`/api/v1/cleanups/${id}/run`, {});
    while ((await user.ask(`/api/v1/cleanups/${id}`)).finishedAt === null) await sleep(PAUSE_MS);
    return await user.ask(`/api/v1/cleanups/${id}/undo`, {});
  },
  previews: async (user) => {
    const { data } = await user.ask('/api/v1/rules');
    return await user.ask(`/api/v1/rules/${data[0].id}/preview`, {});
  },
  exports: (user) => user.ask('/api/v1/me/export'),
};

export interface Crowd {
  accounts: number;
  workers: number;
  /** Names of loops; all if empty. */
  loops: readonly string[];
}

/** Reads lists one after another, until told otherwise. */
const readLists = async (user: SignedIn, isOver: () => boolean): Promise<number[]> => {
  const times: number[] = [];
  for (let read = 0; !isOver(); read += 1) {
    times.push(await timeMs(() => user.ask(PATHS[read % PATHS.length] as string)));
    await sleep(PAUSE_MS);
  }
  return times;
};

const after = (ms: number) => {
  const endMs = performance.now() + ms;
  return () => performance.now() > endMs;
};

/** How long a user waits who has nothing to do with accounts that start and cancel, plan, preview, undo and export in loops. */
export const measureBusyAccounts = (servers: Servers, crowd: Crowd): Promise<Result[]> =>
  servers.withDatabase(async ({ url }) => {
    const { accounts, workers } = crowd;
    const names = crowd.loops.length === 0 ? Object.keys(WORKS) : crowd.loops;
    const works = names.map((name) => {
      const work = WORKS[name];
      if (work === undefined)
        throw new Error(`Unknown loop ${name}; known: ${Object.keys(WORKS).join(', ')}`);
      return work;
    });
    const emails = Array.from({ length: accounts }, (_, index) => `busy-${index}@example.com`);
    await using product = await startProduct({
      databaseUrl: url,
      redisUrl: servers.redisUrl,
      workers,
      mailboxes: ['other@example.com', ...emails].map(smallMailbox),
      sandbox: { quotaUnitsPerMinute: 6_000, latencyMs: 20 },
      env: { API_RATE_LIMIT_PER_MINUTE: '600' },
    });
    const other = await product.signIn('other@example.com');
    const busy: SignedIn[] = [];
    for (const email of emails) {
      const user = await product.signIn(email);
      await user.ask('/api/v1/emails');
      const [sender] = (await user.ask('/api/v1/senders')).data;
      await user.ask('/api/v1/rules', {
        condition: { type: 'sender', sender: sender.id },
        action: 'archive',
        olderThan: 0,
        enabled: false,
      });
      busy.push(user);
    }
    await readLists(other, after(MEASURED_MS / 4));
    const idle = await readLists(other, after(MEASURED_MS));

    let [done, refused] = [0, 0];
    const isOver = after(MEASURED_MS * 1.1);
    const loop = async (user: SignedIn, work: (user: SignedIn) => Promise<unknown>) => {
      while (!isOver()) {
        const isDone = await work(user).then(
          () => true,
          () => false,
        );
        if (isDone) done += 1;
        else refused += 1;
        if (!isDone) await sleep(AFTER_REFUSAL_MS);
      }
    };
    const loops = busy.flatMap((user) => works.map((work) => loop(user, work)));
    const meanwhile = await readLists(other, after(MEASURED_MS));
    await Promise.all(loops);
    process.stdout.write(`${accounts} accounts: ${done} loops done, ${refused} refused or failed\n`);
    return [50, 95].map((percent) =>
      atMostTimes(3, {
        name: `read of a list while ${accounts} accounts loop over ${names.join(', ')} (workers: ${workers}), ${percent}th percentile; floor: while none is`,
        unit: 'ms',
        ours: percentile(percent, meanwhile),
        floor: percentile(percent, idle),
      }),
    );
  });
