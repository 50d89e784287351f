import { type GmailSession, toMessageLabelsRequest, toMessageListRequest } from '@mailsweep/mail/gmail/api';
import { isMail, MailboxError } from '@mailsweep/mail/mailbox';

/** The labels of one message, or why they could not be read. */
export type LabelsReading = { id: string; labels: string[] } | { id: string; error: MailboxError };

const readLabelsOf = async (session: GmailSession, id: string): Promise<LabelsReading> => {
  try {
    return { id, labels: (await session.send(toMessageLabelsRequest(id))).labelIds ?? [] };
  } catch (error) {
    if (error instanceof MailboxError) return { id, error };
    throw error;
  }
};

/** Reads the labels of each message; an error of one message is in its own reading. */
export const readLabels = (session: GmailSession, ids: readonly string[]): Promise<LabelsReading[]> =>
  Promise.all(ids.map((id) => readLabelsOf(session, id)));

/** The largest page that Gmail gives (users.messages.list). */
const PAGE_SIZE = 500;
/** Most pages that are read, at 5 units each; of more drafts and chats the messages themselves are read. */
const MAX_PAGES = 4;
/** One list of both costs less than one of each. */
const NO_MAIL_FILTERS = new URLSearchParams({ q: 'in:drafts OR in:chats', includeSpamTrash: 'true' });

/** The ids of all drafts and chats; undefined when they are too many. */
const listNoMail = async (session: GmailSession): Promise<string[] | undefined> => {
  const ids: string[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const list = await session.send(
      toMessageListRequest(NO_MAIL_FILTERS, { maxResults: PAGE_SIZE, pageToken }),
    );
    ids.push(...(list.messages ?? []).map(({ id }) => id));
    pageToken = list.nextPageToken || undefined;
    if (pageToken === undefined) return ids;
  }
  return undefined;
};

/**
 * Which of these messages are drafts or chats (5 units, and 20 for each that is). Nothing else of them has to be known.
 *
 * @throws {MailboxError} when that can't be found out
 */
export const findNoMail = async (session: GmailSession, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set();
  const listed = await listNoMail(session);
  // A search may find more than it should: only the labels of a message say what it is.
  const candidates = listed === undefined ? ids : [...new Set(ids).intersection(new Set(listed))];
  const readings = await readLabels(session, candidates);
  const error = readings.map(toFault).find((error) => error !== undefined);
  if (error) throw error;
  return new Set(readings.filter((one) => 'labels' in one && !isMail(one.labels)).map(({ id }) => id));
};

/** A message that does not exist is no draft. */
const toFault = (reading: { id: string } | { id: string; error: MailboxError }): MailboxError | undefined =>
  'error' in reading && reading.error.code !== 'not_found' ? reading.error : undefined;
