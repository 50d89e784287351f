import type {
  ActionHistoryRecord,
  ActionSource,
  FailureReason,
  ItemResult,
  LabelChange,
  RecordedAction,
  Suggestion,
} from '@mailsweep/contracts';
import { isEmptyChange, type LabelsBaseline, MailboxError } from '@mailsweep/mailbox-sync';
import { v7 as uuidv7 } from 'uuid';
import type { OpenMailbox } from '../dependencies.ts';
import type { LeasedMailbox } from '../intents/plan-executor.ts';
import { type PlannedAction, toHistoryRecord } from './action-plan.ts';

/** The label change that is requested for one email. */
export interface EmailRequest {
  emailId: string;
  labelChange: LabelChange;
  /** `skipped`: nothing is asked of the mailbox. */
  status: 'ok' | 'skipped';
  note: string;
  suggestions?: Suggestion[];
  /** The same confirmation was given before: it only counts if the mailbox is changed now. */
  isRepeated?: boolean;
  /** Why the email can't be acted upon; known before anything is asked of the mailbox. */
  refusal?: FailureReason;
}

/**
 * Acts on emails: reads the state of the mailbox, plans the change of each email, and carries the plan out.
 *
 * @param leased - the mailbox, which no other request may change meanwhile
 * @returns one result for each request, in order, and the history records of those that succeeded
 */
export const actOnEmails = async (
  openMailbox: OpenMailbox,
  leased: LeasedMailbox,
  userId: string,
  request: {
    source: ActionSource;
    action: RecordedAction;
    requests: EmailRequest[];
    /** The batch that the records join; a new one when left out. */
    batchId?: string | undefined;
    idempotencyKey?: string | undefined;
  },
): Promise<{ results: ItemResult[]; records: ActionHistoryRecord[] }> => {
  const { source, action, requests, batchId = uuidv7() } = request;
  const results = new Map<string, ItemResult>();
  const refuse = (emailId: string, reason: FailureReason) =>
    results.set(emailId, { emailId, status: 'error', reason });

  const changing = requests.filter(({ labelChange, refusal }) => !refusal && !isEmptyChange(labelChange));
  const ids = new Set(changing.map(({ emailId }) => emailId));
  const unknown = await leased.recoverEarlier(({ emailId }) => ids.has(emailId));
  const unknownFaults = new Map(unknown.map(({ emailId, reason }) => [emailId, reason]));
  const baseline = await readBaseline([...ids].filter((id) => !unknownFaults.has(id)));
  const faultOf = ({ emailId, labelChange, refusal }: EmailRequest): FailureReason | undefined => {
    if (refusal || isEmptyChange(labelChange)) return refusal;
    return unknownFaults.get(emailId) ?? (baseline instanceof MailboxError ? baseline.code : undefined);
  };
  const items: PlannedAction[] = [];
  for (const emailRequest of requests) {
    const { emailId, labelChange, status, note, suggestions, isRepeated } = emailRequest;
    const known = baseline instanceof MailboxError ? undefined : baseline;
    const labelsBefore = known?.labels.get(emailId);
    // A draft or a chat, known by an id that no list shows.
    const mailboxError = faultOf(emailRequest) ?? (known?.noMail.has(emailId) ? 'not_found' : undefined);
    if (mailboxError) {
      refuse(emailId, mailboxError);
      continue;
    }
    items.push({
      recordId: uuidv7(),
      emailId,
      labelChange,
      ...(labelsBefore ? { labelsBefore } : {}),
      ...(known?.ahead.has(emailId) ? { isAhead: true } : {}),
      status,
      note,
      ...(suggestions ? { suggestions } : {}),
      ...(isRepeated ? { isRepeated } : {}),
    });
  }

  const mailboxHistoryId = baseline instanceof MailboxError ? undefined : baseline?.historyId;
  const plan = { kind: 'act' as const, source, action, batchId, mailboxHistoryId, items };
  const { requestedAt, outcomes } = await leased.carryOut(plan, request.idempotencyKey);

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

  /** A mailbox that can't be read fails only the emails that need it: the error is returned, not thrown. */
  async function readBaseline(ids: string[]): Promise<LabelsBaseline | MailboxError | undefined> {
    if (ids.length === 0) return undefined;
    try {
      return await openMailbox(userId).readBaseline(ids);
    } catch (error) {
      if (error instanceof MailboxError) return error;
      throw error;
    }
  }
};
