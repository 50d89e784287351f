import type { Email } from '@mailsweep/contracts';
import { countEach } from '../../email/counts.ts';
import { INBOX_LABEL } from '../../email/email-actions.ts';

/** Emails per thread id on a list; conversations with one email are left out. */
export const countConversations = (emails: readonly Email[]): ReadonlyMap<string, number> => {
  const threadIds = emails.flatMap(({ threadId }) => threadId ?? []);
  return new Map(countEach(threadIds).filter(([, count]) => count > 1));
};

/** Other emails of its conversation that are listed and in the inbox. */
export const countOthersInInbox = (email: Email, emails: readonly Email[]): number =>
  emails.filter(
    ({ id, threadId, labels }) =>
      id !== email.id &&
      threadId !== undefined &&
      threadId === email.threadId &&
      labels.includes(INBOX_LABEL),
  ).length;
