import type { ListEmailsQuery, ListEmailsResponse } from '@mailsweep/contracts';
import type { Clock, OpenMailbox } from './dependencies.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Lists a page of a person's emails. The classification service has no part in it.
 *
 * @throws MailboxError when the mailbox can't be read
 */
export const createListEmails =
  (dependencies: { openMailbox: OpenMailbox; clock: Clock }) =>
  async (userId: string, query: ListEmailsQuery): Promise<ListEmailsResponse> => {
    const { olderThan } = query;
    const page = await dependencies.openMailbox(userId).listEmails({
      scope: query.scope,
      unread: query.unread,
      receivedBefore:
        olderThan === undefined ? undefined : new Date(dependencies.clock().getTime() - olderThan * DAY_MS),
      category: query.category,
      largerThanMb: query.minAttachmentSize,
      pageSize: query.pageSize,
      pageToken: query.pageToken,
    });
    return { emails: page.emails, nextPageToken: page.nextPageToken, total: page.total };
  };
