import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort, readInherited } from '@mailsweep/service-kit/testing';
import { removePostgresData } from '@mailsweep/stack/testing';

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const START_TIMEOUT_MS = 120_000;
/** Tests do more in a minute than a user does. */
const GENEROUS_LIMITS = { AUTH_RATE_LIMIT_PER_MINUTE: '1000' };

/** What programs need of the machine, and nothing of this run's own configuration. */
export const readMachine = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ...readInherited(),
});

/** Where the parts of a running stack are, as its `stack.json` says. */
export interface StackAddresses {
  api: string;
  web: string;
  ml: string;
  google: string;
  webhookInbox: string;
  setup: string | null;
  database: string;
  redis: string | null;
  pids: Record<string, number>;
}

/** A running stack that others use, too. */
export interface SharedStack extends StackAddresses {
  /** The folder that holds the stack's data and logs. */
  home: string;
}

export interface LocalStack extends SharedStack {
  /** Ends the stack as Ctrl-C does and returns its exit code. */
  stop(): Promise<number | null>;
  /** Ends the stack as Ctrl-C does, and starts it again with its data. */
  restart(): Promise<LocalStack>;
}

/** Starts the whole product as `npm start` does, in a data folder of its own, and waits until it is ready. */
export const startLocalStack = async (
  env: Record<string, string> = {},
  home = mkdtempSync(join(tmpdir(), 'mailsweep-e2e-')),
  words: string[] = [],
): Promise<LocalStack> => {
  const output: string[] = [];
  // Files run side by side: two stacks that start at once would both find the usual ports free.
  const [port, webPort] = [await findFreePort(), await findFreePort()];
  const child = spawn(process.execPath, ['tooling/stack/src/main.ts', '--web-port', `${webPort}`, ...words], {
    cwd: REPOSITORY,
    env: {
      ...readMachine(),
      MAILSWEEP_HOME: home,
      SANDBOX_BEHAVIOUR: process.env.SANDBOX_BEHAVIOUR ?? '{}',
      PORT: `${port}`,
      ...GENEROUS_LIMITS,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(String(chunk)));

  const stackFile = join(home, 'stack.json');
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!existsSync(stackFile)) {
    if (child.exitCode !== null || Date.now() > deadline) {
      const end =
        child.exitCode === null ? `not within ${START_TIMEOUT_MS / 1_000} s` : `code ${child.exitCode}`;
      child.kill('SIGTERM');
      await exited;
      removeHome(home);
      throw new Error(`the stack did not start (${end}): ${toOneLine(output.join(''))}`);
    }
    await delay(100);
  }
  const addresses = JSON.parse(readFileSync(stackFile, 'utf8')) as StackAddresses;
  const end = async () => {
    child.kill('SIGINT');
    const [exitCode] = await exited;
    return exitCode;
  };
  return {
    ...addresses,
    home,
    async stop() {
      const exitCode = await end();
      removeHome(home);
      return exitCode;
    },
    async restart() {
      await end();
      return await startLocalStack(env, home, words);
    },
  };
};

/** Postgres may have had to move its files to another folder. */
const removeHome = (home: string): void => {
  removePostgresData(join(home, 'postgres'));
  rmSync(home, { recursive: true, force: true });
};

/** The summary of a test run shows an error's first line alone. */
const toOneLine = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, ' | ');
