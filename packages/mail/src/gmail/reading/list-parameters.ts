import { BYTES_PER_MB } from '@mailsweep/contracts';
import {
  CATEGORIES_WITH_LABEL,
  type EmailFilters,
  SYSTEM_LABELS,
  toCategoryLabel,
} from '@mailsweep/mail/mailbox';

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

/**
 * Snoozed email, and email that waits to be sent: only a search tells, for the API has no label for them
 * (gauteh/lieer#291; Gmail help, "Refine searches in Gmail").
 */
export const SET_ASIDE_TERM = '{is:snoozed in:scheduled}';

/** A search of the user's may ask for them, as `in:anywhere` does; the list without one leaves them out by itself. */
const REMOVED_TERMS = ['-in:spam', '-in:trash'];

/** The spaces keep the parentheses apart from an operator or a word at either end. */
const toGroup = (search: string): string => `( ${search} )`;

/** The same, for what is listed as all mail. */
const NO_SET_ASIDE_TERMS = ['-is:snoozed', '-in:scheduled'];

const toSearchTerms = (query: EmailFilters, withSetAside: boolean): string[] => [
  ...(query.search === undefined ? [] : [toGroup(query.search), ...REMOVED_TERMS]),
  ...(query.scope === 'all' || query.search !== undefined ? MAIL_TERMS : []),
  ...(query.scope === 'all' && !withSetAside ? NO_SET_ASIDE_TERMS : []),
  ...(query.receivedBefore ? [toBefore(query.receivedBefore)] : []),
  ...(query.receivedAfter ? [toAfter(query.receivedAfter)] : []),
  ...(query.category === 'primary' ? PRIMARY_TERMS : []),
  ...(query.largerThanMb === undefined ? [] : [toLarger(query.largerThanMb)]),
];

/**
 * The filters of a query as parameters of `users.messages.list` (Gmail API reference). Labels where they say it all,
 * search operators only where they must; the provider may find more than asked for, never less.
 *
 * @param withSetAside - whether all mail has snoozed and scheduled email
 */
export const toListParameters = (query: EmailFilters, withSetAside = false): URLSearchParams => {
  const parameters = new URLSearchParams(
    toLabelIds(query).map((label): [string, string] => ['labelIds', label]),
  );
  const terms = toSearchTerms(query, withSetAside);
  if (terms.length > 0) parameters.set('q', terms.join(' '));
  return parameters;
};
