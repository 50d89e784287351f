import type { ListStoppedSuggestionsResponse, Pagination } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { readMessageText, type TextCipher } from '@mailsweep/mailbox-sync';
import { allowStopped, listStoppedRows, type StoppedSuggestionRow } from './stopped-suggestion.repository.ts';

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
  const readSender = (userId: string, { emailId, encryptedText }: StoppedSuggestionRow): string => {
    if (emailId === null || encryptedText === null) return '';
    return readMessageText(cipher, userId, emailId, encryptedText)?.from ?? '';
  };

  return {
    async listStoppedSuggestions(
      userId: string,
      pagination: Pagination,
    ): Promise<ListStoppedSuggestionsResponse> {
      const { total, rows } = await listStoppedRows(database, userId, pagination);
      const data = rows.map((row) => ({
        id: row.id,
        sender: Buffer.from(row.senderKey).toString('hex'),
        from: readSender(userId, row),
        action: row.action,
        stoppedAt: row.stoppedAt.toISOString(),
      }));
      return { total, ...pagination, data };
    },

    /** @returns whether the action was stopped */
    allowSuggestion: (userId: string, id: string): Promise<boolean> =>
      allowStopped(database, userId, id, new Date(nowMs())),
  };
};
