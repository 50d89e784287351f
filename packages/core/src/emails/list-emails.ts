import type {
  Conversation,
  ListEmailsQuery,
  ListEmailsResponse,
  LookUpEmailsRequest,
  LookUpEmailsResponse,
  MailboxOverview,
  MailboxOverviewQuery,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import {
  type EmailPage,
  type InboxCount,
  type Mailbox,
  MailboxError,
  type OpenMailbox,
} from '@mailsweep/mail/mailbox';
import { saveInboxSize } from '../activity/activity.repository.ts';
import { listBoundPage } from '../page-token.ts';
import { markDiscussions } from '../protections/cached-protection.repository.ts';
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

/** Gmail keeps no count of a category within the inbox: its emails are listed, 500 for five quota units. */
const MAX_LISTED = 10_000;

const countInboxCategories = async (
  mailbox: Mailbox,
  inboxTotal: number,
): Promise<MailboxOverview['inboxCategories']> => {
  if (inboxTotal > MAX_LISTED) return null;
  const { categories } = await mailbox.readCapabilities();
  const listed = categories.filter((category) => category !== 'primary');
  const lists = await Promise.all(
    listed.map((category) => mailbox.listEmailIds({ scope: 'inbox', category }, MAX_LISTED)),
  );
  // An email with the labels of two categories counts for the first one, as in the list of emails.
  const known = new Set<string>();
  const counts = listed.map((category, index) => {
    const ids = lists[index]?.emails.filter(({ id }) => !known.has(id)) ?? [];
    for (const { id } of ids) known.add(id);
    return { category, total: ids.length };
  });
  return [{ category: 'primary', total: Math.max(0, inboxTotal - known.size) }, ...counts];
};

/** Reads a user's emails at the provider; each read throws a MailboxError when the mailbox can't be read. */
export const createEmails = ({
  database,
  openMailbox,
  nowMs = Date.now,
}: {
  database: Database;
  openMailbox: OpenMailbox;
  nowMs?: () => number;
}) => ({
  /** Lists a page of emails. The classification service is not called. */
  async list(userId: string, query: ListEmailsQuery): Promise<ListEmailsResponse> {
    const mailbox = openMailbox(userId);
    const page = await listBoundPage(query, (list, pageToken) =>
      mailbox.listEmails({ ...toEmailFilters(list, nowMs()), pageSize: query.pageSize, pageToken }),
    );
    const emails = await markDiscussions(database, userId, page.emails);
    return { emails, nextPageToken: page.nextPageToken, ...(await countMatches(mailbox, query, page)) };
  },

  /** Returns sender, subject and date of each email, for lists that know emails by id alone (docs/decisions/019). */
  async lookUp(userId: string, { emailIds }: LookUpEmailsRequest): Promise<LookUpEmailsResponse> {
    const emails = await openMailbox(userId).findEmails([...new Set(emailIds)]);
    return { emails: emails.map(({ id, from, subject, date }) => ({ id, from, subject, date })) };
  },

  /**
   * Counts the emails, for six quota units, and stores the size of the inbox for today. In detail it takes some 30 units,
   * and five more for every 500 emails of the inbox.
   */
  async count(userId: string, { detailed = false }: MailboxOverviewQuery): Promise<MailboxOverview> {
    const countedAt = new Date(nowMs()).toISOString();
    const mailbox = openMailbox(userId);
    const all = detailed ? mailbox.countEmails('all') : undefined;
    // It is awaited below, unless the counts fail first.
    all?.catch(() => undefined);
    const counts = await mailbox.countMailbox();
    await saveInboxSize(database, userId, counts.inbox);
    if (all === undefined) return { ...counts, countedAt };
    const inboxCategories = await countInboxCategories(mailbox, counts.inbox.total);
    return { ...counts, all: await all, inboxCategories, countedAt };
  },

  readConversation: (userId: string, threadId: string): Promise<Conversation> =>
    openMailbox(userId).readConversation(threadId),
});
