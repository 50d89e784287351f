import {
  type ActionHistoryRecord,
  type ActionSource,
  type Execution,
  type ExecutionSummary,
  type FailureReason,
  type ItemResult,
  type LabelChange,
  type RecordedAction,
  type StoredSuggestion,
  toOtherLabelName,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { isEmptyChange, type LabelsBaseline, MailboxError, type OpenMailbox } from '@mailsweep/mail/mailbox';
import { v7 as uuidv7 } from 'uuid';
import type { IdempotentRequest } from '../concurrency/idempotency.repository.ts';
import { findActionHistory, findBatchOfRecords } from '../history/action-history.repository.ts';
import { type IntendedAction, toHistoryRecord } from '../intents/intended-changes.ts';
import type { LeasedMailbox } from '../intents/intent-executor.ts';

export interface EmailRequest {
  emailId: string;
  labelChange: LabelChange;
  /** `skipped`: nothing is asked of the mailbox. */
  status: 'ok' | 'skipped';
  note: string;
  label?: string | undefined;
  suggestions?: StoredSuggestion[];
  /** Who sent the email, where that is known: 64 hexadecimal digits. */
  senderId?: string | undefined;
  /** The same confirmation was given before: it only counts if the mailbox is changed now. */
  isRepeated?: boolean;
  recordId?: string;
  /** Why the email can't be acted upon; known before anything is asked of the mailbox. */
  refusal?: FailureReason;
}

/**
 * Acts on emails: reads the state of the mailbox, decides on the change of each email, and makes the changes.
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
    ruleId?: string | undefined;
    idempotencyKey?: string | undefined;
  },
): Promise<{ results: ItemResult[]; records: ActionHistoryRecord[] }> => {
  const { source, action, requests, batchId = uuidv7(), ruleId } = request;
  const results = new Map<string, ItemResult>();
  const refuse = (emailId: string, reason: FailureReason, label: string | undefined) =>
    results.set(emailId, {
      emailId,
      status: 'error',
      reason,
      ...(reason === 'label_refused' &&
        label && { refusedLabel: { name: label, alternative: toOtherLabelName(label) } }),
    });

  const changing = requests.filter(({ labelChange, refusal }) => !refusal && !isEmptyChange(labelChange));
  const ids = new Set(changing.map(({ emailId }) => emailId));
  const unknown = await leased.recoverEarlier(({ emailId }) => ids.has(emailId));
  const unknownFaults = new Map(unknown.map(({ emailId, reason }) => [emailId, reason]));
  const baseline = await readBaseline([...ids].filter((id) => !unknownFaults.has(id)));
  const errorOf = ({ emailId, labelChange, refusal }: EmailRequest): FailureReason | undefined => {
    if (refusal || isEmptyChange(labelChange)) return refusal;
    return unknownFaults.get(emailId) ?? (baseline instanceof MailboxError ? baseline.code : undefined);
  };
  const items: IntendedAction[] = [];
  for (const emailRequest of requests) {
    const { emailId, labelChange, status, note, label, suggestions, senderId, isRepeated, recordId } =
      emailRequest;
    const known = baseline instanceof MailboxError ? undefined : baseline;
    const labelsBefore = known?.labels.get(emailId);
    // A draft or a chat, known by an id that no list shows.
    const mailboxError = errorOf(emailRequest) ?? (known?.noMail.has(emailId) ? 'not_found' : undefined);
    if (mailboxError) {
      refuse(emailId, mailboxError, label);
      continue;
    }
    items.push({
      recordId: recordId ?? uuidv7(),
      emailId,
      labelChange,
      ...(labelsBefore ? { labelsBefore } : {}),
      ...(known?.ahead.has(emailId) ? { isAhead: true } : {}),
      status,
      note,
      ...(label === undefined ? {} : { label }),
      ...(suggestions ? { suggestions } : {}),
      ...(senderId ? { senderId } : {}),
      ...(isRepeated ? { isRepeated } : {}),
    });
  }

  const mailboxHistoryId = baseline instanceof MailboxError ? undefined : baseline?.historyId;
  const changes = { kind: 'act' as const, source, action, batchId, ruleId, mailboxHistoryId, items };
  const { requestedAt, outcomes } = await leased.carryOut(changes, request.idempotencyKey);

  const records: ActionHistoryRecord[] = [];
  for (const [index, item] of items.entries()) {
    const outcome = outcomes[index];
    const { emailId } = item;
    if (outcome?.status === 'ok') {
      const { change, historyId } = outcome;
      // Done, but what it took is found out later; its record follows then.
      const record = change && toHistoryRecord(userId, changes, item, { change, historyId }, requestedAt);
      if (record) records.push(record);
      results.set(emailId, toSuccess(emailId, item.recordId, record));
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

const toSuccess = (
  emailId: string,
  recordId: string,
  record: ActionHistoryRecord | undefined,
): ItemResult => ({
  emailId,
  status: 'ok',
  recordId,
  ...(record?.details.gmailResponse.status === 'unchanged' ? { unchanged: true } : {}),
});

/**
 * Acts on the emails of a request that an earlier attempt with the same key has not acted on.
 *
 * @param act - returns one result for each email it is given; its records join the batch of the earlier attempt, if there
 *   is one. Not called when no email is left
 * @returns one result for each email, in the order given
 */
export const resumeActing = async (
  request: {
    database: Database;
    userId: string;
    emailIds: string[];
    idempotency: IdempotentRequest | undefined;
  },
  act: (emailIds: string[], batchId: string | undefined) => Promise<ItemResult[]>,
): Promise<ItemResult[]> => {
  const { database, userId, emailIds, idempotency } = request;
  const results = new Map<string, ItemResult>();
  const earlierIds = [...(idempotency?.done.values() ?? [])];
  const earlier = earlierIds.length === 0 ? [] : await findActionHistory(database, userId, earlierIds);
  const recordOf = new Map(earlier.map((record) => [record.id, record]));
  for (const emailId of emailIds) {
    const recordId = idempotency?.done.get(emailId);
    if (recordId !== undefined) results.set(emailId, toSuccess(emailId, recordId, recordOf.get(recordId)));
  }
  const openIds = emailIds.filter((emailId) => !results.has(emailId));
  if (openIds.length > 0) {
    const batchId =
      earlierIds.length === 0 ? undefined : await findBatchOfRecords(database, userId, earlierIds);
    for (const result of await act(openIds, batchId)) results.set(result.emailId, result);
  }
  return emailIds.flatMap((emailId) => results.get(emailId) ?? []);
};

/** How much of a request was carried out, counted from the results of its items. */
export const toExecution = (
  results: readonly { status: 'ok' | 'error' }[],
): { execution: Execution; summary: ExecutionSummary } => {
  const processed = results.filter((result) => result.status === 'ok').length;
  const total = results.length;
  const execution = processed === total ? 'full' : processed === 0 ? 'none' : 'partial';
  return { execution, summary: { total, processed, failed: total - processed } };
};
