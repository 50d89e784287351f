import type { MailboxOverview, MailboxOverviewQuery } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { Mailbox, OpenMailbox } from '@mailsweep/mailbox';
import { saveInboxSize } from '../activity/inbox-size.repository.ts';

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

/**
 * Counts the emails of a user's mailbox, for six quota units, and stores the size of the inbox for today. In detail it
 * takes some 30 units, and five more for every 500 emails of the inbox.
 *
 * @throws MailboxError when the mailbox can't be read
 */
export const createCountMailbox =
  ({
    database,
    openMailbox,
    nowMs = Date.now,
  }: {
    database: Database;
    openMailbox: OpenMailbox;
    nowMs?: () => number;
  }) =>
  async (userId: string, { detailed = false }: MailboxOverviewQuery): Promise<MailboxOverview> => {
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
  };
