import { expect, test } from 'vitest';
import type { RuleRow } from './rule-row.ts';
import { toCleanupRequest } from './rule-selection.ts';

const toKey = (byte: number) => new Uint8Array(32).fill(byte);
const RULE = { olderThan: 3, action: 'archive', label: null, classification: null, minConfidence: null };

test('while keys are rotated, a rule takes emails of its sender with either key', () => {
  const rule = { ...RULE, senderKey: toKey(1), formerKey: toKey(2) } as RuleRow;
  expect(toCleanupRequest(rule)).toEqual({
    action: 'archive',
    selection: { type: 'senders', senders: ['01'.repeat(32), '02'.repeat(32)], olderThan: 3, except: [] },
  });
});
