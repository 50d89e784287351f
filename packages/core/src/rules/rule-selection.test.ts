import { expect, test } from 'vitest';
import { type RuleRow, toCleanupRequest } from './rule-row.repository.ts';

const [ONE, TWO] = ['01'.repeat(32), '02'.repeat(32)];
const RULE = { olderThan: 3, action: 'archive', label: null, classifications: [], minConfidence: null };
const toSender = (key: string, formerKey: string | null = null) => ({ key, formerKey, encryptedSender: '' });

test('while keys are rotated, a rule takes emails of its sender with either key', () => {
  const rule = { ...RULE, senders: [toSender(ONE, TWO)] } as unknown as RuleRow;
  expect(toCleanupRequest(rule)).toEqual({
    action: 'archive',
    selection: { type: 'senders', senders: [ONE, TWO], olderThan: 3, except: [] },
  });
});

test('a rule of several senders and classifications takes emails of any of them', () => {
  const several = {
    ...RULE,
    senders: [toSender(ONE), toSender(TWO)],
    classifications: ['bulk', 'digest'],
    minConfidence: 0.8,
  } as unknown as RuleRow;
  const { selection } = toCleanupRequest(several);
  expect(selection).toEqual({
    type: 'any',
    senders: [ONE, TWO],
    classifications: ['bulk', 'digest'],
    minConfidence: 0.8,
    olderThan: 3,
    except: [],
  });
});
