import { z } from 'zod';
import { type AccountMailboxes, getAllMailboxes, noteMailboxes, type Place, toPlace } from './mailboxes.ts';
import type { JmapSession } from './protocol/jmap-client.ts';
import {
  EMAIL_STATE_PROPERTIES,
  EmailStateSchema,
  getEmails,
  type JmapMailboxRecord,
  type MethodCall,
  resultOf,
} from './protocol/jmap-schemas.ts';
import { halve, mostOf, noteRefusal, sendEach, toChunks } from './protocol/send-each.ts';

/** Most emails in one method call, and in one request: a response stays below a few MB. */
const EMAILS_PER_CALL = 250;
const EMAILS_PER_REQUEST = 1_000;

/** Emails by id as they were in a state, or a moment later. */
export interface ReadEmails<T> {
  /** State of the emails before the first was read; what changes while they are read has a later one. */
  state: string;
  emails: Map<string, T>;
}

export interface GetArguments {
  properties: readonly string[];
  bodyProperties?: readonly string[];
}

/** What a server takes of emails at a time may depend on what is read of them. */
const toKind = ({ properties }: GetArguments): string => `Email/get ${properties.join()}`;

interface Response<T> {
  state: string;
  list: T[];
}

const HeadersSchema = z.looseObject({
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
});
const isHeader = (property: string): boolean => property.startsWith('header:');

/** Puts raw headers of an email, by name, where they are expected; what is not as RFC 8621, 4.1.3, has it stays. */
const pickHeaders = (properties: readonly string[]) => (value: unknown) => {
  const { success, data: email } = HeadersSchema.safeParse(value);
  if (!success) return value;
  const picked = properties.map((property) => {
    const [, name = '', , all] = property.split(':');
    const own = email.headers.filter((header) => header.name.toLowerCase() === name.toLowerCase());
    const values = own.map((header) => header.value);
    return [property, all === undefined ? (values.at(-1) ?? null) : values];
  });
  return { ...email, ...Object.fromEntries(picked) };
};

/** Reads emails with single headers; at a server that refuses some of these, with all headers. */
const toGetCall = <T>(
  { connection }: JmapSession,
  record: z.ZodType<T>,
  { properties, ...args }: GetArguments,
  ids: object,
): MethodCall<Response<T>> => {
  const headers = properties.filter(isHeader);
  if (headers.length === 0 || !connection.refused.has('headers')) {
    return getEmails(record, { ...args, properties, ...ids });
  }
  const others = properties.filter((property) => !isHeader(property));
  const withHeaders = z.preprocess(pickHeaders(headers), record);
  return getEmails(withHeaders, { ...args, properties: [...others, 'headers'], ...ids });
};

/** Whether another attempt, at fewer emails or other properties, may succeed. */
const canDoWithout = (session: JmapSession, args: GetArguments, sent: number, error: unknown): boolean =>
  halve(session, toKind(args), sent, error) ||
  (args.properties.some(isHeader) && noteRefusal(session, 'headers', error));

/** Reads emails by calls as large as the server takes. @param second - a call besides, after the first of them */
const readInCalls = async <T>(
  session: JmapSession,
  record: z.ZodType<T>,
  args: GetArguments,
  ids: readonly string[],
  second: readonly MethodCall<Response<T>>[] = [],
): Promise<Response<T>[]> => {
  const { limits } = session;
  const wanted = Math.min(EMAILS_PER_CALL, limits.maxObjectsInGet, Math.max(1, ids.length));
  const most = mostOf(session, toKind(args), wanted);
  const toCall = (part: readonly string[]) => toGetCall(session, record, args, { ids: part });
  const [first = [], ...rest] = toChunks(ids, most, limits);
  const calls = [toCall(first), ...second, ...rest.map(toCall)];
  try {
    return await sendEach(session, calls, Math.floor(EMAILS_PER_REQUEST / most) + second.length);
  } catch (error) {
    if (!canDoWithout(session, args, most, error)) throw error;
    return await readInCalls(session, record, args, ids, second);
  }
};

const toRead = <T extends { id: string }>(responses: readonly Response<T>[]): ReadEmails<T> => ({
  state: responses[0]?.state ?? '',
  emails: new Map(responses.flatMap(({ list }) => list.map((email) => [email.id, email] as const))),
});

/**
 * Reads emails, a few requests after another; those that are gone are left out.
 *
 * @param ids - none reads the state alone
 * @throws {MailboxError}
 */
export const readEmails = async <T extends { id: string }>(
  session: JmapSession,
  record: z.ZodType<T>,
  args: GetArguments,
  ids: readonly string[],
): Promise<ReadEmails<T>> => toRead(await readInCalls(session, record, args, ids));

/**
 * Reads emails with the mailboxes as they are after the state of the emails, in as many requests as without.
 *
 * @throws {MailboxError}
 */
export const readEmailsAndMailboxes = async <T extends { id: string }>(
  session: JmapSession,
  record: z.ZodType<T>,
  args: GetArguments,
  ids: readonly string[],
): Promise<ReadEmails<T> & { mailboxes: AccountMailboxes }> => {
  const second = [getAllMailboxes()];
  const responses = await readInCalls<T | JmapMailboxRecord>(session, record, args, ids, second);
  const [ofMailboxes] = responses.splice(1, 1);
  const read = toRead(responses as Response<T>[]);
  const list = (ofMailboxes?.list ?? []) as JmapMailboxRecord[];
  return { ...read, mailboxes: noteMailboxes(session, list, read.state) };
};

/**
 * Reads the emails that a query finds, in one request with it unless the server takes fewer of them.
 *
 * @param limit - of the query
 * @throws {MailboxError}
 */
export const readFound = async <T extends { id: string }, Q extends { ids: string[] }>(
  session: JmapSession,
  query: MethodCall<Q>,
  limit: number,
  record: z.ZodType<T>,
  args: GetArguments,
): Promise<ReadEmails<T> & { found: Q }> => {
  const most = Math.min(session.limits.maxObjectsInGet, mostOf(session, toKind(args), limit));
  if (limit <= most) {
    const get = toGetCall(session, record, args, { '#ids': resultOf(0, 'Email/query', '/ids') });
    try {
      const [found, read] = await session.send([query, get]);
      return { found, ...toRead([read]) };
    } catch (error) {
      if (!canDoWithout(session, args, limit, error)) throw error;
      return await readFound(session, query, limit, record, args);
    }
  }
  const [found] = await session.send([query]);
  return { found, ...(await readEmails(session, record, args, found.ids)) };
};

/** The present state of the emails. @throws {MailboxError} */
export const readEmailState = async (session: JmapSession): Promise<string> => {
  const { state } = await readEmails(session, EmailStateSchema, { properties: ['id'] }, []);
  return state;
};

/** Where emails are and how they are marked, with the mailboxes. @throws {MailboxError} */
export const readPlaces = async (
  session: JmapSession,
  ids: readonly string[],
): Promise<ReadEmails<Place> & { mailboxes: AccountMailboxes }> => {
  const args = { properties: EMAIL_STATE_PROPERTIES };
  const { state, emails, mailboxes } = await readEmailsAndMailboxes(session, EmailStateSchema, args, ids);
  return { state, mailboxes, emails: new Map([...emails].map(([id, email]) => [id, toPlace(email)])) };
};
