import type {
  ActionHistoryRecord,
  ActionSource,
  ItemResult,
  LabelChange,
  RecordedAction,
  Suggestion,
} from '@mailsweep/contracts';
import type { LabelsReading, MailboxError } from '@mailsweep/mailbox';
import { v7 as uuidv7 } from 'uuid';
import { type PlannedAction, toHistoryRecord } from './action-plan.ts';
import type { OpenMailbox } from './dependencies.ts';
import { isEmptyChange, toRealChange } from './label-change.ts';
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
 * Acts on emails: reads the labels of each that is to change, plans the exact change, carries the plan out.
 *
 * @returns one result for each request, in order, and the history records of those that succeeded
 */
export const actOnEmails = async (
  dependencies: { openMailbox: OpenMailbox; planExecutor: PlanExecutor },
  userId: string,
  request: { source: ActionSource; action: RecordedAction; requests: EmailRequest[] },
): Promise<{ results: ItemResult[]; records: ActionHistoryRecord[] }> => {
  const { source, action, requests } = request;
  const labelsOf = await readLabels(requests.filter(({ wanted }) => !isEmptyChange(wanted)));
  const results = new Map<string, ItemResult>();
  const items: PlannedAction[] = [];
  for (const { emailId, wanted, status, note, suggestions, refusal } of requests) {
    const reading = refusal ? { error: refusal } : (labelsOf.get(emailId) ?? { labels: [] });
    if ('error' in reading) {
      results.set(emailId, { emailId, status: 'error', reason: reading.error.code });
    } else {
      const labelChange = toRealChange(reading.labels, wanted);
      items.push({
        recordId: uuidv7(),
        emailId,
        labelChange,
        status,
        note,
        ...(suggestions ? { suggestions } : {}),
      });
    }
  }

  const plan = { kind: 'act' as const, source, action, items };
  const { requestedAt, outcomes } = await dependencies.planExecutor.carryOut(userId, plan);

  const records: ActionHistoryRecord[] = [];
  for (const [index, item] of items.entries()) {
    const outcome = outcomes[index];
    const { emailId } = item;
    if (outcome?.status === 'ok') {
      records.push(toHistoryRecord(userId, plan, item, requestedAt));
      results.set(emailId, { emailId, status: 'ok', recordId: item.recordId });
    } else {
      results.set(emailId, { emailId, status: 'error', reason: outcome?.error.code ?? 'failed' });
    }
  }
  return { results: requests.flatMap(({ emailId }) => results.get(emailId) ?? []), records };

  async function readLabels(changing: EmailRequest[]): Promise<Map<string, LabelsReading>> {
    if (changing.length === 0) return new Map();
    const readings = await dependencies
      .openMailbox(userId)
      .readLabels(changing.map(({ emailId }) => emailId));
    return new Map(readings.map((reading) => [reading.id, reading]));
  }
};
