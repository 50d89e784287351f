import type {
  ListEmailsQuery,
  ListEmailsResponse,
  LookUpEmailsRequest,
  LookUpEmailsResponse,
} from '@mailsweep/contracts';
import {
  type EmailPage,
  type InboxCount,
  type Mailbox,
  MailboxError,
  type OpenMailbox,
} from '@mailsweep/mailbox';
import { toEmailFilters } from './email-filters.ts';

/** Which of the provider's counts says how many emails match; undefined where none does. */
const findCount = (query: ListEmailsQuery): keyof InboxCount | undefined => {
  const { scope, olderThan, category, minAttachmentSize, search } = query;
  const narrowing = [olderThan, category, minAttachmentSize, search];
  const isWholeInbox = narrowing.every((filter) => filter === undefined);
  if (scope !== 'inbox' || !isWholeInbox) return undefined;
  return query.unread ? 'unread' : 'total';
};

/** The total of a list: exact where the list ends here or the provider knows it, otherwise what was counted so far. */
const countMatches = async (
  mailbox: Mailbox,
  query: ListEmailsQuery,
  { total, totalIsExact }: EmailPage,
): Promise<Pick<ListEmailsResponse, 'total' | 'totalIsExact'>> => {
  const count = findCount(query);
  if (totalIsExact || count === undefined) return { total, totalIsExact };
  try {
    const inbox = await mailbox.countInbox();
    return { total: Math.max(total, inbox[count]), totalIsExact: true };
  } catch (error) {
    // The emails are there: a count that failed is no reason to withhold them.
    if (error instanceof MailboxError) return { total, totalIsExact };
    throw error;
  }
};

/**
 * Lists a page of a user's emails. The classification service is not called.
 *
 * @throws MailboxError when the mailbox can't be read
 */
export const createListEmails =
  ({ openMailbox, nowMs = Date.now }: { openMailbox: OpenMailbox; nowMs?: () => number }) =>
  async (userId: string, query: ListEmailsQuery): Promise<ListEmailsResponse> => {
    const { pageSize, pageToken } = query;
    const mailbox = openMailbox(userId);
    const page = await mailbox.listEmails({ ...toEmailFilters(query, nowMs()), pageSize, pageToken });
    const { emails, nextPageToken } = page;
    return { emails, nextPageToken, ...(await countMatches(mailbox, query, page)) };
  };

/**
 * Returns sender, subject and date of each email, for lists that know emails by id alone (docs/decisions/019).
 *
 * @throws MailboxError when the mailbox can't be read
 */
export const createLookUpEmails =
  (dependencies: { openMailbox: OpenMailbox }) =>
  async (userId: string, { emailIds }: LookUpEmailsRequest): Promise<LookUpEmailsResponse> => {
    const emails = await dependencies.openMailbox(userId).findEmails([...new Set(emailIds)]);
    return { emails: emails.map(({ id, from, subject, date }) => ({ id, from, subject, date })) };
  };
