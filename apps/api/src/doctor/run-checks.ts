import { withDeadline } from '@mailsweep/service-kit';
import type { DoctorContext } from './context.ts';
import { error, type Finding, skipped } from './finding.ts';

export interface Check {
  name: string;
  /** Checks without whose success this one says nothing. */
  needs?: readonly string[];
  run: (context: DoctorContext) => Promise<Finding[]> | Finding[];
}

export type NamedFinding = { check: string } & Finding;

/** Longest run of one check, and of all together, in milliseconds. */
const CHECK_TIMEOUT_MS = 8_000;
const TOTAL_TIMEOUT_MS = 18_000;

const runInTime = (check: Check, context: DoctorContext, timeoutMs: number): Promise<Finding[]> =>
  withDeadline(
    Promise.resolve().then(() => check.run(context)),
    timeoutMs,
    () => new Error(`no end within ${Math.round(timeoutMs / 1_000)} s`),
  ).catch((cause: unknown) => [
    error({
      // Messages of drivers may hold addresses; the report takes secrets out of them.
      message: `The check could not be completed: ${cause instanceof Error ? cause.message : String(cause)}.`,
      why: 'Nothing is known about this part.',
      fix: 'Run the doctor again; if that does not help, file a bug with this output.',
    }),
  ]);

/** Runs all checks side by side, each once those that it needs have succeeded; findings come in the order of the checks. */
export const runChecks = async (
  checks: readonly Check[],
  context: DoctorContext,
): Promise<NamedFinding[]> => {
  const startedAt = performance.now();
  const leftMs = () => TOTAL_TIMEOUT_MS - (performance.now() - startedAt);
  const runs = new Map<string, Promise<Finding[]>>();
  for (const check of checks) {
    const needs = (check.needs ?? []).map(async (name) => ({ name, findings: (await runs.get(name)) ?? [] }));
    const run = Promise.all(needs).then((done) => {
      const failed = done.find(({ findings }) =>
        findings.some(({ status }) => status === 'error' || status === 'skipped'),
      );
      return failed
        ? [skipped(`The check "${failed.name}" did not succeed.`)]
        : runInTime(check, context, Math.min(CHECK_TIMEOUT_MS, leftMs()));
    });
    runs.set(check.name, run);
  }
  const all = [...runs].map(async ([check, run]) => (await run).map((finding) => ({ check, ...finding })));
  return (await Promise.all(all)).flat();
};
