import { BYTES_PER_MB, type EmailCategory } from '@mailsweep/contracts';
import type { EmailIdQuery } from '@mailsweep/mailbox';
import type { AccountMailboxes } from '../mailboxes.ts';
import { allOf, type EmailFilter, noneOf, toUtcDate, translateSearch } from './search.ts';
import { AUTOMATIC, FORUM_HEADER, UPDATE_HEADER } from './to-message-facts.ts';

/** What a server is asked for, and what has to be judged by the emails themselves. */
export interface ListFilter {
  filter: EmailFilter;
  hasAttachment: boolean | undefined;
}

const FORUM: EmailFilter = { header: [FORUM_HEADER] };
const UPDATE: EmailFilter = { header: [UPDATE_HEADER, AUTOMATIC] };

/** The emails of a category; undefined for one that no email has. */
export const toCategoryFilter = (category: EmailCategory): EmailFilter | undefined => {
  if (category === 'forums') return FORUM;
  if (category === 'updates') return allOf([UPDATE, noneOf([FORUM])]);
  return category === 'primary' ? noneOf([FORUM, UPDATE]) : undefined;
};

/** The emails of a scope: without trash, spam and drafts, wherever else they are; undefined where there is no inbox. */
export const toScopeFilter = (
  scope: EmailIdQuery['scope'],
  { idOf }: AccountMailboxes,
): EmailFilter | undefined => {
  const inbox = idOf('inbox');
  if (scope === 'inbox' && inbox === undefined) return undefined;
  const hidden = ['trash', 'junk', 'drafts'].flatMap((role) => idOf(role) ?? []);
  return allOf([
    ...(scope === 'inbox' && inbox !== undefined ? [{ inMailbox: inbox }] : []),
    noneOf([{ hasKeyword: '$draft' }, ...hidden.map((inMailbox) => ({ inMailbox }))]),
  ]);
};

const toLabelFilter = (
  labelled: EmailIdQuery['labelled'],
  { idOf }: AccountMailboxes,
): EmailFilter | undefined => {
  if (labelled === 'starred') return { hasKeyword: '$flagged' };
  if (labelled === 'important') return { hasKeyword: '$important' };
  const sent = idOf('sent');
  return sent === undefined ? undefined : { inMailbox: sent };
};

// Stalwart leaves out the instant itself.
const toAfter = (instant: Date): string => toUtcDate(Math.max(0, instant.getTime() - 1_000));
// Servers may ignore the fraction of a second.
const toBefore = (instant: Date): string => toUtcDate(Math.ceil(instant.getTime() / 1_000) * 1_000);

/**
 * The filters of a query for Email/query (RFC 8621, 4.4.1). A server may find more than it should, never less: whether an
 * email has attachments is not asked, because servers disagree (Cyrus finds none that came by LMTP).
 *
 * @returns undefined where no email can match
 * @throws {UnsupportedSearchError}
 */
export const toListFilter = (
  query: EmailIdQuery,
  mailboxes: AccountMailboxes,
  nowMs: number,
): ListFilter | undefined => {
  const { category, labelled, largerThanMb, receivedAfter, receivedBefore, search, unread } = query;
  const scope = toScopeFilter(query.scope, mailboxes);
  const ofCategory = category && toCategoryFilter(category);
  const ofLabel = labelled && toLabelFilter(labelled, mailboxes);
  const isImpossible =
    scope === undefined || (category && ofCategory === undefined) || (labelled && ofLabel === undefined);
  if (isImpossible) return undefined;
  const { conditions, hasAttachment } =
    search === undefined ? { conditions: [] } : translateSearch(search, nowMs);
  return {
    filter: allOf(
      [
        scope,
        unread ? { notKeyword: '$seen' } : undefined,
        receivedBefore && { before: toBefore(receivedBefore) },
        receivedAfter && { after: toAfter(receivedAfter) },
        ofCategory,
        ofLabel,
        // An email is larger than its attachments.
        largerThanMb === undefined ? undefined : { minSize: Math.floor(largerThanMb * BYTES_PER_MB) },
        ...conditions,
      ].filter((condition) => condition !== undefined),
    ),
    hasAttachment,
  };
};
