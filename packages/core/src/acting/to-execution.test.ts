import { expect, test } from 'vitest';
import { toExecution } from './act-on-emails.ts';

test.each([
  [['ok', 'ok'], 'full', { total: 2, processed: 2, failed: 0 }],
  [['ok', 'error', 'ok'], 'partial', { total: 3, processed: 2, failed: 1 }],
  [['error'], 'none', { total: 1, processed: 0, failed: 1 }],
  [[], 'full', { total: 0, processed: 0, failed: 0 }],
] as const)('results %j make an execution %s', (statuses, execution, summary) => {
  expect(toExecution(statuses.map((status) => ({ status })))).toEqual({ execution, summary });
});
