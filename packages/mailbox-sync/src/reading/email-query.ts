import { BYTES_PER_MB, type Email } from '@mailsweep/contracts';
import { CATEGORIES_WITH_LABEL, type ReadEmail, SYSTEM_LABELS, toCategoryLabel } from '@mailsweep/gmail';
import type { EmailFilters, EmailQuery } from '../mailbox.ts';

const toLabelIds = (query: EmailFilters): string[] => {
  const categoryLabel = query.category && toCategoryLabel(query.category);
  return [
    ...(query.scope === 'inbox' ? [SYSTEM_LABELS.inbox] : []),
    ...(query.unread ? [SYSTEM_LABELS.unread] : []),
    ...(categoryLabel ? [categoryLabel] : []),
  ];
};

// Gmail counts in whole seconds, so the bound is rounded up; it reads a bound of zero or less as no date.
const toBefore = (instant: Date): string => `before:${Math.max(1, Math.ceil(instant.getTime() / 1_000))}`;

// The second is included, whether or not Gmail counts the bound itself.
const toAfter = (instant: Date): string => `after:${Math.max(1, Math.floor(instant.getTime() / 1_000) - 1)}`;

// The message is larger than its attachments, so its size is a bound that leaves none out.
const toLarger = (megabytes: number): string =>
  megabytes > 0 ? `larger:${Math.floor(megabytes * BYTES_PER_MB)}` : 'has:attachment';

/**
 * Mail without a category counts as primary, and `category:primary` may leave it out: with the inbox tabs off it was
 * seen empty (huacnlee/omamail#19).
 */
const PRIMARY_TERMS = CATEGORIES_WITH_LABEL.map((category) => `-category:${category}`);

/** In the inbox there are neither drafts nor chats; elsewhere Gmail lists them as messages (gauteh/lieer, lieer/remote.py). */
const MAIL_TERMS = ['-in:drafts', '-in:chats'];

/** A search of the user's may ask for them, as `in:anywhere` does; the list without one leaves them out by itself. */
const REMOVED_TERMS = ['-in:spam', '-in:trash'];

/** The spaces keep the parentheses apart from an operator or a word at either end. */
const toGroup = (search: string): string => `( ${search} )`;

const toSearchTerms = (query: EmailFilters): string[] => [
  ...(query.search === undefined ? [] : [toGroup(query.search), ...REMOVED_TERMS]),
  ...(query.scope === 'all' || query.search !== undefined ? MAIL_TERMS : []),
  ...(query.receivedBefore ? [toBefore(query.receivedBefore)] : []),
  ...(query.receivedAfter ? [toAfter(query.receivedAfter)] : []),
  ...(query.category === 'primary' ? PRIMARY_TERMS : []),
  ...(query.largerThanMb === undefined ? [] : [toLarger(query.largerThanMb)]),
];

/**
 * The filters of a query as parameters of `users.messages.list` (Gmail API reference). Labels where they say it all,
 * search operators only where they must; the provider may find more than asked for, never less.
 */
export const toListParameters = (query: EmailFilters): URLSearchParams => {
  const parameters = new URLSearchParams(
    toLabelIds(query).map((label): [string, string] => ['labelIds', label]),
  );
  const terms = toSearchTerms(query);
  if (terms.length > 0) parameters.set('q', terms.join(' '));
  return parameters;
};

/** Whether an email has the labels that the query asks for. */
export const matchesLabelFilters = (email: Email, query: EmailQuery): boolean => {
  const has = (label: string): boolean => email.labels.includes(label);
  return (
    !has(SYSTEM_LABELS.spam) &&
    !has(SYSTEM_LABELS.trash) &&
    (query.scope === 'all' || has(SYSTEM_LABELS.inbox)) &&
    (!query.unread || !email.isRead) &&
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
