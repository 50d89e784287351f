import type {
  ActionHistoryRecord,
  ActionSource,
  ItemResult,
  LabelChange,
  RecordedAction,
  Suggestion,
} from '@mailsweep/contracts';
import { isEmptyChange, type LabelsBaseline, MailboxError } from '@mailsweep/mailbox';
import { v7 as uuidv7 } from 'uuid';
import { type PlannedAction, toHistoryRecord } from './action-plan.ts';
import type { OpenMailbox } from './dependencies.ts';
import type { PlanExecutor } from './plan-executor.ts';

/** What is wanted of one email. */
export interface EmailRequest {
  emailId: string;
  wanted: LabelChange;
  /** `skipped`: nothing is asked of the mailbox. */
  status: 'ok' | 'skipped';
  note: string;
  suggestions?: Suggestion[];
  /** Why the email can't be acted upon; known before anything is asked of the mailbox. */
  refusal?: MailboxError;
}

/**
 * Acts on emails: sees where the mailbox stands, plans what is wanted of each email, carries the plan out.
 *
 * @returns one result for each request, in order, and the history records of those that succeeded
 */
export const actOnEmails = async (
  dependencies: { openMailbox: OpenMailbox; planExecutor: PlanExecutor },
  userId: string,
  request: { source: ActionSource; action: RecordedAction; requests: EmailRequest[] },
): Promise<{ results: ItemResult[]; records: ActionHistoryRecord[] }> => {
  const { source, action, requests } = request;
  const results = new Map<string, ItemResult>();
  const refuse = (emailId: string, { code: reason }: MailboxError) =>
    results.set(emailId, { emailId, status: 'error', reason });

  const changing = requests.filter(({ wanted, refusal }) => !refusal && !isEmptyChange(wanted));
  const baseline = await readBaseline(changing.map(({ emailId }) => emailId));
  const items: PlannedAction[] = [];
  for (const { emailId, wanted, status, note, suggestions, refusal } of requests) {
    const fault = refusal ?? (baseline instanceof MailboxError && !isEmptyChange(wanted) ? baseline : null);
    if (fault) {
      refuse(emailId, fault);
      continue;
    }
    const labelsBefore = baseline instanceof MailboxError ? undefined : baseline?.labels.get(emailId);
    items.push({
      recordId: uuidv7(),
      emailId,
      labelChange: wanted,
      ...(labelsBefore ? { labelsBefore } : {}),
      status,
      note,
      ...(suggestions ? { suggestions } : {}),
    });
  }

  const mailboxHistoryId = baseline instanceof MailboxError ? undefined : baseline?.historyId;
  const plan = { kind: 'act' as const, source, action, mailboxHistoryId, items };
  const { requestedAt, outcomes } = await dependencies.planExecutor.carryOut(userId, plan);

  const records: ActionHistoryRecord[] = [];
  for (const [index, item] of items.entries()) {
    const outcome = outcomes[index];
    const { emailId } = item;
    if (outcome?.status === 'ok') {
      const { change, historyId } = outcome;
      // Done, but what it took is found out later; its record follows then.
      if (change) records.push(toHistoryRecord(userId, plan, item, { change, historyId }, requestedAt));
      results.set(emailId, { emailId, status: 'ok', recordId: item.recordId });
    } else {
      results.set(emailId, { emailId, status: 'error', reason: outcome?.error.code ?? 'failed' });
    }
  }
  return { results: requests.flatMap(({ emailId }) => results.get(emailId) ?? []), records };

  /** A mailbox that can't be read fails the emails that need it, and no others: the fault is answered, not thrown. */
  async function readBaseline(ids: string[]): Promise<LabelsBaseline | MailboxError | undefined> {
    if (ids.length === 0) return undefined;
    try {
      return await dependencies.openMailbox(userId).readBaseline(ids);
    } catch (error) {
      if (error instanceof MailboxError) return error;
      throw error;
    }
  }
};
