import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestStep } from './steps.ts';
import type { TestCounts } from './vitest-report.ts';

export interface StepResult extends TestCounts {
  title: string;
  seconds: number;
}

/** Runs all steps one after the other, whatever becomes of each. Their output goes where ours goes. */
export const runSteps = async (options: {
  steps: readonly TestStep[];
  env: NodeJS.ProcessEnv;
  write: (text: string) => void;
  /** Aborted: the step that runs is ended, and no other begins. */
  signal: AbortSignal;
  nowMs?: () => number;
}): Promise<StepResult[]> => {
  const { steps, env, write, signal, nowMs = Date.now } = options;
  const results: StepResult[] = [];
  for (const step of steps) {
    if (signal.aborted) break;
    write(`\n── ${step.title} ${'─'.repeat(Math.max(0, 60 - step.title.length))}\n`);
    const startedMs = nowMs();
    const exitCode = await run(step, env, signal, write);
    const seconds = (nowMs() - startedMs) / 1_000;
    const counts = step.count(exitCode);
    write(`${counts.failed === 0 ? '✓' : '✗'} ${step.title}: ${seconds.toFixed(1)} s\n`);
    results.push({ title: step.title, seconds, ...counts });
  }
  return results;
};

const run = async (
  step: TestStep,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  write: (text: string) => void,
): Promise<number> => {
  const child = spawn(step.command, step.words, {
    cwd: step.cwd,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const end = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  try {
    const [code] = await once(child, 'exit');
    return typeof code === 'number' ? code : 1;
  } catch (error) {
    write(`${step.command} could not be started: ${error instanceof Error ? error.message : error}\n`);
    return 1;
  } finally {
    signal.removeEventListener('abort', end);
  }
};

/** The table of all steps; its last line is the sum, for people and machines. */
export const summarize = (results: readonly StepResult[]): string => {
  const rows = results.map(({ title, seconds, passed, failed, skipped }) =>
    [
      failed === 0 ? '✓' : '✗',
      title.padEnd(26),
      `${passed} passed`.padStart(12),
      `${failed} failed`.padStart(10),
      `${skipped} skipped`.padStart(11),
      `${seconds.toFixed(1)} s`.padStart(9),
    ].join(' '),
  );
  const sum = (pick: (result: StepResult) => number): number =>
    results.reduce((total, result) => total + pick(result), 0);
  return [...rows, `${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed`].join('\n');
};
