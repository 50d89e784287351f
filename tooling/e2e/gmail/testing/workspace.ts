import { randomUUID } from 'node:crypto';
import {
  toBatchModifyRequest,
  toCreateLabelRequest,
  toLabelListRequest,
  toMessageLabelsRequest,
  toMessageListRequest,
  toMessageRequest,
} from '@mailsweep/mail/gmail/api';
import { findHeader } from '@mailsweep/mail/mailbox';
import { z } from 'zod';
import { type GmailClient, toDeleteRequest } from './gmail-client.ts';

/** Sender and recipient of every message of a live check: by this, and by the label, a later run knows it again. */
const SENDER = 'live-check@mailsweep.invalid';
export const MAIN_LABEL = 'Mailsweep live check';
/** Subject of the one draft, which can carry no label. */
export const DRAFT_SUBJECT = 'Mailsweep live check: a draft';
const BODY = 'A message of `npm run live-check`. It can be deleted.';

const toRaw = (lines: readonly string[]): string =>
  Buffer.from(lines.join('\r\n'), 'utf8').toString('base64url');

const toHead = (subject: string): string[] => [
  `From: Mailsweep live check <${SENDER}>`,
  `To: Mailsweep live check <${SENDER}>`,
  `Subject: ${subject}`,
  `Date: ${new Date().toUTCString()}`,
  `Message-ID: <${randomUUID()}@live-check.mailsweep.invalid>`,
  'MIME-Version: 1.0',
];

const toPlainMessage = (subject: string): string =>
  toRaw([...toHead(subject), 'Content-Type: text/plain; charset=utf-8', '', BODY]);

/** A draft of ours, in the form in which the Gmail API takes messages. */
export const toDraft = (): string => toPlainMessage(DRAFT_SUBJECT);

/** How many files a message that was forwarded three times carries: one at each level. */
export const FORWARDED_FILES = 4;

/** A message that was forwarded as an attachment so many times, with a file at each level. */
const toForwarded = (depth: number): string[] => [
  ...toHead(`Mailsweep live check, forwarded ${depth} ${randomUUID()}`),
  `Content-Type: multipart/mixed; boundary="live-check-${depth}"`,
  '',
  `--live-check-${depth}`,
  'Content-Type: text/plain; charset=utf-8',
  '',
  BODY,
  `--live-check-${depth}`,
  `Content-Type: application/pdf; name="file-${depth}.pdf"`,
  `Content-Disposition: attachment; filename="file-${depth}.pdf"`,
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from(`A file of the live check, at depth ${depth}.`).toString('base64'),
  ...(depth === 0
    ? []
    : [`--live-check-${depth}`, 'Content-Type: message/rfc822', '', ...toForwarded(depth - 1)]),
  `--live-check-${depth}--`,
  '',
];

const INSERTIONS_AT_A_TIME = 5;
const CATEGORIES = ['CATEGORY_PERSONAL', 'CATEGORY_PROMOTIONS'];
const InsertedSchema = z.looseObject({ id: z.string() });

export const createLabel = async (gmail: GmailClient, name: string): Promise<string> =>
  (await gmail.send(toCreateLabelRequest(name))).id;

export const readLabels = async (gmail: GmailClient, messageId: string): Promise<string[]> =>
  (await gmail.send(toMessageLabelsRequest(messageId))).labelIds ?? [];

/**
 * Inserts the messages of a run. Each has the main label from its first moment on, so that a run that is killed leaves
 * none that the next one would not find.
 */
export const fillWorkspace = async (
  gmail: GmailClient,
  options: { messages: number; onInserted: (id: string, done: number) => void },
) => {
  const mainLabelId = await createLabel(gmail, MAIN_LABEL);
  let done = 0;
  const insert = async (raw: string, ...labels: string[]) => {
    const body = { raw, labelIds: [mainLabelId, 'INBOX', ...labels] };
    const inserted = await gmail.send({ method: 'POST', path: 'messages', body, response: InsertedSchema });
    done += 1;
    options.onInserted(inserted.id, done);
    return inserted;
  };
  // Subjects differ, so that Gmail joins none to a conversation.
  const insertPlain = async (...labels: string[]) =>
    (await insert(toPlainMessage(`Mailsweep live check ${randomUUID()}`), ...labels)).id;

  const forwarded = await insert(toRaw(toForwarded(FORWARDED_FILES - 1)));
  const categories = [['none', await insertPlain()]];
  for (const category of CATEGORIES) categories.push([category, await insertPlain(category)]);
  const messageIds: string[] = [];
  while (messageIds.length < options.messages) {
    const count = Math.min(INSERTIONS_AT_A_TIME, options.messages - messageIds.length);
    const round = Array.from({ length: count }, () => insertPlain());
    // All are waited for, also when one fails: none may arrive after everything has been cleaned up.
    for (const settled of await Promise.allSettled(round)) {
      if (settled.status === 'rejected') throw settled.reason;
      messageIds.push(settled.value);
    }
  }
  return {
    mainLabelId,
    /** Plain messages in the inbox. */
    messageIds,
    /** Plain messages of which each has another category, `none` for without; ids by the category's label. */
    byCategory: Object.fromEntries(categories) as Record<string, string>,
    forwardedId: forwarded.id,
    /** The keys of a response to an insertion, sorted. */
    insertionKeys: Object.keys(forwarded).toSorted(),
  };
};

/** What the tests work on: messages and labels of our own. */
export type Workspace = Readonly<Awaited<ReturnType<typeof fillWorkspace>>>;

const PAGE_SIZE = 500;
const MAX_BATCH = 1_000;
const DraftListSchema = z.object({
  drafts: z.array(z.object({ id: z.string(), message: z.object({ id: z.string() }) })).default([]),
});

export interface CleanUpReport {
  /** How many messages were moved to the trash: gmail.modify does not allow more. */
  messages: number;
  drafts: number;
  labels: number;
  /** Messages under our label that are not ours; they were left alone, and so was the label. */
  foreignMessages: number;
}

const listAll = async (gmail: GmailClient, filters: Record<string, string>): Promise<string[]> => {
  const query = new URLSearchParams({ ...filters, includeSpamTrash: 'true' });
  const ids: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await gmail.send(toMessageListRequest(query, { maxResults: PAGE_SIZE, pageToken }));
    ids.push(...(page.messages ?? []).map(({ id }) => id));
    pageToken = page.messages?.length ? (page.nextPageToken ?? undefined) : undefined;
  } while (pageToken !== undefined);
  return ids;
};

/** Reads headers of a message, and no more of it. */
const readHeaders = async (gmail: GmailClient, id: string, ...names: string[]): Promise<string[]> => {
  const query = new URLSearchParams({ format: 'metadata', fields: 'id,payload/headers' });
  for (const name of names) query.append('metadataHeaders', name);
  const { payload } = await gmail.send({ ...toMessageRequest(id), query });
  return names.map((name) => findHeader(payload?.headers ?? [], name) ?? '');
};

const fold = (name: string): string => name.toLowerCase();

/** In any case: one test tries to create a label whose name differs in that alone. */
const isOurLabel = (name: string): boolean =>
  fold(name) === fold(MAIN_LABEL) || fold(name).startsWith(`${fold(MAIN_LABEL)}/`);

/** Deletes drafts of ours, for good: a draft can't be in the trash. */
const deleteDrafts = async (gmail: GmailClient): Promise<number> => {
  const query = new URLSearchParams({ q: `subject:"${DRAFT_SUBJECT}"`, maxResults: String(PAGE_SIZE) });
  const { drafts } = await gmail.send({ method: 'GET', path: 'drafts', query, response: DraftListSchema });
  let deleted = 0;
  for (const { id, message } of drafts) {
    const [subject, to] = await readHeaders(gmail, message.id, 'Subject', 'To');
    // Gmail sets the sender of a draft itself; only live checks write to this address.
    if (subject !== DRAFT_SUBJECT || !to?.includes(SENDER)) continue;
    await gmail.send(toDeleteRequest(`drafts/${id}`));
    deleted += 1;
  }
  return deleted;
};

/**
 * Takes away what this run or an earlier one has left: the messages that live checks inserted go to the trash, their
 * draft and their labels are deleted. Nothing else is touched.
 *
 * @param ownIds - messages known to be ours; others under our label have to prove it by their sender
 */
export const cleanUp = async (gmail: GmailClient, ownIds: ReadonlySet<string>): Promise<CleanUpReport> => {
  const drafts = await deleteDrafts(gmail);
  const ours = ((await gmail.send(toLabelListRequest())).labels ?? []).filter(({ name }) => isOurLabel(name));
  const main = ours.find(({ name }) => fold(name) === fold(MAIN_LABEL));
  const labelled = main === undefined ? [] : await listAll(gmail, { labelIds: main.id });
  const foreign = new Set(labelled.filter((id) => !ownIds.has(id)));
  if (main !== undefined && foreign.size > 0) {
    const found = await listAll(gmail, { labelIds: main.id, q: `from:${SENDER}` });
    for (const id of found) foreign.delete(id);
  }
  // The search may not know a message yet.
  for (const id of foreign) {
    const [from] = await readHeaders(gmail, id, 'From');
    if (from?.includes(SENDER)) foreign.delete(id);
  }
  const ids = [...new Set([...ownIds, ...labelled])].filter((id) => !foreign.has(id));
  for (let from = 0; from < ids.length; from += MAX_BATCH) {
    const batch = ids.slice(from, from + MAX_BATCH);
    const change = { added: ['TRASH'], removed: ['INBOX', 'UNREAD', 'STARRED'] };
    await gmail.send(toBatchModifyRequest(batch, change));
  }
  const deletable = ours.filter(({ id }) => foreign.size === 0 || id !== main?.id);
  // The main label last: by it a further run would find what is left of this one.
  for (const { id } of deletable.toSorted((one, other) => other.name.length - one.name.length)) {
    await gmail.send(toDeleteRequest(`labels/${id}`));
  }
  return { messages: ids.length, drafts, labels: deletable.length, foreignMessages: foreign.size };
};

export const describeCleanUp = ({ messages, drafts, labels, foreignMessages }: CleanUpReport): string => {
  const done = `${messages} messages moved to the trash, ${drafts} drafts and ${labels} labels deleted.`;
  return foreignMessages === 0
    ? done
    : `${done} ${foreignMessages} messages of others under the label were left alone.`;
};
