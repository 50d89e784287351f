import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestStep } from './steps.ts';
import type { TestOutcome } from './vitest-report.ts';

export interface StepResult extends TestOutcome {
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
    const outcome = step.judge(exitCode);
    write(`${markOf(outcome)} ${step.title}: ${seconds.toFixed(1)} s\n`);
    results.push({ title: step.title, seconds, ...outcome });
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

const markOf = ({ failures }: TestOutcome): string => (failures.length === 0 ? '✓' : '✗');

/** What failed, and the table of all steps; its last line is the sum, for people and machines. */
export const summarize = (results: readonly StepResult[]): string => {
  const failures = results.flatMap((result) =>
    result.failures.map((failure) => `✗ ${result.title}: ${failure}`),
  );
  const rows = results.map((result) =>
    [
      markOf(result),
      result.title.padEnd(26),
      `${result.passed} passed`.padStart(12),
      `${result.failures.length} failed`.padStart(10),
      `${result.skipped} skipped`.padStart(11),
      `${result.seconds.toFixed(1)} s`.padStart(9),
    ].join(' '),
  );
  const passed = results.reduce((total, result) => total + result.passed, 0);
  return [...failures, ...rows, `${passed} passed, ${failures.length} failed`].join('\n');
};
