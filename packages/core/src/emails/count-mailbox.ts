import type { MailboxOverview } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { saveInboxSize } from '../activity/inbox-size.repository.ts';
import type { OpenMailbox } from '../dependencies.ts';

/**
 * Counts the emails of a user's mailbox, for six quota units, and stores the size of the inbox for today.
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
  async (userId: string): Promise<MailboxOverview> => {
    const countedAt = new Date(nowMs()).toISOString();
    const counts = await openMailbox(userId).countMailbox();
    await saveInboxSize(database, userId, counts.inbox);
    return { ...counts, countedAt };
  };
