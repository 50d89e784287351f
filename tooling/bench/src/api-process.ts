import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeployedApi } from './deployed-api.ts';

const LONGEST_START_MS = 60_000;
const POLL_MS = 5;
/** Nothing listens here: these benches read nothing of the provider or the classifier. */
const NOWHERE = 'http://127.0.0.1:9';

/** A process that serves requests on a port. */
export interface ServerProcess extends AsyncDisposable {
  port: number;
  child: ChildProcess;
  /** From its start to its first response. */
  startMs: number;
}

/** Starts a server, and waits for its first response with status 200. Its lines go nowhere. */
export const startServer = async (options: {
  args: string[];
  env: Record<string, string>;
  port: number;
  healthPath: string;
  /** Where it is run; where we are when absent. */
  cwd?: string;
}): Promise<ServerProcess> => {
  const { args, env, port, healthPath, cwd } = options;
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], env, cwd });
  const exited = once(child, 'exit');
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  const stop = async () => {
    end();
    await exited;
    process.off('exit', end);
  };
  for (;;) {
    const isUp = await fetch(`http://127.0.0.1:${port}${healthPath}`).then(
      async (response) => response.arrayBuffer().then(() => response.ok),
      () => false,
    );
    if (isUp) {
      return { port, child, startMs: performance.now() - startedMs, [Symbol.asyncDispose]: stop };
    }
    if (child.exitCode !== null || performance.now() - startedMs > LONGEST_START_MS) {
      if (child.exitCode === null) await stop();
      throw new Error(`${args.join(' ')} did not come up`);
    }
    await sleep(POLL_MS);
  }
};

/** Starts the API as its image does. */
export const startApi = (options: {
  deployed: DeployedApi;
  databaseUrl: string;
  redisUrl: string | null;
  encryptionKey: Buffer;
  port: number;
  env?: Record<string, string>;
}): Promise<ServerProcess> =>
  startServer({
    args: [...options.deployed.nodeFlags, options.deployed.module],
    cwd: options.deployed.folder,
    port: options.port,
    healthPath: '/api/v1/health',
    env: {
      NODE_ENV: 'production',
      PORT: String(options.port),
      DATABASE_URL: options.databaseUrl,
      ...(options.redisUrl !== null && { REDIS_URL: options.redisUrl }),
      OAUTH_ISSUER: NOWHERE,
      OAUTH_CLIENT_ID: 'bench',
      OAUTH_CLIENT_SECRET: 'bench-client-secret',
      OAUTH_REDIRECT_URI: 'http://127.0.0.1/auth/idp/callback',
      FRONTEND_ORIGIN: 'http://127.0.0.1',
      TOKEN_ENCRYPTION_KEY: options.encryptionKey.toString('base64'),
      ML_BASE_URL: NOWHERE,
      // One user sends what many would.
      API_RATE_LIMIT_PER_MINUTE: '1000000000',
      ...options.env,
    },
  });
