import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readTaskResults, type TaskResult } from './task-results.ts';

/** Tasks that run side by side; those with real servers wait more than they work. */
const TASKS_AT_ONCE = 2;

interface StageOptions {
  repository: string;
  env: NodeJS.ProcessEnv;
  /** Runs what the cache has results of, too. */
  force: boolean;
  /** Aborted: the tasks that run are ended, and no other begins. */
  signal: AbortSignal;
}

/** Runs tasks of `turbo.json`, each whatever becomes of the others. Those of which none waits for another show their output at once. */
export const runStage = async (
  tasks: readonly string[],
  { repository, env, force, signal }: StageOptions,
): Promise<TaskResult[]> => {
  const words = [
    // Without the shell script before it, which would keep signals to itself.
    join(repository, 'node_modules/turbo/bin/turbo'),
    'run',
    ...tasks,
    '--continue=always',
    `--concurrency=${TASKS_AT_ONCE}`,
    '--output-logs=new-only',
    `--log-order=${tasks.length <= TASKS_AT_ONCE ? 'stream' : 'grouped'}`,
    '--summarize',
    ...(force ? ['--force'] : []),
  ];
  const before = newestSummary(repository);
  const turbo = spawn(process.execPath, words, {
    cwd: repository,
    env: {
      ...env,
      TURBO_TELEMETRY_DISABLED: '1',
      TURBO_NO_UPDATE_NOTIFIER: '1',
      ...(force && { TEST_ALL: '1' }),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const end = () => void turbo.kill('SIGTERM');
  signal.addEventListener('abort', end);
  const [exitCode] = await once(turbo, 'close');
  signal.removeEventListener('abort', end);
  const summary = newestSummary(repository);
  if (summary !== undefined && summary !== before) return readTaskResults(summary, repository);
  const failures = [`turbo ended with code ${exitCode} before any task did`];
  return [
    { title: tasks.join(', '), seconds: 0, isCached: false, passed: 0, skipped: 0, failures, flaky: [] },
  ];
};

const newestSummary = (repository: string): string | undefined => {
  const folder = join(repository, '.turbo/runs');
  try {
    return readdirSync(folder)
      .map((name) => join(folder, name))
      .toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)[0];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
