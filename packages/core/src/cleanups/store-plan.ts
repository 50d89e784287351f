import type { CreateCleanupRequest } from '@mailsweep/contracts';
import type { Transaction } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';
import { insertCleanup } from './cleanup.repository.ts';
import { insertCleanupEmails, measureCachedEmails } from './cleanup-email.repository.ts';
import { countPlannedActions, estimateQuotaUnits } from './cleanup-plan.ts';
import type { SelectedEmails } from './select-emails.ts';

/**
 * Stores the plan of a cleanup.
 *
 * @param ruleId - the rule that it is a run of
 * @param byWatch - whether the watch begins it, and not the user
 * @returns the id of the cleanup
 * @throws an error for which `isOwnerMissing` holds when the user was erased meanwhile
 */
export const storePlan = async (
  tx: Transaction,
  userId: string,
  {
    request,
    selected,
    ruleId,
    byWatch = false,
  }: { request: CreateCleanupRequest; selected: SelectedEmails; ruleId: string | null; byWatch?: boolean },
): Promise<string> => {
  const { isComplete, excluded, historyId, hasQuotaUnits } = selected;
  const isDecision =
    request.action === 'accept' || (ruleId === null && request.selection.type === 'suggestions');
  const emails = selected.emails.map((email) => ({
    ...email,
    id: uuidv7(),
    // Only they are decided about.
    suggestions: isDecision ? email.suggestions : undefined,
  }));
  const id = uuidv7();
  const measured = await measureCachedEmails(
    tx,
    userId,
    emails.map(({ emailId }) => emailId),
  );
  const plannedActions = countPlannedActions(request.action, emails);
  const plan = {
    id,
    batchId: uuidv7(),
    ruleId,
    byWatch,
    request,
    total: emails.length,
    ...measured,
    plannedActions,
    quotaUnits: hasQuotaUnits ? estimateQuotaUnits(emails.length) : 0,
  };
  await insertCleanup(tx, userId, { ...plan, isComplete, excluded, historyId });
  await insertCleanupEmails(tx, { id, userId }, emails);
  return id;
};
