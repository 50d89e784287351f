import { createHash } from 'node:crypto';
import { InvalidPageTokenError } from '@mailsweep/mailbox';
import type { z } from 'zod';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { JmapMethodError } from '../protocol/jmap-errors.ts';
import { getEmails, queryEmails, resultOf } from '../protocol/jmap-methods.ts';
import { allOf, type EmailFilter, toUtcDate } from './search.ts';
import { toReceivedAt } from './to-message-facts.ts';

/** Where a list goes on: after an email, or where it was. */
export interface ListPosition {
  id: string;
  receivedAtMs: number;
  /** Emails listed of the same second, the last one among them, by {@link toMark}. */
  marks: readonly string[];
}

/** What a list needs of each email. */
interface Listed {
  id: string;
  receivedAt: string;
}

/** One page of the server’s list. */
export interface QueryPage<T> {
  emails: T[];
  /** State of the emails when they were read. */
  state: string;
  /** Where the next page begins; undefined after the last. */
  next: ListPosition | undefined;
}

const SORT = [{ property: 'receivedAt', isAscending: false }];
/** Most emails of one second that a position remembers. */
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
    marks: [...new Set([...earlier, ...own.map(({ id }) => toMark(id))])].slice(-MAX_MARKS),
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

/**
 * Reads a page of a list, newest first, with what is needed of its emails, in one request. Where the email that the list
 * goes on after has left it, which is what cleaning does, the list goes on by time: the next emails are those that were
 * received before, and those of the same second that were not listed.
 *
 * @throws {MailboxError}
 */
export const queryPage = async <T extends Listed>(
  session: JmapSession,
  filter: EmailFilter,
  options: { limit: number; from: ListPosition | undefined; record: z.ZodType<T>; get: object },
): Promise<QueryPage<T>> => {
  const { limit, from, record, get } = options;
  const send = async (wanted: EmailFilter, anchor: object) => {
    const [query, { list, state }] = await session.send([
      queryEmails({ filter: wanted, sort: SORT, limit, calculateTotal: true, ...anchor }),
      getEmails(record, { ...get, '#ids': resultOf(0, 'Email/query', '/ids') }),
    ]);
    const byId = new Map(list.map((email) => [email.id, email]));
    const emails = query.ids.flatMap((id) => byId.get(id) ?? []);
    const { position, total } = query;
    const isLast =
      query.ids.length === 0 ||
      (total != null && position != null
        ? position + query.ids.length >= total
        : query.ids.length < Math.min(limit, query.limit ?? limit));
    return { emails, isLast, state };
  };
  const marks = new Set(from?.marks);
  const toPage = ({ emails, isLast, state }: Awaited<ReturnType<typeof send>>): QueryPage<T> => ({
    state,
    emails: emails.filter(({ id }) => !marks.has(toMark(id))),
    next: isLast ? undefined : toPosition(emails, from),
  });
  if (from === undefined) return toPage(await send(filter, {}));
  try {
    return toPage(await send(filter, { anchor: from.id, anchorOffset: 1 }));
  } catch (error) {
    if (!(error instanceof JmapMethodError) || error.type !== 'anchorNotFound') throw error;
  }
  const before = { before: toUtcDate((secondOf(from.receivedAtMs) + 1) * 1_000) };
  return toPage(await send(allOf([filter, before]), {}));
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
  `${counted}.${receivedAtMs}.${id}.${marks.join('')}`;
