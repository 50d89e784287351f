import { type InboxAction, MAX_PER_PAGE } from '@mailsweep/contracts';
import type { ApiClient } from '../api/api-client.ts';

/** Pages looked through beyond those that the mails alone would fill, as other actions may stand between them. */
const SPARE_PAGES = 5;

/**
 * Finds the history records of an inbox action that has just been carried out, newest first: the answer of the
 * action itself names none.
 *
 * @param input.emailIds - the mails it was carried out on
 * @returns ids of records that can still be undone, at most one for each mail
 * @throws as the client does
 */
export const findHistoryRecords = async (input: {
  client: Pick<ApiClient, 'listActionHistory'>;
  emailIds: readonly string[];
  action: InboxAction;
}): Promise<string[]> => {
  const wanted = new Set(input.emailIds);
  const found: string[] = [];
  const lastPage = Math.ceil(wanted.size / MAX_PER_PAGE) + SPARE_PAGES;
  for (let page = 1; page <= lastPage && wanted.size > 0; page += 1) {
    const { data } = await input.client.listActionHistory({ query: { page, perPage: MAX_PER_PAGE } });
    for (const record of data) {
      const matches =
        record.action === input.action && record.details.source === 'inbox' && record.undoneAt === null;
      if (matches && wanted.delete(record.emailId)) found.push(record.id);
    }
    if (data.length < MAX_PER_PAGE) break;
  }
  return found;
};
