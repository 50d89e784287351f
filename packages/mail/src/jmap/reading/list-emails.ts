import { BYTES_PER_MB, type Conversation, type Email } from '@mailsweep/contracts';
import {
  type EmailIdQuery,
  type EmailPage,
  type EmailQuery,
  type EmailRef,
  isMail,
  MailboxError,
  matchesLabelFilters,
  matchesQuery,
  type ReadEmail,
  SYSTEM_LABELS,
  toConversation,
  toEmail,
} from '@mailsweep/mail/mailbox';
import type { MessageToCache } from '@mailsweep/mail/message-cache';
import type { MailboxCache } from '../cache/mailbox-cache.ts';
import {
  type AccountMailboxes,
  readMailboxes,
  toLabels,
  toMailboxId,
  toPlace,
  WORK_REUSE_MS,
} from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
import {
  BODY_PROPERTIES,
  CATEGORY_PROPERTIES,
  EmailSchema,
  getThreads,
  type JmapEmail,
  LISTED_PROPERTIES,
  type ListedEmail,
  ListedEmailSchema,
  UnsignedEmailSchema,
} from '../protocol/jmap-schemas.ts';
import { readEmails } from '../read-emails.ts';
import { type ListFilter, toListFilter } from './email-filter.ts';
import { cutPage, type ListPosition, queryPage, readPageToken, writePageToken } from './query-pages.ts';
import { readAttachments, toCategory, toCategoryLabels, toMessageFacts } from './to-message-facts.ts';

/** Emails of one request, unless the server gives fewer. */
const PAGE_SIZE = 1_000;

/** Whether an email passes what the server is not asked for. A text search may not know new mail yet, so From is read. */
const createJudge = (query: EmailIdQuery, { hasAttachment }: ListFilter) => {
  const { category, from, invitations, labelled, largerThanMb, without } = query;
  const addresses = from?.map((address) => address.toLowerCase());
  const needsParts = invitations || largerThanMb !== undefined || hasAttachment !== undefined;
  const passes = (email: ListedEmail, labels: readonly string[]): boolean => {
    const own = category === undefined ? { labels } : { labels, category: toCategory(email) };
    if (!isMail(labels) || !matchesLabelFilters(own, query)) return false;
    if (labelled !== undefined && !labels.includes(SYSTEM_LABELS[labelled])) return false;
    if (without?.includes('inbox') && labels.includes(SYSTEM_LABELS.inbox)) return false;
    const sender = (email['header:From:asRaw:all'] ?? []).join().toLowerCase();
    if (addresses && !addresses.some((address) => sender.includes(address))) return false;
    if (!needsParts) return true;
    const { attachmentBytes, attachmentCount, isInvitation } = readAttachments(email);
    return (
      (!invitations || isInvitation) &&
      (largerThanMb === undefined || attachmentBytes > largerThanMb * BYTES_PER_MB) &&
      (hasAttachment === undefined || attachmentCount > 0 === hasAttachment)
    );
  };
  const properties = [
    ...(addresses ? ['header:From:asRaw:all'] : []),
    ...(category === undefined ? [] : CATEGORY_PROPERTIES),
    ...(needsParts ? ['bodyStructure'] : []),
  ];
  return { passes, properties };
};

/**
 * Lists emails of a query, newest first, with their labels.
 *
 * @param besides - properties that are read of them, too
 * @param take - given each of them once; ends the list by returning false
 * @throws {MailboxError}
 * @throws {UnsupportedSearchError}
 */
export const eachEmail = async (
  session: JmapSession,
  query: EmailIdQuery,
  besides: readonly string[],
  take: (email: ListedEmail, labels: string[]) => boolean,
): Promise<void> => {
  const mailboxes = await readMailboxes(session, WORK_REUSE_MS);
  const list = toListFilter(query, mailboxes, session.clock.nowMs());
  if (list === undefined) return;
  const { passes, properties } = createJudge(query, list);
  const options = {
    limit: Math.min(PAGE_SIZE, session.limits.maxObjectsInGet),
    record: ListedEmailSchema,
    get: {
      properties: [...new Set([...LISTED_PROPERTIES, ...properties, ...besides])],
      ...(properties.includes('bodyStructure') && { bodyProperties: BODY_PROPERTIES }),
    },
  };
  const seen = new Set<string>();
  let from: ListPosition | undefined;
  do {
    const page = await queryPage(session, list, { ...options, from });
    for (const email of page.emails) {
      const labels = toLabels(toPlace(email), mailboxes);
      if (seen.has(email.id) || !passes(email, labels)) continue;
      seen.add(email.id);
      if (!take(email, labels)) return;
    }
    from = page.next;
  } while (from !== undefined);
};

/**
 * Lists the ids of all emails of a query, newest first.
 *
 * @throws {MailboxError}
 * @throws {UnsupportedSearchError}
 */
export const listEmailIds = async (
  session: JmapSession,
  query: EmailIdQuery,
  limit: number,
): Promise<{ emails: EmailRef[]; isComplete: boolean }> => {
  // It is in mailboxes of its own, which hold no mail.
  if (query.setAside) return { emails: [], isComplete: true };
  const emails: EmailRef[] = [];
  await eachEmail(session, query, [], ({ id, threadId }, labels) => {
    emails.push({ id, threadId, labels });
    return emails.length <= limit;
  });
  return { emails: emails.slice(0, limit), isComplete: emails.length <= limit };
};

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
