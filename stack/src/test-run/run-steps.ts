import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pLimit from 'p-limit';
import type { TestStep } from './steps.ts';
import type { TestOutcome } from './vitest-report.ts';

export interface StepResult extends TestOutcome {
  title: string;
  seconds: number;
}

/** Steps of a stage that run side by side: one of them is the longest by far, and waits more than it works. */
const STEPS_AT_ONCE = 2;

interface RunOptions {
  env: NodeJS.ProcessEnv;
  write: (text: string) => void;
  /** Aborted: the steps that run are ended, and no other begins. */
  signal: AbortSignal;
  nowMs?: () => number;
}

/**
 * Runs stages one after the other, the steps of a stage side by side, whatever becomes of each. The output of a step
 * that has a stage to itself goes where ours goes; that of the others is shown when they fail.
 */
export const runStages = async (
  stages: readonly (readonly TestStep[])[],
  options: RunOptions,
): Promise<StepResult[]> => {
  const results: StepResult[] = [];
  for (const steps of stages) {
    const limit = pLimit(STEPS_AT_ONCE);
    const isAlone = steps.length === 1;
    const ended = await Promise.all(steps.map((step) => limit(() => runStep(step, isAlone, options))));
    results.push(...ended.filter((result) => result !== null));
  }
  return results;
};

const runStep = async (
  step: TestStep,
  isShown: boolean,
  { env, write, signal, nowMs = Date.now }: RunOptions,
): Promise<StepResult | null> => {
  if (signal.aborted) return null;
  write(
    isShown ? `\n── ${step.title} ${'─'.repeat(Math.max(0, 60 - step.title.length))}\n` : `… ${step.title}\n`,
  );
  const startedMs = nowMs();
  const { exitCode, output } = await run(step, isShown, env, signal);
  const seconds = (nowMs() - startedMs) / 1_000;
  const outcome = step.judge(exitCode);
  if (outcome.failures.length > 0) write(output);
  write(`${markOf(outcome)} ${step.title}: ${seconds.toFixed(1)} s\n`);
  return { title: step.title, seconds, ...outcome };
};

const run = async (
  step: TestStep,
  isShown: boolean,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<{ exitCode: number; output: string }> => {
  const outlet = isShown ? 'inherit' : 'pipe';
  const child = spawn(step.command, step.words, { cwd: step.cwd, env, stdio: ['ignore', outlet, outlet] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const end = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  try {
    const [code] = await once(child, 'close');
    return { exitCode: typeof code === 'number' ? code : 1, output };
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    return { exitCode: 1, output: `${step.command} could not be started: ${reason}\n` };
  } finally {
    signal.removeEventListener('abort', end);
  }
};

const markOf = ({ failures }: TestOutcome): string => (failures.length === 0 ? '✓' : '✗');

/** What failed or passed only when retried, and the table of all steps; its last line is the sum, for people and machines. */
export const summarize = (results: readonly StepResult[]): string => {
  const failures = results.flatMap((result) =>
    result.failures.map((failure) => `✗ ${result.title}: ${failure}`),
  );
  const flaky = results.flatMap((result) => result.flaky.map((test) => `! Flaky: ${result.title}: ${test}`));
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
  return [...failures, ...flaky, ...rows, `${passed} passed, ${failures.length} failed`].join('\n');
};
