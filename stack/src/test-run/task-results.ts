import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readTestReport, type TestOutcome } from './vitest-report.ts';

/** What a task came to. */
export interface TaskResult extends TestOutcome {
  title: string;
  seconds: number;
  /** Nothing it depends on has changed since it last passed. */
  isCached: boolean;
}

// What `turbo run --summarize` writes, as far as it is read here.
const SummarySchema = z.object({
  tasks: z.array(
    z.object({
      taskId: z.string(),
      task: z.string(),
      command: z.string(),
      directory: z.string().default(''),
      cache: z.object({ status: z.string() }),
      execution: z
        .object({ startTime: z.number(), endTime: z.number(), exitCode: z.number().nullable() })
        .nullish(),
    }),
  ),
});

type Task = z.infer<typeof SummarySchema>['tasks'][number];

/** Tasks that others need, and that are worth a line only when they fail. */
const isPreparation = ({ task }: Task): boolean => task === 'build' || task === 'generate';

/** Packages without the script are part of turbo's graph all the same. */
const hasNoScript = ({ command }: Task): boolean => command === '<NONEXISTENT>';

/** Reads the summary of a run, and the report of each task that ran tests. A check without tests counts as one. */
export const readTaskResults = (summaryFile: string, repository: string): TaskResult[] => {
  const { tasks } = SummarySchema.parse(JSON.parse(readFileSync(summaryFile, 'utf8')));
  return tasks
    .filter((task) => !hasNoScript(task))
    .map((task) => readResult(task, repository))
    .filter(({ isPreparation, failures }) => !isPreparation || failures.length > 0)
    .map(({ isPreparation: _, ...result }) => result);
};

const readResult = (task: Task, repository: string) => {
  const isCached = task.cache.status === 'HIT';
  const exitCode = isCached ? 0 : (task.execution?.exitCode ?? 1);
  const ranMs = task.execution ? task.execution.endTime - task.execution.startTime : 0;
  return {
    title: titleOf(task.taskId),
    seconds: ranMs / 1_000,
    isCached,
    isPreparation: isPreparation(task),
    ...(task.command.includes('vitest run')
      ? readTestReport(reportOf(task, repository), exitCode)
      : asOne(exitCode)),
  };
};

/** Where `vitest.reporters.ts` has the task's report written. */
const reportOf = ({ directory, task }: Task, repository: string): string =>
  join(repository, directory, 'test-results', `${task.replace(':', '-')}.json`);

const asOne = (exitCode: number): TestOutcome =>
  exitCode === 0
    ? { passed: 1, skipped: 0, failures: [], flaky: [] }
    : { passed: 0, skipped: 0, failures: [`ended with code ${exitCode}`], flaky: [] };

/** `@mailsweep/core#test` as `core: test`, `//#lint:format` as `lint:format`. */
const titleOf = (taskId: string): string =>
  taskId
    .replace(/^\/\/#/, '')
    .replace(/^@mailsweep\//, '')
    .replace('#', ': ');
