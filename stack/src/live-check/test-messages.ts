import { randomUUID } from 'node:crypto';
import {
  type GmailRequest,
  type GmailSession,
  toBatchModifyRequest,
  toCreateLabelRequest,
  toLabelListRequest,
  toMessageListRequest,
} from '@mailsweep/gmail';
import type { Mailbox } from '@mailsweep/mailbox-sync';
import { z } from 'zod';

/** Label of every message that a live check inserts. */
const MAIN_LABEL = 'Mailsweep live check';
/** Sender and recipient of every such message: by this, and by the label, a later run knows it again. */
const SENDER = 'live-check@mailsweep.invalid';

const INSERTIONS_AT_A_TIME = 5;
const PAGE_SIZE = 500;
const MAX_BATCH = 1_000;

/** A plain message, in the form in which the Gmail API takes it. Subjects differ, so that Gmail joins none to a conversation. */
const toMessage = (): string => {
  const address = `Mailsweep live check <${SENDER}>`;
  const lines = [
    `From: ${address}`,
    `To: ${address}`,
    `Subject: Mailsweep live check ${randomUUID()}`,
    `Date: ${new Date().toUTCString()}`,
    `Message-ID: <${randomUUID()}@live-check.mailsweep.invalid>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'A message of `npm run live-check`. It can be deleted.',
  ];
  return Buffer.from(lines.join('\r\n')).toString('base64url');
};

/** `users.messages.insert`. Repeated after a lost response it may insert a second message, which has the label, too. */
const toInsertRequest = (labelIds: string[]): GmailRequest<{ id: string }> => ({
  method: 'POST',
  path: 'messages',
  body: { raw: toMessage(), labelIds },
  response: z.object({ id: z.string() }),
});

/** `users.labels.delete` */
const toDeleteLabelRequest = (id: string): GmailRequest<unknown> => ({
  method: 'DELETE',
  path: `labels/${id}`,
  response: z.unknown(),
});

/**
 * Inserts messages into the inbox. Each has the main label from its first moment on, so that a run that is killed leaves
 * none that the next one would not find.
 */
export const insertMessages = async (
  session: GmailSession,
  count: number,
  onInserted: (id: string) => void,
): Promise<void> => {
  const label = await session.send(toCreateLabelRequest(MAIN_LABEL));
  for (let done = 0; done < count; done += INSERTIONS_AT_A_TIME) {
    const round = Array.from({ length: Math.min(INSERTIONS_AT_A_TIME, count - done) }, async () =>
      onInserted((await session.send(toInsertRequest([label.id, 'INBOX']))).id),
    );
    // All are waited for, also when one fails: none may arrive after everything has been cleaned up.
    for (const ended of await Promise.allSettled(round)) {
      if (ended.status === 'rejected') throw ended.reason;
    }
  }
};

export interface CleanUpReport {
  /** How many messages were moved to the trash: gmail.modify does not allow more. */
  messages: number;
  /** Messages under our label that are not ours; they were left alone, and so was the label. */
  foreignMessages: number;
}

const listLabelled = async (session: GmailSession, labelIds: string): Promise<string[]> => {
  const ids: string[] = [];
  const filters = new URLSearchParams({ labelIds, includeSpamTrash: 'true' });
  let pageToken: string | undefined;
  do {
    const page = await session.send(toMessageListRequest(filters, { maxResults: PAGE_SIZE, pageToken }));
    const messages = page.messages ?? [];
    ids.push(...messages.map(({ id }) => id));
    pageToken = messages.length === 0 ? undefined : (page.nextPageToken ?? undefined);
  } while (pageToken !== undefined);
  return ids;
};

/**
 * Takes away what this run or an earlier one has left: messages go to the trash, the label is deleted. Nothing else is
 * touched.
 *
 * @param ownIds - messages known to be ours; others under our label have to prove it by their sender
 */
export const cleanUp = async (
  session: GmailSession,
  mailbox: Pick<Mailbox, 'findEmails'>,
  ownIds: ReadonlySet<string>,
): Promise<CleanUpReport> => {
  const { labels } = await session.send(toLabelListRequest());
  const label = labels?.find(({ name }) => name === MAIN_LABEL);
  const labelled = label === undefined ? [] : await listLabelled(session, label.id);
  const unproven = labelled.filter((id) => !ownIds.has(id));
  const found = await mailbox.findEmails(unproven);
  const proven = found.filter(({ from }) => from.includes(SENDER)).map(({ id }) => id);
  const ids = [...ownIds, ...proven];
  for (let from = 0; from < ids.length; from += MAX_BATCH) {
    const change = { added: ['TRASH'], removed: ['INBOX', 'UNREAD'] };
    await session.send(toBatchModifyRequest(ids.slice(from, from + MAX_BATCH), change));
  }
  const foreignMessages = unproven.length - proven.length;
  if (label !== undefined && foreignMessages === 0) await session.send(toDeleteLabelRequest(label.id));
  return { messages: ids.length, foreignMessages };
};
