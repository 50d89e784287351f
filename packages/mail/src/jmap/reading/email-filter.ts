import { BYTES_PER_MB, type EmailCategory } from '@mailsweep/contracts';
import type { EmailIdQuery } from '@mailsweep/mail/mailbox';
import type { AccountMailboxes } from '../mailboxes.ts';
import { allOf, type EmailFilter, noneOf, toAfter, toUtcDate, translateSearch } from './search.ts';
import { AUTOMATIC, FORUM_HEADER, UPDATE_HEADER } from './to-message-facts.ts';

/** What a server is asked for, and what has to be judged by the emails themselves. */
export interface ListFilter {
  filter: EmailFilter;
  /** The same for servers that take no mailbox within an operator: it finds more. */
  simple: EmailFilter;
  hasAttachment: boolean | undefined;
}

const FORUM: EmailFilter = { header: [FORUM_HEADER] };
const UPDATE: EmailFilter = { header: [UPDATE_HEADER, AUTOMATIC] };

/** What all emails of a category meet; undefined for one that no email has. */
export const toCategoryConditions = (category: EmailCategory): EmailFilter[] | undefined => {
  if (category === 'forums') return [FORUM];
  if (category === 'updates') return [UPDATE, noneOf([FORUM])];
  return category === 'primary' ? [noneOf([FORUM, UPDATE])] : undefined;
};

const toHiddenIds = ({ byId }: AccountMailboxes): string[] =>
  [...byId.values()].filter(({ isMail }) => !isMail).map(({ id }) => id);

/** The emails of a scope: without those that are also where no mail is. */
export const toScopeFilter = (scope: EmailIdQuery['scope'], mailboxes: AccountMailboxes): EmailFilter =>
  allOf([
    ...(scope === 'inbox' ? [{ inMailbox: mailboxes.inboxId }] : []),
    noneOf([{ hasKeyword: '$draft' }, ...toHiddenIds(mailboxes).map((id) => ({ inMailbox: id }))]),
  ]);

/** The same in one condition; it also finds those. */
const toScopeCondition = (scope: EmailIdQuery['scope'], mailboxes: AccountMailboxes): EmailFilter => {
  if (scope === 'inbox') return { inMailbox: mailboxes.inboxId };
  const hidden = toHiddenIds(mailboxes);
  return hidden.length === 0 ? {} : { inMailboxOtherThan: hidden };
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

// Servers may ignore the fraction of a second.
const toBefore = (instant: Date): string => toUtcDate(Math.ceil(instant.getTime() / 1_000) * 1_000);

const createFindMailbox =
  ({ byId, idOf }: AccountMailboxes) =>
  (name: string): string | undefined =>
    idOf(name) ?? [...byId.values()].find((mailbox) => mailbox.name.toLowerCase() === name)?.id;

/**
 * One condition with as many of these as it can have, and what is left.
 *
 * @param judged - which the emails also tell
 * @param needed - which the server alone can judge
 */
const combine = (judged: readonly EmailFilter[], needed: readonly EmailFilter[]) => {
  const flat: Record<string, unknown> = {};
  const take = (conditions: readonly EmailFilter[]) =>
    conditions.filter((condition) => {
      const fits = !('operator' in condition) && !Object.keys(condition).some((key) => key in flat);
      if (fits) Object.assign(flat, condition);
      return !fits;
    });
  const left = { judged: take(judged), needed: take(needed) };
  const { inMailbox, inMailboxOtherThan, ...others } = flat;
  // Where the search itself asks for a mailbox, no wider filter will do.
  const needsMailbox = needed.some(
    (condition) => 'inMailbox' in condition && condition.inMailbox === inMailbox,
  );
  const filter = toFilter(flat, [...left.judged, ...left.needed]);
  if (left.needed.length === 0) return { filter, simple: flat as EmailFilter };
  return { filter, simple: needsMailbox ? filter : toFilter(others, left.needed) };
};

const toFilter = (condition: object, rest: EmailFilter[]): EmailFilter =>
  rest.length === 0 ? (condition as EmailFilter) : allOf([condition as EmailFilter, ...rest]);

/**
 * The filters of a query for Email/query (RFC 8621, 4.4.1). A server may find more than it should, never less: email that
 * is also in the trash is found, and whether an email has attachments is not asked, because servers disagree (Cyrus finds
 * none that came by LMTP).
 *
 * @returns undefined where no email can match
 * @throws {UnsupportedSearchError}
 */
export const toListFilter = (
  query: EmailIdQuery,
  mailboxes: AccountMailboxes,
  nowMs: number,
): ListFilter | undefined => {
  const { category, labelled, largerThanMb, receivedAfter, receivedBefore, search, unread, without } = query;
  const ofCategory = category && toCategoryConditions(category);
  const ofLabel = labelled && toLabelFilter(labelled, mailboxes);
  const isImpossible = (category && ofCategory === undefined) || (labelled && ofLabel === undefined);
  if (isImpossible) return undefined;
  const { conditions, hasAttachment } =
    search === undefined
      ? { conditions: [] }
      : translateSearch(search, { nowMs, findMailbox: createFindMailbox(mailboxes) });
  const judged = [
    toScopeCondition(query.scope, mailboxes),
    unread ? { notKeyword: '$seen' } : undefined,
    without?.includes('unread') ? { hasKeyword: '$seen' } : undefined,
    receivedBefore && { before: toBefore(receivedBefore) },
    receivedAfter && { after: toAfter(receivedAfter.getTime()) },
    ofLabel,
    // An email is larger than its attachments.
    largerThanMb === undefined ? undefined : { minSize: Math.floor(largerThanMb * BYTES_PER_MB) },
    ...(ofCategory ?? []),
  ].filter((condition) => condition !== undefined);
  return { ...combine(judged, conditions), hasAttachment };
};
