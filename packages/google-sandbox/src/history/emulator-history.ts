import type { Emulator } from '../mailbox/emulator.ts';
import { type EmulatorRecord, HistorySchema, parseResponse } from '../protocol/gmail-responses.ts';

const PAGE_SIZE = '500';
/** Higher than any history id: asks for the present one alone. */
const END_OF_HISTORY = '9'.repeat(30);

/** Reads the emulator's own history. */
export const createEmulatorHistory = (emulator: Emulator) => {
  const readPage = async (email: string, startHistoryId: string, pageToken: string) => {
    const query = new URLSearchParams({ startHistoryId, maxResults: PAGE_SIZE, pageToken });
    const response = await emulator.call({ method: 'GET', path: '/gmail/v1/users/me/history', query, email });
    return parseResponse(HistorySchema, response);
  };

  return {
    readHistoryId: async (email: string): Promise<string> =>
      (await readPage(email, END_OF_HISTORY, '0')).historyId,
    /** All records after an id, oldest first. */
    async readAfter(email: string, startHistoryId: string): Promise<EmulatorRecord[]> {
      const records: EmulatorRecord[] = [];
      let pageToken: string | undefined = '0';
      while (pageToken !== undefined) {
        const page = await readPage(email, startHistoryId, pageToken);
        records.push(...page.history);
        pageToken = page.nextPageToken;
      }
      return records;
    },
  };
};
