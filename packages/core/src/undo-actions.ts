import type { ActionHistoryRecord, UndoResponse, UndoResult } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { type ChangeStanding, isEmptyChange, MailboxError } from '@mailsweep/mailbox';
import { findActionHistory } from './action-history.repository.ts';
import type { PlannedUndo } from './action-plan.ts';
import type { OpenMailbox } from './dependencies.ts';
import { toExecution } from './execution.ts';
import { toReverseChange } from './label-change.ts';
import type { PlanExecutor } from './plan-executor.ts';

/**
 * Takes actions back: exactly the label change that each really made. What has changed since is left alone.
 * Several actions on one email are taken back from the newest to the oldest.
 *
 * @param ids - history records; results stand in their order
 * @throws when the undo could not be written down; nothing has been done then
 */
export const createUndoActions =
  (dependencies: { database: Database; openMailbox: OpenMailbox; planExecutor: PlanExecutor }) =>
  async (userId: string, ids: string[]): Promise<UndoResponse> => {
    const wanted = [...new Set(ids)];
    const records = await findActionHistory(dependencies.database, userId, wanted);
    const results = new Map<string, UndoResult>();

    const open = records.filter((record) => record.undoneAt === null);
    for (const record of records) {
      if (record.undoneAt !== null) results.set(record.id, toFailure(record, 'already_undone'));
    }
    for (const round of toRounds(open)) {
      for (const result of await undoRound(round)) results.set(result.id, result);
    }
    const inOrder = wanted.map(
      (id): UndoResult => results.get(id) ?? { id, status: 'error', reason: 'not_found' },
    );
    return { success: true, ...toExecution(inOrder), results: inOrder };

    /** Undoes records of which no two speak of the same email. */
    async function undoRound(round: ActionHistoryRecord[]): Promise<UndoResult[]> {
      const changed = round.filter((record) => !isEmptyChange(record.details.labelChange));
      const checked = await checkChanges(changed);
      const standings = checked instanceof MailboxError ? [] : checked.standings;
      const standingOf = new Map(standings.map((standing) => [standing.id, standing]));
      const refused = new Map(
        changed.flatMap((record) => {
          const reason =
            checked instanceof MailboxError ? checked.code : whyNotUndoable(standingOf.get(record.emailId));
          return reason === null ? [] : [[record.id, toFailure(record, reason)] as const];
        }),
      );
      const items: PlannedUndo[] = round
        .filter((record) => !refused.has(record.id))
        .map((record) => ({
          recordId: record.id,
          emailId: record.emailId,
          labelChange: toReverseChange(record.details.labelChange),
          ...toLabelsBefore(standingOf.get(record.emailId)),
        }));
      const { requestedAt, outcomes } = await dependencies.planExecutor.carryOut(userId, {
        kind: 'undo',
        mailboxHistoryId: checked instanceof MailboxError ? undefined : checked.historyId,
        items,
      });
      const undone = items.map(({ recordId: id, emailId }, index): UndoResult => {
        const outcome = outcomes[index];
        return outcome?.status === 'ok'
          ? { id, emailId, status: 'ok', undoneAt: requestedAt.toISOString() }
          : { id, emailId, status: 'error', reason: outcome?.error.code ?? 'failed' };
      });
      return [...refused.values(), ...undone];
    }

    async function checkChanges(changed: ActionHistoryRecord[]): Promise<CheckedChanges | MailboxError> {
      if (changed.length === 0) return { historyId: undefined, standings: [] };
      try {
        return await dependencies.openMailbox(userId).checkChanges(
          changed.map(({ emailId, details }) => ({
            id: emailId,
            ...details.labelChange,
            historyId: details.mailboxHistoryId,
          })),
        );
      } catch (error) {
        if (error instanceof MailboxError) return error;
        throw error;
      }
    }
  };

/** Splits records, newest first, so that each email stands at most once in a round. */
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
  standings: ChangeStanding[];
}

const whyNotUndoable = (standing: ChangeStanding | undefined): UndoFailure['reason'] | null => {
  if (standing === undefined) return 'failed';
  if ('error' in standing) return standing.error.code;
  return standing.isInEffect ? null : 'changed_since';
};

const toLabelsBefore = (standing: ChangeStanding | undefined): { labelsBefore?: string[] } =>
  standing && 'labels' in standing && standing.labels ? { labelsBefore: standing.labels } : {};

const toFailure = (record: ActionHistoryRecord, reason: UndoFailure['reason']): UndoFailure => ({
  id: record.id,
  emailId: record.emailId,
  status: 'error',
  reason,
});
