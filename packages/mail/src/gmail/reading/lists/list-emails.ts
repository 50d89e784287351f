import type { Conversation, Email } from '@mailsweep/contracts';
import {
  GmailRefusal,
  type GmailSession,
  toMessageFacts,
  toMessageListRequest,
  toThreadRequest,
} from '@mailsweep/mail/gmail/api';
import {
  contradictsList,
  type EmailPage,
  type EmailQuery,
  InvalidPageTokenError,
  isMail,
  matchesLabelFilters,
  matchesQuery,
  toConversation,
  toEmail,
} from '@mailsweep/mail/mailbox';
import { toListParameters } from '../list-parameters.ts';
import type { MessageReader } from '../read-messages.ts';

/** A number of emails and the provider's token. A token without the number is of an older version of ours. */
const PAGE_TOKEN = /^(\d{1,9})\.(.+)$/s;

/** A page token of ours: the provider's, and how many emails the pages before it had. */
export interface PageToken {
  counted: number;
  providerToken: string | undefined;
}

/** Reads a page token. One that is not of this form goes to the provider as it is, which refuses what it does not know. */
export const readPageToken = (token: string | undefined): PageToken => {
  const [, counted = '0', providerToken = token] = PAGE_TOKEN.exec(token ?? '') ?? [];
  return { counted: Number(counted), providerToken };
};

export const writePageToken = (counted: number, providerToken: string): string =>
  `${counted}.${providerToken}`;

/** Most pages of the provider that are read to fill one page of ours when filters leave emails out. */
export const MAX_LIST_ROUNDS = 8;

/**
 * Reads the emails with these ids, in that order; those that are gone are left out, as are drafts and
 * chats.
 *
 * @throws {MailboxError} when the provider fails at any point but a vanished message
 */
export const findEmails = async (reader: MessageReader, ids: readonly string[]): Promise<Email[]> =>
  (await reader.read(ids)).map(({ email }) => email).filter(({ labels }) => isMail(labels));

/** All else in the request is of our own making, so a refusal can only mean the page token we were given. */
const readList = async (
  session: GmailSession,
  request: ReturnType<typeof toMessageListRequest>,
  query: EmailQuery,
) => {
  try {
    return await session.send(request);
  } catch (error) {
    if (error instanceof GmailRefusal && query.pageToken !== undefined) {
      throw new InvalidPageTokenError('the provider refused the page token', { cause: error });
    }
    throw error;
  }
};

/**
 * Reads the messages of a list with labels that are not older than the list. Those of the reader may be: where by
 * them a message would not be on the list, it changed in between, and the history is read again. Where that does not
 * tell, its record is late or lost, and the message itself is fetched.
 */
const readListed = async (reader: MessageReader, ids: readonly string[], query: EmailQuery) => {
  const found = await reader.read(ids);
  if (found.every(({ email }) => matchesLabelFilters(email, query))) return found;
  const again = await reader.readAgain(ids);
  const wrong = again.filter(({ email }) => contradictsList(email, query)).map(({ email }) => email.id);
  if (wrong.length === 0) return again;
  const fetched = new Map((await reader.refetch(wrong)).map((read) => [read.email.id, read]));
  return again.flatMap((read) =>
    wrong.includes(read.email.id) ? (fetched.get(read.email.id) ?? []) : [read],
  );
};

/**
 * Reads a page of emails in the provider's order, newest first. The provider is asked for exactly as many as are
 * still missing, so its page token never skips an email; after {@link MAX_LIST_ROUNDS} the page goes out short. The history
 * of cached messages is requested beside the first page's list, most of which was seen before.
 *
 * @throws {MailboxError} when the provider fails at any point but a single vanished message
 */
export const listEmails = async (
  session: GmailSession,
  reader: MessageReader,
  query: EmailQuery,
): Promise<EmailPage> => {
  const filters = toListParameters(query);
  const emails: Email[] = [];
  // Mail that arrives meanwhile may push an email on to the next page as well.
  const seenIds = new Set<string>();
  const { counted, providerToken } = readPageToken(query.pageToken);
  let pageToken = providerToken;
  if (pageToken === undefined) reader.readAhead();

  for (let round = 1; round <= MAX_LIST_ROUNDS; round += 1) {
    const maxResults = query.pageSize - emails.length;
    const list = await readList(session, toMessageListRequest(filters, { maxResults, pageToken }), query);
    const freshIds = (list.messages ?? []).map(({ id }) => id).filter((id) => !seenIds.has(id));
    for (const id of freshIds) seenIds.add(id);
    const found = await readListed(reader, freshIds, query);
    emails.push(...found.filter((read) => matchesQuery(read, query)).map((read) => read.email));

    pageToken = list.nextPageToken || undefined;
    if (pageToken === undefined || emails.length >= query.pageSize) break;
  }

  const total = counted + emails.length;
  return {
    emails,
    nextPageToken: pageToken === undefined ? null : writePageToken(total, pageToken),
    total,
    totalIsExact: pageToken === undefined,
  };
};

/**
 * Reads a conversation with all its messages in one call, which costs less than two messages by themselves need.
 *
 * @throws {MailboxError} `not_found` when there is no such conversation, and when the provider fails
 */
export const readConversation = async (session: GmailSession, threadId: string): Promise<Conversation> => {
  const { messages } = await session.send(toThreadRequest(threadId));
  const emails = (messages ?? []).map(
    (message) => toEmail(message.id, toMessageFacts(message), message.labelIds ?? []).email,
  );
  return toConversation(threadId, emails);
};
