/**
 * What `npm test` runs of the two long suites; it leaves out `*.property.int.test.ts`, too. The rule: one path through
 * the product and one through the browser; of the fault campaign, one file for each of configuration, Gmail, an action
 * cut short and the database, the quickest that there is. `npm run verify` runs all files of both suites.
 */
export const QUICK_END_TO_END_TESTS = [
  'e2e/clean-a-mailbox.e2e.test.ts',
  'e2e/web/decisions.e2e.test.ts',
] as const;

export const QUICK_FAULT_CASES = [
  'e2e/faults/r10-bad-keys.faults.test.ts',
  'e2e/faults/r21-gmail-faults.faults.test.ts',
  'e2e/faults/r22-partial-actions.faults.test.ts',
  'e2e/faults/r25-database-outage.faults.test.ts',
] as const;
