/**
 * What `npm test` runs of the two long suites. The rule: one path through the product and one through the browser;
 * and of the fault campaign, one case for each thing that can break (a request, Gmail, the classification service,
 * the API, the worker), the quickest that there is. `npm run verify` runs all files of both.
 */
export const QUICK_END_TO_END_TESTS = [
  'e2e/clean-a-mailbox.e2e.test.ts',
  'e2e/web/decisions.e2e.test.ts',
] as const;

export const QUICK_FAULT_CASES = [
  'e2e/faults/r10-bad-keys.faults.test.ts',
  'e2e/faults/r22-partial-actions.faults.test.ts',
] as const;
