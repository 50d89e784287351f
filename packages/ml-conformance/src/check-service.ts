import { authenticationChecks, inputChecks, type Latency, stabilityChecks, timingChecks } from './checks.ts';
import type { Clause, Finding } from './clauses.ts';
import { PLAIN_EMAIL } from './emails.ts';
import { readSuccess } from './read-response.ts';
import { createService } from './service.ts';

export interface CheckResult {
  clause: Clause;
  name: string;
  findings: Finding[];
  /** How many findings are left out, since an earlier check has the same. */
  repeated: number;
  ms: number;
}

export interface Report {
  url: string;
  /** No check found an error. */
  conforms: boolean;
  /** false: the first valid request was not answered, and no other check was made. */
  isComplete: boolean;
  results: CheckResult[];
  /** Longest time of a response by the number of emails, in milliseconds. */
  latency: Latency;
}

/** The API waits no longer, in milliseconds. */
const BUDGET_MS = 5_000;

/**
 * Checks whether a classification service keeps the contract: some hundred requests, one check after another, a few
 * seconds for a quick service.
 *
 * @param options.baseUrl - of the service; `/v1/suggest` is added
 * @param options.secret - what the service verifies tokens with (`INTERNAL_JWT_SECRET`)
 * @param options.budgetMs - longest time of a response; 5,000 where left out
 * @param options.onResult - told of each check as it ends
 */
export const checkService = async (options: {
  baseUrl: string;
  secret: string;
  budgetMs?: number | undefined;
  onResult?: (result: CheckResult) => void;
}): Promise<Report> => {
  const { baseUrl, secret, budgetMs = BUDGET_MS, onResult } = options;
  const service = createService({ baseUrl, secret, budgetMs });
  const latency: Latency = {};
  const results: CheckResult[] = [];
  const known = new Set<string>();
  const add = ({ findings, ...check }: Omit<CheckResult, 'repeated'>) => {
    const keyOf = ({ severity, clause, what }: Finding) => `${severity} ${clause} ${what}`;
    const fresh = findings.filter((finding) => {
      const isKnown = known.has(keyOf(finding));
      known.add(keyOf(finding));
      return !isKnown;
    });
    const result = { ...check, findings: fresh, repeated: findings.length - fresh.length };
    results.push(result);
    onResult?.(result);
  };
  const report = (isComplete: boolean): Report => ({
    url: service.url,
    conforms: results.every(({ findings }) => findings.every(({ severity }) => severity !== 'error')),
    isComplete,
    results,
    latency,
  });

  // Where a valid request is refused, every other finding would be about that.
  const first = await service.ask([PLAIN_EMAIL]);
  if (first.response?.status !== 200) {
    const { findings } = readSuccess(first, [PLAIN_EMAIL.id], 'request-fields');
    add({ clause: 'request-fields', name: 'one usual email gets 200', findings, ms: first.ms });
    return report(false);
  }
  const checks = [
    ...inputChecks(service),
    ...authenticationChecks(service),
    ...stabilityChecks(service),
    ...timingChecks(service, latency),
  ];
  for (const { clause, name, run } of checks) {
    const startedMs = performance.now();
    const findings = await run();
    add({ clause, name, findings, ms: Math.round(performance.now() - startedMs) });
  }
  return report(true);
};
