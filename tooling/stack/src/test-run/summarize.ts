import type { TaskResult } from './task-results.ts';

/** What failed or passed only when retried, and the table of all tasks; its last line is the sum, for people and machines. */
export const summarize = (results: readonly TaskResult[]): string => {
  const failures = results.flatMap((result) =>
    result.failures.map((failure) => `✗ ${result.title}: ${failure}`),
  );
  const flaky = results.flatMap((result) => result.flaky.map((test) => `! Flaky: ${result.title}: ${test}`));
  const sum = `${passedOf(results)} passed, ${failures.length} failed`;
  const rows = results.map((result) =>
    [
      result.failures.length === 0 ? '✓' : '✗',
      result.title.padEnd(26),
      `${result.passed} passed`.padStart(12),
      `${result.failures.length} failed`.padStart(10),
      `${result.skipped} skipped`.padStart(11),
      (result.isCached ? 'cached' : `${result.seconds.toFixed(1)} s`).padStart(9),
    ].join(' '),
  );
  return [...failures, ...flaky, ...rows, ...sayCached(results), sum].join('\n');
};

const passedOf = (results: readonly TaskResult[]): number =>
  results.reduce((total, { passed }) => total + passed, 0);

const sayCached = (results: readonly TaskResult[]): string[] => {
  const cached = results.filter(({ isCached }) => isCached);
  if (cached.length === 0) return [];
  return [
    `${cached.length} of ${results.length} tasks were not run again (${passedOf(cached)} of the tests): nothing they depend on has changed since they passed. "npm test -- --force" runs all.`,
  ];
};
