import {
  type CleanupSelection,
  hasWords,
  type KeptEmail,
  type ListSendersQuery,
  type ListSendersResponse,
  type ListStoredSuggestionsQuery,
  type Page,
  type Pagination,
  type ProtectionReason,
  type Sender,
  type SenderDetails,
  toWords,
  type Unsubscribe,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { toEmail } from '@mailsweep/mailbox';
import { readFactColumns, readMessageText, type TextCipher } from '@mailsweep/message-cache';
import { readAcceptanceModel } from '../learning/learned-acceptance.repository.ts';
import { listCachedReasons, listNoticed } from '../protections/cached-protection.repository.ts';
import { whyProtected } from '../protections/why-protected.ts';
import { findLastWholeScan } from '../suggestions/last-whole-scan.repository.ts';
import { readOffer, toUnsubscribe } from '../unsubscribing/sender-unsubscribe.ts';
import { listSenderUnsubscribes } from '../unsubscribing/unsubscribe.repository.ts';
import {
  type CachedEmailRow,
  countEmailsAlike,
  type EmailsAlike,
  listCachedEmailRows,
  listSenderRows,
  type SenderReference,
  type SenderRow,
} from './mail-overview.repository.ts';

const ACTIONS = ['archive', 'delete', 'mark_read', 'label'] as const;

const isConcerned = (action: (typeof ACTIONS)[number], { isInInbox, isUnread }: EmailsAlike): boolean => {
  if (action === 'archive') return isInInbox;
  return action !== 'mark_read' || isUnread;
};

const holds =
  ({ reason, isNotify, isReceipt }: EmailsAlike) =>
  (asked: ProtectionReason): boolean =>
    asked === reason || (asked === 'notify' && isNotify) || (asked === 'receipt' && isReceipt);

/** How many emails of a sender cleanups take, and why others would not be deleted. */
const countTaken = (
  sender: string,
  alike: readonly EmailsAlike[],
): Pick<SenderDetails, 'takes' | 'excluded'> => {
  const selection: CleanupSelection = { type: 'senders', senders: [sender], except: [] };
  const takes = { archive: 0, delete: 0, mark_read: 0, label: 0 };
  const excluded: SenderDetails['excluded'] = {};
  for (const emails of alike) {
    for (const action of ACTIONS) {
      if (!isConcerned(action, emails)) continue;
      const reason = whyProtected({ action, selection }, action, holds(emails));
      if (reason === undefined) takes[action] += emails.emails;
      else if (action === 'delete') excluded[reason] = (excluded[reason] ?? 0) + emails.emails;
    }
  }
  return { takes, excluded };
};

/** Senders that a search looks through: more than a mailbox has. */
const MAX_SEARCHED = 100_000;
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

  const toKeptEmail = (
    userId: string,
    row: CachedEmailRow,
    protection: ProtectionReason | null,
  ): KeptEmail => {
    const facts = { ...textOf(userId, row), ...readFactColumns(row) };
    return { ...toEmail(row.emailId, facts, row.labels).email, suggestions: row.suggestions, protection };
  };

  const listCachedEmails = async (
    userId: string,
    { page, perPage }: Pagination,
    filter: Parameters<typeof listCachedEmailRows>[3],
  ): Promise<Page<KeptEmail>> => {
    const model = await readAcceptanceModel(database, userId);
    const { total, rows } = await listCachedEmailRows(database, userId, { page, perPage }, filter, model);
    const ids = rows.map(({ emailId }) => emailId);
    const [reasons, noticed] = await Promise.all([
      listCachedReasons(database, userId, ids),
      listNoticed(database, userId, ids),
    ]);
    const whyNotCleared = (id: string): ProtectionReason | null =>
      reasons.get(id) ?? (noticed.notify.has(id) ? 'notify' : noticed.receipt.has(id) ? 'receipt' : null);
    const data = rows.map((row) => toKeptEmail(userId, row, whyNotCleared(row.emailId)));
    return { total, page, perPage, data };
  };

  /** By the sender's id. */
  const listUnsubscribes = async (userId: string, senderIds: string[]): Promise<Map<string, Unsubscribe>> => {
    const rows = await listSenderUnsubscribes(database, userId, senderIds);
    return new Map(
      rows.map((row) => [row.senderId, toUnsubscribe(row, readOffer(cipher, userId, row)?.offer)]),
    );
  };

  const toSenders = async (userId: string, rows: SenderRow[]): Promise<Sender[]> => {
    const senders = rows.map((row) => ({ ...row, id: Buffer.from(row.senderKey).toString('hex') }));
    const unsubscribes = await listUnsubscribes(
      userId,
      senders.map(({ id }) => id),
    );
    return senders.map((row) => ({
      id: row.id,
      from: textOf(userId, row).from,
      mails: row.mails,
      inInbox: row.inInbox,
      unread: row.unread,
      bytes: row.bytes,
      lastSeen: row.lastSeen.toISOString(),
      suggested: row.suggested,
      protected: row.isProtected,
      unsubscribe: unsubscribes.get(row.id) ?? null,
    }));
  };

  /** The database can't search encrypted texts, so a search decrypts one text of each sender. */
  const findSenderRows = async (userId: string, { search, ...query }: ListSendersQuery) => {
    if (search === undefined) return await listSenderRows(database, userId, query);
    const words = toWords(search);
    const { rows } = await listSenderRows(database, userId, { ...query, page: 1, perPage: MAX_SEARCHED });
    const found = rows.filter((row) => hasWords(textOf(userId, row).from, words));
    const start = (query.page - 1) * query.perPage;
    return { total: found.length, rows: found.slice(start, start + query.perPage) };
  };

  return {
    /** Who writes how much. */
    async listSenders(userId: string, query: ListSendersQuery): Promise<ListSendersResponse> {
      const [{ total, rows }, scan] = await Promise.all([
        findSenderRows(userId, query),
        findLastWholeScan(database, userId),
      ]);
      return {
        total,
        page: query.page,
        perPage: query.perPage,
        complete: scan?.isTrusted ?? false,
        scannedAt: scan?.finishedAt.toISOString() ?? null,
        data: await toSenders(userId, rows),
      };
    },

    /** One sender, with what bulk actions take of it; null where no email of it is left. */
    async findSender(userId: string, reference: SenderReference): Promise<SenderDetails | null> {
      const [{ rows }, alike] = await Promise.all([
        listSenderRows(database, userId, { page: 1, perPage: 1, sort: 'mails' }, reference),
        countEmailsAlike(database, userId, reference),
      ]);
      const [sender] = await toSenders(userId, rows);
      return sender === undefined ? null : { ...sender, ...countTaken(sender.id, alike) };
    },

    /** The emails of one sender, newest first. */
    listSenderEmails: (userId: string, senderId: string, pagination: Pagination) =>
      listCachedEmails(userId, pagination, { sender: senderId }),

    /** Emails with open suggestions, newest first. */
    listStoredSuggestions: (userId: string, query: ListStoredSuggestionsQuery) =>
      listCachedEmails(userId, query, { suggested: query }),
  };
};
