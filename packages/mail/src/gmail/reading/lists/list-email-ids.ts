import { type GmailSession, toMessageListRequest } from '@mailsweep/mail/gmail/api';
import { type EmailIdQuery, type EmailRef, matchesQuery, SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import { SET_ASIDE_TERM, toListParameters } from '../list-parameters.ts';
import type { MessageReader } from '../read-messages.ts';

/** The largest page that Gmail gives (users.messages.list). */
const PAGE_SIZE = 500;
/** Messages read at once where a filter needs them. */
const READ_SIZE = 100;

/** `from:` takes several values in parentheses, with `OR` between them (Gmail help, "Refine searches in Gmail"). */
const toExtraTerms = ({ from, invitations, setAside, without }: EmailIdQuery): string[] => [
  ...(setAside ? [SET_ASIDE_TERM] : []),
  ...(from === undefined ? [] : [`from:(${from.map((address) => `"${address}"`).join(' OR ')})`]),
  ...(invitations ? ['filename:ics'] : []),
  ...(without ?? []).map((state) => (state === 'inbox' ? '-in:inbox' : '-is:unread')),
];

/** The emails that pass the filters which only a message itself can tell. */
const keepMatching = async (
  reader: MessageReader,
  emails: readonly EmailRef[],
  query: EmailIdQuery,
): Promise<EmailRef[]> => {
  const matching = new Set<string>();
  for (let from = 0; from < emails.length; from += READ_SIZE) {
    const ids = emails.slice(from, from + READ_SIZE).map(({ id }) => id);
    for (const read of await reader.read(ids)) {
      if (matchesQuery(read, { ...query, pageSize: PAGE_SIZE })) matching.add(read.email.id);
    }
  }
  return emails.filter(({ id }) => matching.has(id));
};

/**
 * Lists the ids of all emails of a query, newest first.
 *
 * @throws {MailboxError} when the provider fails
 */
export const listEmailIds = async (
  session: GmailSession,
  reader: MessageReader,
  query: EmailIdQuery,
  limit: number,
): Promise<{ emails: EmailRef[]; isComplete: boolean }> => {
  const filters = toListParameters(query, true);
  if (query.labelled !== undefined) filters.append('labelIds', SYSTEM_LABELS[query.labelled]);
  const extraTerms = toExtraTerms(query);
  if (extraTerms.length > 0) {
    filters.set('q', [filters.get('q'), ...extraTerms].filter(Boolean).join(' '));
  }
  // Mail that arrives meanwhile may push an email on to the next page as well.
  const emails = new Map<string, EmailRef>();
  let pageToken: string | undefined;
  do {
    const list = await session.send(toMessageListRequest(filters, { maxResults: PAGE_SIZE, pageToken }));
    for (const { id, threadId } of list.messages ?? []) emails.set(id, { id, threadId: threadId ?? null });
    pageToken = list.nextPageToken || undefined;
  } while (pageToken !== undefined && emails.size < limit);
  const listed = [...emails.values()].slice(0, limit);
  return {
    emails: query.largerThanMb === undefined ? listed : await keepMatching(reader, listed, query),
    isComplete: pageToken === undefined && emails.size <= limit,
  };
};
