import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { ListOutgoingCallsResponse, Scan } from '@mailsweep/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn } from './src/api-session.ts';
import { type LocalStack, startLocalStack } from './src/local-stack.ts';

/** How often the connections of the processes are looked at, in milliseconds: a call to a process here takes some. */
const LOOK_MS = 2;
/** States of TCP connections in `/proc/net/tcp`: proc_pid_net(5). */
const LISTEN = '0A';

/** The sockets that a process has open, by their inodes. */
const socketsOf = (pid: number): Set<string> => {
  const inodes = readdirSync(`/proc/${pid}/fd`).map((descriptor) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1];
    } catch {
      // It was closed meanwhile.
      return undefined;
    }
  });
  return new Set(inodes.filter((inode) => inode !== undefined));
};

/** The ports that processes are connected to as clients, as the kernel has it. */
const readConnectedPorts = (pids: readonly number[]): Set<number> => {
  const rows = ['tcp', 'tcp6'].flatMap((file) =>
    readFileSync(`/proc/net/${file}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/)),
  );
  const portOf = (address = '') => Number.parseInt(address.split(':')[1] ?? '', 16);
  const listening = new Set(
    rows.filter(([, , , state]) => state === LISTEN).map(([, local]) => portOf(local)),
  );
  const sockets = pids.map(socketsOf).reduce((all, some) => all.union(some), new Set());
  return new Set(
    rows
      .filter((row) => row[3] !== LISTEN && sockets.has(row[9] ?? '') && !listening.has(portOf(row[1])))
      .map(([, , remote]) => portOf(remote)),
  );
};

describe('the list of hosts that were called', () => {
  test.skipIf(process.platform !== 'linux')(
    'has every host that the kernel has seen API and worker connect to',
    async () => {
      const pids = [stack.pids.api, stack.pids.worker].filter((pid) => pid !== undefined);
      expect(pids).toHaveLength(2);
      const connected = new Set<number>();
      const looking = setInterval(() => {
        for (const port of readConnectedPorts(pids)) connected.add(port);
      }, LOOK_MS);
      const { session } = await signIn(stack.api, 'grace@example.com');
      await session.get('api/v1/suggestions');
      const { id } = await session.post<Scan>('api/v1/scans', { scope: 'inbox' });
      await expect.poll(async () => (await session.get<Scan>(`api/v1/scans/${id}`)).state).toBe('completed');
      clearInterval(looking);

      const readList = () => session.get<ListOutgoingCallsResponse>('api/v1/me/outgoing-calls');
      // The worker stores its calls every few seconds.
      const isFromWorker = ({ user }: ListOutgoingCallsResponse) =>
        (user.find(({ purpose }) => purpose === 'workflow')?.total.calls ?? 0) > 0;
      await expect.poll(async () => isFromWorker(await readList())).toBe(true);
      const { user, installation } = await readList();
      const portOf = ({ host }: { host: string | null }) => Number(new URL(`http://${host}`).port);
      const listed = new Set([...user, ...installation].map(portOf));
      const own = new Set(
        [stack.database, stack.redis].map((url) => url && Number(new URL(url).port || 6379)),
      );

      expect([...connected].filter((port) => !own.has(port) && !listed.has(port))).toEqual([]);
      expect([...connected].filter((port) => listed.has(port)).length).toBeGreaterThanOrEqual(3);
      expect(new Set(user.map(({ purpose }) => purpose))).toEqual(
        new Set(['mailbox', 'classification', 'workflow']),
      );
      expect(installation.map(({ purpose }) => purpose)).not.toContain('other');
    },
  );
});

let stack: LocalStack;
beforeAll(async () => {
  // A stack of its own: all connections of its processes are looked at.
  stack = await startLocalStack();
});
afterAll(() => stack?.stop());
