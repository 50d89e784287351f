import { BYTES_PER_MB, type Email, type EmailCategory } from '@mailsweep/contracts';
import { SYSTEM_LABELS } from './labels.ts';
import type { EmailFilters, EmailQuery } from './mailbox.ts';
import type { ReadEmail } from './message/message-facts.ts';

/** Whether an email has the labels that the query asks for. */
export const matchesLabelFilters = (
  email: { labels: readonly string[]; category?: EmailCategory },
  query: Pick<EmailFilters, 'scope' | 'unread' | 'category'>,
): boolean => {
  const has = (label: string): boolean => email.labels.includes(label);
  return (
    !has(SYSTEM_LABELS.spam) &&
    !has(SYSTEM_LABELS.trash) &&
    (query.scope === 'all' || has(SYSTEM_LABELS.inbox)) &&
    (!query.unread || has(SYSTEM_LABELS.unread)) &&
    (query.category === undefined || email.category === query.category)
  );
};

/**
 * Whether an email on the provider's list of a query has labels that keep it off that list: then its labels are wrong.
 * A category says nothing: the provider may list more than was asked for.
 */
export const contradictsList = (email: Email, query: EmailQuery): boolean =>
  !matchesLabelFilters(email, { ...query, category: undefined });

/** Whether a message with these labels is mail; drafts and chats, which Gmail also counts as messages, are not. */
export const isMail = (labels: readonly string[]): boolean =>
  !labels.includes(SYSTEM_LABELS.draft) && !labels.includes(SYSTEM_LABELS.chat);

/** Whether an email, as it is now, passes every filter of the query, sizes counted in bytes before any rounding. */
export const matchesQuery = ({ email, attachmentBytes }: ReadEmail, query: EmailQuery): boolean =>
  isMail(email.labels) &&
  matchesLabelFilters(email, query) &&
  (query.receivedBefore === undefined || Date.parse(email.date) < query.receivedBefore.getTime()) &&
  (query.receivedAfter === undefined || Date.parse(email.date) >= query.receivedAfter.getTime()) &&
  (query.largerThanMb === undefined || attachmentBytes > query.largerThanMb * BYTES_PER_MB);
