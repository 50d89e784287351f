import type { ActionHistoryRecord, UndoResponse, UndoResult } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import {
  type ChangeStatus,
  isEmptyChange,
  MailboxError,
  type OpenMailbox,
  toReverseChange,
} from '@mailsweep/mail/mailbox';
import { toExecution } from '../acting/act-on-emails.ts';
import type { IdempotentRequest } from '../concurrency/idempotency.repository.ts';
import { MailboxBusyError } from '../concurrency/mailbox-lock.repository.ts';
import { findActionHistory } from '../history/action-history.repository.ts';
import type { IntendedUndo } from '../intents/intended-changes.ts';
import type { IntentExecutor, LeasedMailbox } from '../intents/intent-executor.ts';

/**
 * Takes actions back: exactly the label change that each really made. What has changed since is left alone.
 * Several actions on one email are taken back from the newest to the oldest.
 *
 * @param ids - history records; the results have the same order
 * @throws {MailboxBusyError} when other changes of the mailbox take too long; nothing has been done then
 * @throws when the undo could not be written down; nothing has been done then
 */
export const createUndoActions =
  (dependencies: { database: Database; openMailbox: OpenMailbox; intentExecutor: IntentExecutor }) =>
  async (userId: string, ids: string[], idempotency?: IdempotentRequest): Promise<UndoResponse> => {
    const recordIds = [...new Set(ids)];
    const results = await dependencies.intentExecutor.withMailboxLease(userId, undoLeased);
    return { success: true, ...toExecution(results), results };

    async function undoLeased(leased: LeasedMailbox): Promise<UndoResult[]> {
      const selected = new Set(recordIds);
      const known = await findActionHistory(dependencies.database, userId, recordIds);
      const emailIds = new Set(known.map(({ emailId }) => emailId));
      const unknown = await leased.recoverEarlier(
        ({ recordId, emailId }) => selected.has(recordId) || emailIds.has(emailId),
      );
      const unknownOf = new Map(unknown.map((change) => [change.emailId, change]));
      const results = new Map<string, UndoResult>(
        unknown.map(({ recordId: id, emailId, reason }) => [id, { id, emailId, status: 'error', reason }]),
      );
      const open: ActionHistoryRecord[] = [];
      for (const record of await findActionHistory(dependencies.database, userId, recordIds)) {
        const change = unknownOf.get(record.emailId);
        if (record.undoneAt !== null) results.set(record.id, toUndone(record, record.undoneAt));
        else if (change) results.set(record.id, toFailure(record, change.reason));
        else open.push(record);
      }
      for (const [index, round] of toRounds(open).entries()) {
        const undone = await undoRound(leased, round).catch((error: unknown) => {
          // The lease is lost, and nothing more is undone; what was is told all the same.
          if (index === 0 || !(error instanceof MailboxBusyError)) throw error;
          return round.map((record) => toFailure(record, 'in_progress'));
        });
        for (const result of undone) results.set(result.id, result);
      }
      return recordIds.map((id) => results.get(id) ?? { id, status: 'error', reason: 'not_found' });
    }

    /** What is undone already; by an earlier attempt of this very request, where its key says so. */
    function toUndone(record: ActionHistoryRecord, undoneAt: string): UndoResult {
      return idempotency?.done.has(record.id)
        ? toSuccess(record, undoneAt)
        : toFailure(record, 'already_undone');
    }

    /** Undoes records, at most one for each email. */
    async function undoRound(leased: LeasedMailbox, round: ActionHistoryRecord[]): Promise<UndoResult[]> {
      const changed = round.filter((record) => !isEmptyChange(record.details.labelChange));
      const checked = await checkChanges(changed);
      const statuses = checked instanceof MailboxError ? [] : checked.statuses;
      const statusOf = new Map(statuses.map((status) => [status.id, status]));
      const refused = new Map(
        changed.flatMap((record) => {
          const reason =
            checked instanceof MailboxError ? checked.code : whyNotUndoable(statusOf.get(record.emailId));
          return reason === null ? [] : [[record.id, toFailure(record, reason)] as const];
        }),
      );
      const carriedOut = round.filter((record) => !refused.has(record.id));
      const items = carriedOut.map(
        (record): IntendedUndo => ({
          recordId: record.id,
          emailId: record.emailId,
          labelChange: toReverseChange(record.details.labelChange),
          ...toLabelsBefore(statusOf.get(record.emailId)),
        }),
      );
      const changes = {
        kind: 'undo' as const,
        mailboxHistoryId: checked instanceof MailboxError ? undefined : checked.historyId,
        items,
      };
      const { requestedAt, outcomes } = await leased.carryOut(changes, idempotency?.key);
      const undone = carriedOut.map((record, index): UndoResult => {
        const outcome = outcomes[index];
        return outcome?.status === 'ok'
          ? toSuccess(record, requestedAt.toISOString())
          : toFailure(record, outcome?.error.code ?? 'failed');
      });
      return [...refused.values(), ...undone];
    }

    async function checkChanges(changed: ActionHistoryRecord[]): Promise<CheckedChanges | MailboxError> {
      if (changed.length === 0) return { historyId: undefined, statuses: [] };
      try {
        return await dependencies.openMailbox(userId).checkChanges(
          changed.map(({ emailId, details }) => ({
            id: emailId,
            change: details.labelChange,
            historyId: details.mailboxHistoryId,
          })),
        );
      } catch (error) {
        if (error instanceof MailboxError) return error;
        throw error;
      }
    }
  };

/** Splits records, newest first, so that each email is at most once in a round. */
const toRounds = (records: ActionHistoryRecord[]): ActionHistoryRecord[][] => {
  const rounds: ActionHistoryRecord[][] = [];
  const depth = new Map<string, number>();
  for (const record of records) {
    const index = depth.get(record.emailId) ?? 0;
    depth.set(record.emailId, index + 1);
    rounds[index] = [...(rounds[index] ?? []), record];
  }
  return rounds;
};

type UndoFailure = Extract<UndoResult, { status: 'error' }>;

interface CheckedChanges {
  historyId: string | undefined;
  statuses: ChangeStatus[];
}

const whyNotUndoable = (status: ChangeStatus | undefined): UndoFailure['reason'] | null => {
  if (status === undefined) return 'failed';
  if ('error' in status) return status.error.code;
  return status.isReversible ? null : 'changed_since';
};

const toLabelsBefore = (status: ChangeStatus | undefined): { labelsBefore?: string[]; isAhead?: boolean } => {
  if (status === undefined || 'error' in status || status.labels === undefined) return {};
  return { labelsBefore: status.labels, ...(status.isAhead ? { isAhead: true } : {}) };
};

const toSuccess = ({ id, emailId, details }: ActionHistoryRecord, undoneAt: string): UndoResult => ({
  id,
  emailId,
  status: 'ok',
  undoneAt,
  ...(details.gmailResponse.status === 'unchanged' && { unchanged: true }),
});

const toFailure = (record: ActionHistoryRecord, reason: UndoFailure['reason']): UndoFailure => ({
  id: record.id,
  emailId: record.emailId,
  status: 'error',
  reason,
});
