import type {
  KeptEmail,
  ListSendersQuery,
  ListSendersResponse,
  ListStoredSuggestionsQuery,
  Page,
  Pagination,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { readMessageText, type TextCipher, toEmail } from '@mailsweep/mailbox-sync';
import {
  findLastWholeScan,
  type KeptEmailRow,
  listKeptEmailRows,
  listSenderRows,
} from './mail-overview.repository.ts';

/** Shown when the key of a text was deleted; reading the message again restores the text. */
const UNREADABLE = { from: '', subject: '', snippet: '' };

/**
 * Shows what has been seen of a mailbox, by a scan or page by page, without asking the provider or the classification
 * service: labels are those of the last look at the mailbox. Spam, trash and the user's own mail are left out.
 */
export const createMailOverview = (dependencies: { database: Database; cipher: TextCipher }) => {
  const { database, cipher } = dependencies;

  const textOf = (userId: string, row: { emailId: string; encryptedText: string }) =>
    readMessageText(cipher, userId, row.emailId, row.encryptedText) ?? UNREADABLE;

  const toKeptEmail = (userId: string, row: KeptEmailRow): KeptEmail => {
    const { receivedAt, sizeBytes, attachmentCount, attachmentBytes } = row;
    const threadId = row.threadId ?? undefined;
    const facts = {
      ...textOf(userId, row),
      threadId,
      receivedAt,
      sizeBytes,
      attachmentCount,
      attachmentBytes,
    };
    return { ...toEmail(row.emailId, facts, row.labels).email, suggestions: row.suggestions };
  };

  const listKeptEmails = async (
    userId: string,
    query: Parameters<typeof listKeptEmailRows>[2],
  ): Promise<Page<KeptEmail>> => {
    const { total, rows } = await listKeptEmailRows(database, userId, query);
    const { page, perPage } = query;
    return { total, page, perPage, data: rows.map((row) => toKeptEmail(userId, row)) };
  };

  return {
    /** Who writes how much. */
    async listSenders(userId: string, query: ListSendersQuery): Promise<ListSendersResponse> {
      const [{ total, rows }, scan] = await Promise.all([
        listSenderRows(database, userId, query),
        findLastWholeScan(database, userId),
      ]);
      return {
        total,
        page: query.page,
        perPage: query.perPage,
        complete: scan?.isTrusted ?? false,
        scannedAt: scan?.finishedAt.toISOString() ?? null,
        data: rows.map((row) => ({
          id: Buffer.from(row.senderKey).toString('hex'),
          from: textOf(userId, row).from,
          mails: row.mails,
          inInbox: row.inInbox,
          unread: row.unread,
          bytes: row.bytes,
          lastSeen: row.lastSeen.toISOString(),
          suggested: row.suggested,
        })),
      };
    },

    /** The emails of one sender, newest first. */
    listSenderEmails: (userId: string, senderId: string, { page, perPage }: Pagination) =>
      listKeptEmails(userId, { page, perPage, senderKey: Buffer.from(senderId, 'hex') }),

    /** Emails with open suggestions, newest first. */
    listStoredSuggestions: (userId: string, { page, perPage, sender }: ListStoredSuggestionsQuery) =>
      listKeptEmails(userId, {
        page,
        perPage,
        senderKey: sender === undefined ? undefined : Buffer.from(sender, 'hex'),
        isSuggested: true,
      }),
  };
};
