import {
  type ActionBatch,
  ActionBatchSchema,
  ActionSourceSchema,
  type ListActionHistoryQuery,
  type Page,
  RecordedActionSchema,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { readMessageText, type TextCipher } from '@mailsweep/mailbox-sync';
import {
  type ActionBatchRow,
  type BatchSenderRow,
  findBatchRow,
  listBatchRows,
  listTopSenders,
} from './action-batch.repository.ts';

/** Senders that a batch names. */
const TOP_SENDERS = 3;

/** Shows batches with the senders of their emails, as far as those are cached. */
export const createListBatches = (dependencies: { database: Database; cipher: TextCipher }) => {
  const { database, cipher } = dependencies;

  const toSenders = (userId: string, rows: BatchSenderRow[]): ActionBatch['senders'] => ({
    count: rows[0]?.senders ?? 0,
    top: rows.map(({ emailId, encryptedText, emails }) => ({
      // Without the key of the text, the sender is shown once the message is read again.
      from: readMessageText(cipher, userId, emailId, encryptedText)?.from ?? '',
      emails,
    })),
  });

  const toBatches = async (userId: string, rows: ActionBatchRow[]): Promise<ActionBatch[]> => {
    const ids = rows.map(({ id }) => id);
    const senders = ids.length === 0 ? [] : await listTopSenders(database, userId, ids, TOP_SENDERS);
    const sendersOf = Map.groupBy(senders, ({ batchId }) => batchId);
    return rows.map((row) => ({
      id: row.id,
      startedAt: row.startedAt.toISOString(),
      source: ActionSourceSchema.parse(row.source),
      action: RecordedActionSchema.parse(row.action),
      total: row.total,
      undone: row.undone,
      undo: row.undoState === null ? null : toUndo(row),
      senders: toSenders(userId, sendersOf.get(row.id) ?? []),
    }));
  };

  return {
    /** A page of the user's batches, newest first. */
    async listActionBatches(userId: string, query: ListActionHistoryQuery): Promise<Page<ActionBatch>> {
      const { total, rows } = await listBatchRows(database, userId, query);
      const { page, perPage } = query;
      return { total, page, perPage, data: await toBatches(userId, rows) };
    },

    /** The user's batch with this id. */
    async findActionBatch(userId: string, id: string): Promise<ActionBatch | null> {
      const row = await findBatchRow(database, userId, id);
      if (row === null) return null;
      const [batch] = await toBatches(userId, [row]);
      return batch ?? null;
    },
  };
};

const toUndo = ({ undoState, undoFailed }: ActionBatchRow): ActionBatch['undo'] =>
  ActionBatchSchema.shape.undo.parse({ state: undoState, failed: undoFailed });
