import type { ListStoppedSuggestionsResponse, Pagination, StoppedSuggestion } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { readMessageText, type TextCipher } from '@mailsweep/message-cache';
import {
  allowStopped,
  listRowsStoppedBy,
  listStoppedRows,
  type StoppedSuggestionRow,
} from './stopped-suggestion.repository.ts';

const toStopped = (
  cipher: TextCipher,
  userId: string,
  { id, senderKey, action, stoppedAt, emailId, encryptedText }: StoppedSuggestionRow,
): StoppedSuggestion => {
  const text =
    emailId === null || encryptedText === null
      ? undefined
      : readMessageText(cipher, userId, emailId, encryptedText);
  return {
    id,
    sender: Buffer.from(senderKey).toString('hex'),
    from: text?.from ?? '',
    action,
    stoppedAt: stoppedAt.toISOString(),
  };
};

/** What is no longer suggested since these rejections were recorded. */
export const listStoppedBy = async (
  { database, cipher }: { database: Database; cipher: TextCipher },
  userId: string,
  recordIds: readonly string[],
): Promise<StoppedSuggestion[]> => {
  const rows = await listRowsStoppedBy(database, userId, recordIds);
  return rows.map((row) => toStopped(cipher, userId, row));
};

/** What the user rejected so often that it is no longer suggested (docs/decisions/047). */
export const createStoppedSuggestions = ({
  database,
  cipher,
  nowMs = Date.now,
}: {
  database: Database;
  cipher: TextCipher;
  nowMs?: () => number;
}) => {
  return {
    async listStoppedSuggestions(
      userId: string,
      pagination: Pagination,
    ): Promise<ListStoppedSuggestionsResponse> {
      const { total, rows } = await listStoppedRows(database, userId, pagination);
      return { total, ...pagination, data: rows.map((row) => toStopped(cipher, userId, row)) };
    },

    /** @returns whether the action was stopped */
    allowSuggestion: (userId: string, id: string): Promise<boolean> =>
      allowStopped(database, userId, id, new Date(nowMs())),
  };
};
