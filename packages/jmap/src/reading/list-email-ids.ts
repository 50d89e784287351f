import { BYTES_PER_MB } from '@mailsweep/contracts';
import { decodeHeaderText, type EmailIdQuery, type EmailRef, MAX_SENDER_LENGTH } from '@mailsweep/mailbox';
import { toLabels, toPlace } from '../labels.ts';
import { readMailboxes, WORK_REUSE_MS } from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
import {
  BODY_PROPERTIES,
  LISTED_PROPERTIES,
  type ListedEmail,
  ListedEmailSchema,
} from '../protocol/jmap-schemas.ts';
import { type ListFilter, toListFilter } from './email-filter.ts';
import { type ListPosition, queryPage } from './query-pages.ts';
import { readAttachments } from './to-message-facts.ts';

/** Emails of one request, unless the server gives fewer. */
const PAGE_SIZE = 1_000;

/** Whether an email passes what the server is not asked for. A text search may not know new mail yet, so From is read. */
const createJudge = ({ from, invitations, largerThanMb }: EmailIdQuery, { hasAttachment }: ListFilter) => {
  const addresses = from?.map((address) => address.toLowerCase());
  const needsParts = invitations || largerThanMb !== undefined || hasAttachment !== undefined;
  const passes = (email: ListedEmail): boolean => {
    const sender = decodeHeaderText(email['header:From:asRaw'] ?? '', MAX_SENDER_LENGTH).toLowerCase();
    if (addresses && !addresses.some((address) => sender.includes(address))) return false;
    if (!needsParts) return true;
    const { attachmentBytes, attachmentCount, isInvitation } = readAttachments(email);
    return (
      (!invitations || isInvitation) &&
      (largerThanMb === undefined || attachmentBytes > largerThanMb * BYTES_PER_MB) &&
      (hasAttachment === undefined || attachmentCount > 0 === hasAttachment)
    );
  };
  const properties = [...(addresses ? ['header:From:asRaw'] : []), ...(needsParts ? ['bodyStructure'] : [])];
  return { passes, properties };
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
  const mailboxes = await readMailboxes(session, WORK_REUSE_MS);
  const list = toListFilter(query, mailboxes, session.clock.nowMs());
  if (list === undefined) return { emails: [], isComplete: true };
  const { passes, properties } = createJudge(query, list);
  const options = {
    limit: Math.min(PAGE_SIZE, session.limits.maxObjectsInGet),
    record: ListedEmailSchema,
    get: { properties: [...LISTED_PROPERTIES, ...properties], bodyProperties: BODY_PROPERTIES },
  };
  const emails = new Map<string, EmailRef>();
  let from: ListPosition | undefined;
  do {
    const page = await queryPage(session, list.filter, { ...options, from });
    for (const email of page.emails) {
      if (passes(email)) {
        const labels = toLabels(toPlace(email), mailboxes);
        emails.set(email.id, { id: email.id, threadId: email.threadId, labels });
      }
    }
    from = page.next;
  } while (from !== undefined && emails.size <= limit);
  return {
    emails: [...emails.values()].slice(0, limit),
    isComplete: from === undefined && emails.size <= limit,
  };
};
