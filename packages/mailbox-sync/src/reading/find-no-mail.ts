import { type GmailSession, type MailboxError, SYSTEM_LABELS, toMessageListRequest } from '@mailsweep/gmail';
import { countLabel } from './count-emails.ts';
import { isMail } from './email-query.ts';
import { readLabels } from './read-labels.ts';

/** The largest page that Gmail gives (users.messages.list). */
const PAGE_SIZE = 500;
/** Most pages that are read, at 5 units each; of more drafts or chats the messages themselves are read. */
const MAX_PAGES = 4;

/** The ids of all messages with a label; undefined when they are too many. */
const listIds = async (session: GmailSession, label: string): Promise<string[] | undefined> => {
  if ((await countLabel(session, label)) === 0) return [];
  const filters = new URLSearchParams({ labelIds: label, includeSpamTrash: 'true' });
  const ids: string[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const list = await session.send(toMessageListRequest(filters, { maxResults: PAGE_SIZE, pageToken }));
    ids.push(...(list.messages ?? []).map(({ id }) => id));
    pageToken = list.nextPageToken || undefined;
    if (pageToken === undefined) return ids;
  }
  return undefined;
};

/**
 * Which of these messages are drafts or chats. Nothing else of them has to be known.
 *
 * @throws {MailboxError} when that can't be found out
 */
export const findNoMail = async (session: GmailSession, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set();
  const [drafts, chats] = await Promise.all([
    listIds(session, SYSTEM_LABELS.draft),
    listIds(session, SYSTEM_LABELS.chat),
  ]);
  if (drafts && chats) return new Set(ids).intersection(new Set([...drafts, ...chats]));
  const readings = await readLabels(session, ids);
  const error = readings.map(toFault).find((error) => error !== undefined);
  if (error) throw error;
  return new Set(readings.filter((one) => 'labels' in one && !isMail(one.labels)).map(({ id }) => id));
};

/** A message that does not exist is no draft. */
const toFault = (reading: { id: string } | { id: string; error: MailboxError }): MailboxError | undefined =>
  'error' in reading && reading.error.code !== 'not_found' ? reading.error : undefined;
