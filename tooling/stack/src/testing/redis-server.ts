import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface RedisServer {
  url: string;
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 10_000;

const responses = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.end(() => resolve(true)));
    socket.on('error', () => resolve(false));
  });

/**
 * Starts a Redis on the port; null when the machine has no `redis-server`.
 *
 * @param options.pidFile - where it notes its process id
 * @param options.folder - where it keeps its data over restarts; in memory alone when left out
 */
export const startRedisServer = async (
  port: number,
  { pidFile, folder }: { pidFile?: string; folder?: string } = {},
): Promise<RedisServer | null> => {
  if (spawnSync('redis-server', ['--version']).error !== undefined) return null;
  const settings = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', ''];
  if (pidFile !== undefined) settings.push('--pidfile', pidFile);
  if (folder !== undefined) settings.push('--appendonly', 'yes', '--dir', folder);
  const child = spawn('redis-server', settings, { stdio: 'ignore', cwd: '/tmp' });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await responses(port))) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('redis-server did not start');
    await delay(20);
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    async close() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
};
