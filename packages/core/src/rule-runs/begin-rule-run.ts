import type { Database, Transaction } from '@mailsweep/database';
import { changeCleanupState } from '../cleanups/cleanup.repository.ts';
import { storePlan } from '../cleanups/plan-cleanup.ts';
import type { SelectedEmails } from '../cleanups/select-emails.ts';
import { RefusedError } from '../refused-error.ts';
import type { RuleRow } from '../rules/rule-row.repository.ts';
import { cancelPausedRuns, isRuleRunning, noteRuleRun } from '../rules/rule-run.repository.ts';
import { toCleanupRequest } from '../rules/rule-selection.ts';

/** @throws {RefusedError} while a run of the rule is in flight */
export const requireNoRun = async (database: Database | Transaction, ruleId: string): Promise<void> => {
  if (await isRuleRunning(database, ruleId)) {
    throw new RefusedError(
      'wrong_state',
      'a run of this rule is in flight: wait for it, or cancel its cleanup',
    );
  }
};

/**
 * Begins a run of a rule: its plan is stored, and due to be executed.
 *
 * @returns the id of the cleanup
 */
export const beginRuleRun = async (
  tx: Transaction,
  rule: RuleRow,
  { selected, now, byWatch }: { selected: SelectedEmails; now: Date; byWatch: boolean },
): Promise<string> => {
  const request = toCleanupRequest(rule);
  await cancelPausedRuns(tx, rule.id);
  const id = await storePlan(tx, rule.userId, { request, selected, ruleId: rule.id, byWatch });
  await changeCleanupState(tx, rule.userId, id, { from: ['planned'], to: 'queued' });
  await noteRuleRun(tx, id, now);
  return id;
};
