import { BYTES_PER_MB } from '@mailsweep/contracts';
import {
  type EmailIdQuery,
  type EmailRef,
  isMail,
  matchesLabelFilters,
  SYSTEM_LABELS,
} from '@mailsweep/mail/mailbox';
import { toLabels, toPlace } from '../labels.ts';
import { readMailboxes, WORK_REUSE_MS } from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
import {
  BODY_PROPERTIES,
  CATEGORY_PROPERTIES,
  LISTED_PROPERTIES,
  type ListedEmail,
  ListedEmailSchema,
} from '../protocol/jmap-schemas.ts';
import { type ListFilter, toListFilter } from './email-filter.ts';
import { type ListPosition, queryPage } from './query-pages.ts';
import { readAttachments, toCategory } from './to-message-facts.ts';

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
    if (without === 'inbox' && labels.includes(SYSTEM_LABELS.inbox)) return false;
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
