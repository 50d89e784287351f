import type { FaultStack } from './fault-stack.ts';

/** Gives a user's mailbox this many cached mails, of 2,000 senders, as a scan would have left them. */
export const cacheMails = async (
  { query }: Pick<FaultStack, 'query'>,
  userId: string,
  count: number,
): Promise<void> => {
  await query(
    `INSERT INTO "MailboxSync" ("userId", "historyId") VALUES ($1, 1) ON CONFLICT ("userId") DO NOTHING`,
    [userId],
  );
  await query(
    `INSERT INTO "CachedMessage" ("userId", "emailId", "generation", "historyId", "labels", "receivedAt", "sizeBytes",
       "attachmentCount", "attachmentBytes", "senderKey", "encryptedText")
     SELECT sync."userId", 'cached-' || number, sync."generation", 1, ARRAY['INBOX', 'UNREAD', 'CATEGORY_PROMOTIONS'],
       now() - number * interval '1 minute', 20000, 0, 0, sha256((number % 2000)::text::bytea), repeat('x', 300)
     FROM "MailboxSync" AS sync, generate_series(1, $2) AS number WHERE sync."userId" = $1`,
    [userId, count],
  );
  await query('ANALYZE "CachedMessage"');
};
