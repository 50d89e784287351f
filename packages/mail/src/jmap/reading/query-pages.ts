import { createHash } from 'node:crypto';
import { InvalidPageTokenError } from '@mailsweep/mail/mailbox';
import type { z } from 'zod';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { JmapMethodError } from '../protocol/jmap-errors.ts';
import { queryEmails } from '../protocol/jmap-schemas.ts';
import { noteRefusal } from '../protocol/send-each.ts';
import { type GetArguments, readFound } from '../read-emails.ts';
import type { ListFilter } from './email-filter.ts';
import { allOf, type EmailFilter, refuseSearch, toUtcDate } from './search.ts';
import { toReceivedAt } from './to-message-facts.ts';

/** Where a list goes on: after an email, or where it was. */
export interface ListPosition {
  id: string;
  receivedAtMs: number;
  /** Emails listed of the same second, the last one among them, by {@link toMark}; a page token has the last of them. */
  marks: readonly string[];
}

interface Listed {
  id: string;
  receivedAt: string;
}

export interface QueryPage<T> {
  emails: T[];
  /** State of the emails when they were read. */
  state: string;
  /** Where the next page begins; undefined after the last. */
  next: ListPosition | undefined;
}

const SORT = [{ property: 'receivedAt', isAscending: false }];
/** Most emails of one second that a page token remembers. */
const MAX_MARKS = 40;
const MARK_LENGTH = 6;

const toMark = (id: string): string =>
  createHash('sha256').update(id).digest('base64url').slice(0, MARK_LENGTH);

const secondOf = (atMs: number): number => Math.floor(atMs / 1_000);

const toPosition = (
  listed: readonly Listed[],
  before: ListPosition | undefined,
): ListPosition | undefined => {
  const last = listed.at(-1);
  if (last === undefined) return before;
  const receivedAtMs = toReceivedAt(last.receivedAt).getTime();
  const isSameSecond = (atMs: number) => secondOf(atMs) === secondOf(receivedAtMs);
  const own = listed.filter(({ receivedAt }) => isSameSecond(toReceivedAt(receivedAt).getTime()));
  const earlier = before !== undefined && isSameSecond(before.receivedAtMs) ? before.marks : [];
  return {
    id: last.id,
    receivedAtMs,
    marks: [...new Set([...earlier, ...own.map(({ id }) => toMark(id))])],
  };
};

/** Takes the first emails of a page and goes on after them. */
export const cutPage = <T extends Listed>(
  page: QueryPage<T>,
  size: number,
  from: ListPosition | undefined,
) =>
  page.emails.length <= size
    ? page
    : { ...page, emails: page.emails.slice(0, size), next: toPosition(page.emails.slice(0, size), from) };

/** A filter with an upper bound of the time: the earlier one, where it has another. */
const withBefore = (filter: EmailFilter, before: string): EmailFilter => {
  if ('operator' in filter) return allOf([filter, { before }]);
  const own = typeof filter.before === 'string' ? filter.before : before;
  return { ...filter, before: own < before ? own : before };
};

const isUnsupported = (error: unknown) =>
  error instanceof JmapMethodError && error.type === 'unsupportedFilter';

/**
 * Reads a page of a list, newest first, with what is needed of its emails, in one request. Where the email that the list
 * goes on after has left it, which is what cleaning does, or the server takes no anchor, the list goes on by time: the
 * next emails are those that were received before, and those of the same second that were not listed.
 *
 * @throws {MailboxError}
 * @throws {UnsupportedSearchError} when the search asks for a mailbox together with others, which the server does not take
 */
export const queryPage = async <T extends Listed>(
  session: JmapSession,
  list: ListFilter,
  options: { limit: number; from: ListPosition | undefined; record: z.ZodType<T>; get: GetArguments },
): Promise<QueryPage<T>> => {
  const { limit, from, record, get } = options;
  const { refused } = session.connection;
  const marks = new Set(from?.marks);
  const filter = refused.has('nesting') ? list.simple : list.filter;
  const read = async (wanted: EmailFilter, start: object) => {
    const query = queryEmails({ filter: wanted, sort: SORT, limit, calculateTotal: true, ...start });
    const { found, emails: byId, state } = await readFound(session, query, limit, record, get);
    const { ids, position, total } = found;
    const listed = ids.flatMap((id) => byId.get(id) ?? []);
    const emails = listed.filter(({ id }) => !marks.has(toMark(id)));
    // Where the total is not known, a server may have given fewer than there are.
    const isLast = ids.length === 0 || (total != null && position != null && position + ids.length >= total);
    return { state, emails, next: isLast ? undefined : toPosition(listed, from), found: ids.length };
  };
  try {
    if (from === undefined) return await read(filter, {});
    if (!refused.has('anchor')) return await read(filter, { anchor: from.id, anchorOffset: 1 });
  } catch (error) {
    const isGone = error instanceof JmapMethodError && error.type === 'anchorNotFound';
    if (noteRefusal(session, 'nesting', error)) return await queryPage(session, list, options);
    if (isUnsupported(error) && 'operator' in filter && JSON.stringify(filter).includes('"inMailbox"')) {
      throw refuseSearch('in:');
    }
    if (!isGone && !(from !== undefined && noteRefusal(session, 'anchor', error))) throw error;
  }
  const bounded = withBefore(filter, toUtcDate((secondOf(from?.receivedAtMs ?? 0) + 1) * 1_000));
  for (let position = 0; ; ) {
    const page = await read(bounded, { position });
    if (page.emails.length > 0 || page.next === undefined) return page;
    // All of them are of that second, and were listed.
    position += page.found;
  }
};

/** A number of emails, a time in milliseconds, an id (RFC 8620, 1.2), and marks. */
const PAGE_TOKEN = /^(\d{1,9})\.(\d{1,15})\.([A-Za-z0-9_-]{1,255})\.((?:[A-Za-z0-9_-]{6}){0,40})$/;

/**
 * Reads a page token: where the list goes on, and how many emails the pages before had.
 *
 * @throws {InvalidPageTokenError}
 */
export const readPageToken = (token: string): { counted: number; from: ListPosition } => {
  const [, counted, receivedAtMs, id, marks] = PAGE_TOKEN.exec(token) ?? [];
  if (id === undefined) throw new InvalidPageTokenError('the page token is none of this mailbox');
  return {
    counted: Number(counted),
    from: { id, receivedAtMs: Number(receivedAtMs), marks: marks?.match(/.{6}/g) ?? [] },
  };
};

export const writePageToken = (counted: number, { id, receivedAtMs, marks }: ListPosition): string =>
  `${counted}.${receivedAtMs}.${id}.${marks.slice(-MAX_MARKS).join('')}`;
