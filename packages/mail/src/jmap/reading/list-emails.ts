import type { Conversation, Email } from '@mailsweep/contracts';
import {
  type EmailPage,
  type EmailQuery,
  isMail,
  MailboxError,
  matchesQuery,
  type ReadEmail,
  toConversation,
  toEmail,
} from '@mailsweep/mail/mailbox';
import type { MessageToCache } from '@mailsweep/mail/message-cache';
import type { MailboxCache } from '../cache/mailbox-cache.ts';
import { toLabels, toMailboxId, toPlace } from '../labels.ts';
import { type AccountMailboxes, readMailboxes } from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { getThreads } from '../protocol/jmap-methods.ts';
import {
  BODY_PROPERTIES,
  EmailSchema,
  type JmapEmail,
  UnsignedEmailSchema,
} from '../protocol/jmap-schemas.ts';
import { readEmails } from '../read-emails.ts';
import { toListFilter } from './email-filter.ts';
import { cutPage, queryPage, readPageToken, writePageToken } from './query-pages.ts';
import { toCategoryLabels, toMessageFacts } from './to-message-facts.ts';

/** Most requests that are made to fill one page when filters leave emails out. */
const MAX_LIST_ROUNDS = 8;

/** How emails are read in full, and where they are kept. */
export interface EmailReading {
  cache: MailboxCache;
  /** Server whose `Authentication-Results` are believed. */
  authservId: string | undefined;
}

const toGet = ({ authservId }: Pick<EmailReading, 'authservId'>) => ({
  properties: Object.keys((authservId === undefined ? UnsignedEmailSchema : EmailSchema).shape),
  bodyProperties: BODY_PROPERTIES,
});

const toMessage = (
  email: JmapEmail,
  mailboxes: AccountMailboxes,
  { authservId }: EmailReading,
): MessageToCache => ({
  id: email.id,
  labels: [...toLabels(toPlace(email), mailboxes), ...toCategoryLabels(email)],
  facts: toMessageFacts(email, authservId),
});

const toReadEmail = ({ id, facts, labels }: MessageToCache, mailboxes: AccountMailboxes): ReadEmail => {
  const read = toEmail(id, facts, labels);
  const names = labels.flatMap(
    (label) => mailboxes.byId.get(toMailboxId(label, mailboxes) ?? '')?.name ?? [],
  );
  return { ...read, email: { ...read.email, mailboxes: names } };
};

/** Reads emails in full, in the order of the ids; those that are gone are left out. @throws {MailboxError} */
export const readWhole = async (
  session: JmapSession,
  reading: EmailReading,
  ids: readonly string[],
): Promise<Email[]> => {
  const mailboxes = await readMailboxes(session);
  const { state, emails } = await readEmails(session, EmailSchema, toGet(reading), ids);
  const messages = ids
    .flatMap((id) => emails.get(id) ?? [])
    .map((email) => toMessage(email, mailboxes, reading));
  await reading.cache.save({ state, mailboxes, messages });
  return messages
    .filter(({ labels }) => isMail(labels))
    .map((message) => toReadEmail(message, mailboxes).email);
};

/**
 * Reads a page of emails, newest first, in one request where the filters leave none out.
 *
 * @throws {MailboxError}
 * @throws {InvalidPageTokenError}
 * @throws {UnsupportedSearchError}
 */
export const listEmails = async (
  session: JmapSession,
  reading: EmailReading,
  query: EmailQuery,
): Promise<EmailPage> => {
  const start = query.pageToken === undefined ? undefined : readPageToken(query.pageToken);
  const mailboxes = await readMailboxes(session);
  const list = toListFilter(query, mailboxes, session.clock.nowMs());
  if (list === undefined) return { emails: [], nextPageToken: null, total: 0, totalIsExact: true };
  const matches = (read: ReadEmail): boolean =>
    matchesQuery(read, query) &&
    (list.hasAttachment === undefined || read.email.hasAttachment === list.hasAttachment);

  const emails: Email[] = [];
  let from = start?.from;
  for (let round = 1; round <= MAX_LIST_ROUNDS; round += 1) {
    const options = { limit: query.pageSize, from, record: EmailSchema, get: toGet(reading) };
    const page = await queryPage(session, list, options);
    const messages = page.emails.map((email) => toMessage(email, mailboxes, reading));
    await reading.cache.save({ state: page.state, mailboxes, messages });
    let taken = 0;
    for (const message of messages) {
      if (emails.length >= query.pageSize) break;
      const read = toReadEmail(message, mailboxes);
      if (matches(read)) emails.push(read.email);
      taken += 1;
    }
    from = cutPage(page, taken, from).next;
    if (from === undefined || emails.length >= query.pageSize) break;
  }
  const total = (start?.counted ?? 0) + emails.length;
  return {
    emails,
    nextPageToken: from === undefined ? null : writePageToken(total, from),
    total,
    totalIsExact: from === undefined,
  };
};

/**
 * Reads a conversation with all its emails.
 *
 * @throws {MailboxError} `not_found` when there is no such conversation
 */
export const readConversation = async (
  session: JmapSession,
  reading: EmailReading,
  threadId: string,
): Promise<Conversation> => {
  const [{ list }] = await session.send([getThreads({ ids: [threadId] })]);
  const [thread] = list;
  if (thread === undefined) throw new MailboxError('not_found', 'There is no such conversation');
  return toConversation(threadId, await readWhole(session, reading, thread.emailIds));
};
