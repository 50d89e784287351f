import { BYTES_PER_MB, type Email } from '@mailsweep/contracts';
import { toCategoryLabel } from './categories.ts';
import { type EmailQuery, SYSTEM_LABELS } from './mailbox.ts';
import type { ReadEmail } from './to-email.ts';

const toLabelIds = (query: EmailQuery): string[] => {
  const categoryLabel = query.category && toCategoryLabel(query.category);
  return [
    ...(query.scope === 'inbox' ? [SYSTEM_LABELS.inbox] : []),
    ...(query.unread ? [SYSTEM_LABELS.unread] : []),
    ...(categoryLabel ? [categoryLabel] : []),
  ];
};

// Gmail counts in whole seconds, so the bound is rounded up; it reads a bound of zero or less as no date.
const toBefore = (instant: Date): string => `before:${Math.max(1, Math.ceil(instant.getTime() / 1_000))}`;

// The message is larger than its attachments, so its size is a bound that leaves none out.
const toLarger = (megabytes: number): string =>
  megabytes > 0 ? `larger:${Math.floor(megabytes * BYTES_PER_MB)}` : 'has:attachment';

const toSearchTerms = (query: EmailQuery): string[] => [
  ...(query.receivedBefore ? [toBefore(query.receivedBefore)] : []),
  ...(query.category === 'primary' ? ['category:primary'] : []),
  ...(query.largerThanMb === undefined ? [] : [toLarger(query.largerThanMb)]),
];

/**
 * The filters of a query as parameters of `users.messages.list` (Gmail API reference). Labels where they say it all,
 * search operators only where they must; the provider may find more than asked for, never less.
 */
export const toListParameters = (query: EmailQuery): URLSearchParams => {
  const parameters = new URLSearchParams(
    toLabelIds(query).map((label): [string, string] => ['labelIds', label]),
  );
  const terms = toSearchTerms(query);
  if (terms.length > 0) parameters.set('q', terms.join(' '));
  return parameters;
};

/** Whether an email has the labels that the query asks for. */
export const hasLabelsWanted = (email: Email, query: EmailQuery): boolean => {
  const has = (label: string): boolean => email.labels.includes(label);
  return (
    !has(SYSTEM_LABELS.spam) &&
    !has(SYSTEM_LABELS.trash) &&
    (query.scope === 'all' || has(SYSTEM_LABELS.inbox)) &&
    (!query.unread || !email.isRead) &&
    (query.category === undefined || email.category === query.category)
  );
};

/** Whether an email, as it is now, passes every filter of the query, sizes counted in bytes before any rounding. */
export const matchesQuery = ({ email, attachmentBytes }: ReadEmail, query: EmailQuery): boolean =>
  hasLabelsWanted(email, query) &&
  (query.receivedBefore === undefined || Date.parse(email.date) < query.receivedBefore.getTime()) &&
  (query.largerThanMb === undefined || attachmentBytes > query.largerThanMb * BYTES_PER_MB);
