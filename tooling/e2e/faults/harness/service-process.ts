import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readInherited } from '@mailsweep/service-kit/testing';
import { ask } from './ask.ts';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
/** Ends a process together with the test process, however that ends. */
const GUARD = import.meta.resolve('@mailsweep/stack/child-guard');
/** Generous: on a loaded machine half a dozen processes start at once. */
const START_TIMEOUT_MS = 180_000;

/** A process of the product, as it runs in production. */
export interface ServiceProcess {
  name: string;
  url: string;
  /** Where `/ready` and `/metrics` are. */
  operationsUrl: string;
  /** The present process id. */
  pid(): number;
  isRunning(): boolean;
  /** Everything it wrote so far, over all its lives. */
  output: string[];
  /** Ends it at once, without a word (SIGKILL), and waits until it is gone. */
  kill(): Promise<void>;
  /** Asks it to end (SIGTERM). */
  stop(): Promise<{ exitCode: number | null; tookMs: number }>;
  /**
   * Starts it (again), on the same port, and waits until it is alive.
   *
   * @param root - the repository with its sources; this one when left out
   */
  start(changes?: Record<string, string>, root?: string): Promise<void>;
  /** Settles when the present process has ended. */
  whenEnded(): Promise<number | null>;
}

/**
 * Describes a process; it runs once started.
 *
 * @param options.main - the module to run, from the repository's root
 * @param options.livenessPath - responds with 200 as soon as the process serves
 */
export const createServiceProcess = (options: {
  name: string;
  main: string;
  port: number;
  /** Options of Node, as in the command of the service's image. */
  nodeOptions?: readonly string[];
  /** The port of the operators' routes. */
  operationsPort: number;
  livenessPath: string;
  env: Record<string, string>;
}): ServiceProcess => {
  const { name, port, livenessPath } = options;
  const url = `http://127.0.0.1:${port}`;
  const output: string[] = [];
  let child: ChildProcess | undefined;
  let ended: Promise<number | null> = Promise.resolve(null);

  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  const signalAndWait = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> => {
    if (isRunning()) child?.kill(signal);
    return ended;
  };

  return {
    name,
    url,
    operationsUrl: `http://127.0.0.1:${options.operationsPort}`,
    output,
    isRunning,
    pid: () => child?.pid ?? 0,
    whenEnded: () => ended,
    async kill() {
      await signalAndWait('SIGKILL');
    },
    async stop() {
      const startedMs = performance.now();
      const exitCode = await signalAndWait('SIGTERM');
      return { exitCode, tookMs: performance.now() - startedMs };
    },
    async start(changes = {}, root = REPOSITORY) {
      const words = [...(options.nodeOptions ?? []), '--import', GUARD, options.main];
      const started = spawn(process.execPath, words, {
        cwd: root,
        env: { ...readInherited(), ...options.env, ...changes },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      child = started;
      ended = once(started, 'exit').then(([code]) => code as number | null);
      started.stdin.on('error', () => started.stdin.destroy());
      for (const stream of [started.stdout, started.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
      }
      const deadlineMs = performance.now() + START_TIMEOUT_MS;
      while ((await ask(url + livenessPath, { timeoutMs: 2_000 })).status !== 200) {
        if (!isRunning() || performance.now() > deadlineMs) {
          throw new Error(`${name} did not start:\n${output.join('').slice(-4_000)}`);
        }
        await sleep(25);
      }
    },
  };
};
