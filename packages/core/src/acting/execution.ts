import type { Execution, ExecutionSummary } from '@mailsweep/contracts';

/** How much of a request was carried out, counted from the results of its items. */
export const toExecution = (
  results: readonly { status: 'ok' | 'error' }[],
): { execution: Execution; summary: ExecutionSummary } => {
  const processed = results.filter((result) => result.status === 'ok').length;
  const total = results.length;
  const execution = processed === total ? 'full' : processed === 0 ? 'none' : 'partial';
  return { execution, summary: { total, processed, failed: total - processed } };
};
