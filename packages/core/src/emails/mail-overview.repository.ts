import { domainToUnicode } from 'node:url';
import {
  type CleanupSelection,
  type Counts,
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
  type SenderGrouping,
  type SenderSort,
  type StoredSuggestion,
  SUGGESTED_ACTIONS,
  type SuggestedAction,
  SuggestionSchema,
  toWords,
  type Unsubscribe,
} from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import { toEmail } from '@mailsweep/mail/mailbox';
import {
  FACTS,
  type FactsRow,
  isGroupKey,
  readFactColumns,
  readMessageText,
  toPlainName,
} from '@mailsweep/mail/message-cache';
import { z } from 'zod';
import type { AcceptanceModel } from '../learning/acceptance.ts';
import { readAcceptanceModel } from '../learning/learned-acceptance.repository.ts';
import { rateBest } from '../learning/rate-best.ts';
import {
  cachedReason,
  listCachedReasons,
  listNoticed,
  noticedEmails,
} from '../protections/cached-protection.repository.ts';
import { isProtectedList, protectedSenderKeys } from '../protections/protection.repository.ts';
import { whyProtected } from '../protections/why-protected.ts';
import {
  createToGroup,
  resolveSenders,
  type SenderGroup,
  type SenderKeys,
} from '../sender-groups/sender-groups.ts';
import { isFrom, LIST, type SenderSources, UNLISTED } from '../sender-groups/sender-source.repository.ts';
import { fromCachedEmails } from '../suggestions/cached-emails.repository.ts';
import { findLastWholeScan } from '../suggestions/email-suggestion.repository.ts';
import {
  hasOpenSuggestion,
  type SuggestionFilter,
} from '../suggestions/groups/suggestion-filter.repository.ts';
import { surveyedSenders } from '../survey/survey.repository.ts';
import {
  countUnsubscribes,
  listSenderUnsubscribes,
  stillSendingKeys,
} from '../unsubscribing/unsubscribe.repository.ts';
import { readOffers, toUnsubscribe } from '../unsubscribing/unsubscribe-sender.ts';

const ACTIONS = ['archive', 'delete', 'mark_read', 'label'] as const;

const isConcerned = (action: (typeof ACTIONS)[number], { isInInbox, isUnread }: EmailsAlike): boolean => {
  if (action === 'archive') return isInInbox;
  return action !== 'mark_read' || isUnread;
};

const holds =
  ({ reason, isNotify, isReceipt }: EmailsAlike) =>
  (asked: ProtectionReason): boolean =>
    asked === reason || (asked === 'notify' && isNotify) || (asked === 'receipt' && isReceipt);

/** How many emails of a sender cleanups take, and why others would not be deleted; of listed emails the plan tells why. */
const countTaken = (
  { id: sender, read, ...listed }: Sender,
  alike: readonly EmailsAlike[],
): Pick<SenderDetails, 'takes' | 'excluded'> => {
  const selection: CleanupSelection = { type: 'senders', senders: [sender], except: [] };
  const takes = { archive: 0, delete: 0, mark_read: 0, label: 0 };
  const excluded: SenderDetails['excluded'] = {};
  if (read !== undefined) {
    const countRead = (counts: (emails: EmailsAlike) => boolean) =>
      alike.filter(counts).reduce((sum, { emails }) => sum + emails, 0);
    takes.delete = takes.label = Math.max(0, listed.mails - countRead(() => true));
    takes.archive = Math.max(0, listed.inInbox - countRead(({ isInInbox }) => isInInbox));
    takes.mark_read = Math.max(0, listed.unread - countRead(({ isUnread }) => isUnread));
  }
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

const countActions = (count: (action: SuggestedAction) => number): SenderRow['suggestedActions'] =>
  Object.fromEntries(
    SUGGESTED_ACTIONS.map((action) => [action, count(action)]),
  ) as SenderRow['suggestedActions'];

/** What there is from two senders together. */
const combine = (one: SenderRow, other: SenderRow): SenderRow => ({
  ...(other.lastSeen > one.lastSeen ? other : one),
  mails: one.mails + other.mails,
  inInbox: one.inInbox + other.inInbox,
  unread: one.unread + other.unread,
  bytes: one.bytes + other.bytes,
  lastRead: Number(one.lastRead) > Number(other.lastRead) ? one.lastRead : other.lastRead,
  suggested: one.suggested + other.suggested,
  suggestedActions: countActions((action) => one.suggestedActions[action] + other.suggestedActions[action]),
  read:
    one.read === null && other.read === null ? null : (one.read ?? one.mails) + (other.read ?? other.mails),
  // Of those who are read, ages are not counted.
  olderThanYear: null,
  isProtected: one.isProtected && other.isProtected,
});

const withoutZeros = (counts: Readonly<Record<string, number>>): Counts =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));

/** A sender or a group in a list. */
interface ListedSender {
  id: string;
  row: SenderRow;
  group?: Sender['group'];
  /** What a search looks through: texts that have all words. */
  names: string[];
}

const toGroupFact = ({ name }: SenderGroup, addresses: number): NonNullable<Sender['group']> => {
  const by = name.startsWith('domain:') ? 'domain' : 'list';
  const plain = toPlainName(name);
  return { by, name: by === 'domain' ? domainToUnicode(plain) : plain, addresses };
};

/** Senders that a search looks through: more than a mailbox has. */
const MAX_SEARCHED = 100_000;
/** Shown when the key of a text was deleted; reading the message again restores the text. */
const UNREADABLE = { from: '', subject: '', snippet: '' };

/**
 * Shows what has been seen of a mailbox, by a scan or page by page, without asking the provider or the classification
 * service: labels are those of the last look at the mailbox. Spam, trash and the user's own mail are left out.
 */
export const createSenders = (dependencies: SenderKeys) => {
  const { database, cipher, senderKey } = dependencies;

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
    return new Map(rows.map((row) => [row.senderId, toUnsubscribe(row, readOffers(cipher, userId, row))]));
  };

  const toSenders = async (userId: string, senders: readonly ListedSender[]): Promise<Sender[]> => {
    const ids = senders.filter(({ group }) => group === undefined).map(({ id }) => id);
    const unsubscribes = await listUnsubscribes(userId, ids);
    return senders.map(({ id, row, group }) => ({
      id,
      from: textOf(userId, row).from,
      ...(group && { group }),
      mails: row.mails,
      inInbox: row.inInbox,
      unread: row.unread,
      bytes: row.bytes,
      lastSeen: row.lastSeen.toISOString(),
      lastRead: row.lastRead?.toISOString() ?? null,
      suggested: row.suggested,
      ...(row.suggested > 0 && { suggestedActions: withoutZeros(row.suggestedActions) }),
      ...(row.read !== null && { read: row.read }),
      ...(row.olderThanYear !== null && { olderThanYear: row.olderThanYear }),
      protected: row.isProtected,
      ...(row.failsDmarc && { failsDmarc: true }),
      unsubscribe: unsubscribes.get(id) ?? null,
    }));
  };

  const toIds = (rows: readonly SenderRow[]): ListedSender[] =>
    rows.map((row) => ({ id: Buffer.from(row.senderKey).toString('hex'), row, names: [] }));

  /** The database can't read encrypted texts, so a search and a grouping decrypt one of each sender. */
  const listAll = async (userId: string, by: SenderGrouping, options: SenderScope) => {
    const all = { page: 1, perPage: MAX_SEARCHED, sort: 'mails' } as const;
    const { rows } = await listSenderRows(database, userId, all, { ...options, byList: by === 'list' });
    const toGroup = createToGroup(senderKey, userId);
    const listed = new Set(toIds(rows.filter(({ listKey }) => listKey !== null)).map(({ id }) => id));
    const groups = new Map<string, { senders: ListedSender[]; group: SenderGroup | undefined }>();
    for (const sender of toIds(rows)) {
      const text = textOf(userId, sender.row);
      // What came by no list is the whole sender, unless other emails of it did, or nothing else was asked for.
      const isWhole = sender.row.listKey === null && !listed.has(sender.id) && options.only === undefined;
      const group = by === 'list' && isWhole ? undefined : toGroup(by, text);
      const id = group?.id ?? sender.id;
      const known = groups.get(id) ?? { senders: [], group };
      known.senders.push({ ...sender, names: [`${text.from} ${toPlainName(group?.name ?? '')}`] });
      groups.set(id, known);
    }
    return [...groups].map(
      ([id, { senders, group }]): ListedSender => ({
        id,
        row: senders.map(({ row }) => row).reduce(combine),
        ...(group && { group: toGroupFact(group, senders.length) }),
        names: senders.flatMap(({ names }) => names),
      }),
    );
  };

  const findSenders = async (userId: string, query: ListSendersQuery) => {
    const { search, unsubscribe, by = 'address', group, sort, page, perPage } = query;
    const sources = group === undefined ? undefined : await resolveSenders(dependencies, userId, [group]);
    const conditions = [
      ...(unsubscribe ? [Prisma.sql`message."senderKey" IN (${stillSendingKeys(userId)})`] : []),
      ...(sources ? [isFrom(sources.keys())] : []),
    ];
    const options = {
      ...(conditions.length > 0 && { only: Prisma.join(conditions, ' AND ') }),
      byList: sources !== undefined && hasLists(sources),
    };
    if (search === undefined && by === 'address') {
      const { total, rows } = await listSenderRows(database, userId, query, options);
      return { total, senders: toIds(rows) };
    }
    const words = toWords(search ?? '');
    const found = (await listAll(userId, by, options))
      .filter(({ names }) => names.some((name) => hasWords(name, words)))
      .toSorted(
        (one, other) => Number(other.row[sort]) - Number(one.row[sort]) || (one.id < other.id ? -1 : 1),
      );
    const start = (page - 1) * perPage;
    return { total: found.length, senders: found.slice(start, start + perPage) };
  };

  return {
    /** Who writes how much. */
    async list(userId: string, query: ListSendersQuery): Promise<ListSendersResponse> {
      const [{ total, senders }, scan] = await Promise.all([
        findSenders(userId, query),
        findLastWholeScan(database, userId),
      ]);
      // One query of the cache at a time (docs/decisions/037).
      const unsubscribed = await countUnsubscribes(database, userId);
      return {
        total,
        page: query.page,
        perPage: query.perPage,
        complete: scan?.isTrusted ?? false,
        scannedAt: scan?.finishedAt.toISOString() ?? null,
        ...(unsubscribed && { unsubscribed }),
        data: await toSenders(userId, senders),
      };
    },

    /** One sender or group, with what bulk actions take of it; null where no email of it is left. */
    async find(userId: string, reference: SenderReference): Promise<SenderDetails | null> {
      const senderId = 'senderId' in reference ? reference.senderId : undefined;
      const sources = await resolveSenders(dependencies, userId, senderId === undefined ? [] : [senderId]);
      const only = 'emailId' in reference ? isSenderOf(userId, reference.emailId) : isFrom(sources.keys());
      const by = hasLists(sources) ? 'list' : senderId && isGroupKey(senderId) ? 'domain' : 'address';
      const [[listed], alike] = await Promise.all([
        listAll(userId, by, { only }),
        countEmailsAlike(database, userId, only),
      ]);
      const [sender] = await toSenders(userId, listed ? [listed] : []);
      return sender === undefined ? null : { ...sender, ...countTaken(sender, alike) };
    },

    listEmails: async (userId: string, senderId: string, pagination: Pagination) =>
      listCachedEmails(userId, pagination, {
        senders: await resolveSenders(dependencies, userId, [senderId]),
      }),

    /** Emails with open suggestions, newest first. */
    listStoredSuggestions: (userId: string, query: ListStoredSuggestionsQuery) =>
      listCachedEmails(userId, query, { suggested: query }),
  };
};

/** What there is from one sender. */
interface SenderRow {
  senderKey: Buffer;
  /** The mailing list that it came by, where lists are told apart. */
  listKey: Buffer | null;
  mails: number;
  inInbox: number;
  unread: number;
  bytes: number;
  lastSeen: Date;
  lastRead: Date | null;
  suggested: number;
  suggestedActions: Record<SuggestedAction, number>;
  /** How many emails were read, where more are listed; otherwise null, as is the next. */
  read: number | null;
  olderThanYear: number | null;
  isProtected: boolean;
  /** The newest email. */
  emailId: string;
  failsDmarc: boolean;
  encryptedText: string;
}

/** A cached message with its open suggestions. */
type CachedEmailRow = FactsRow & {
  emailId: string;
  labels: string[];
  suggestions: StoredSuggestion[];
};

/** Which senders are listed, and how. */
interface SenderScope {
  /** A condition of their messages. */
  only?: Prisma.Sql;
  /** Tells their messages apart by mailing list; of those that were only listed, none is known. */
  byList?: boolean;
}

const SORTS: Record<SenderSort, Prisma.Sql> = {
  mails: Prisma.sql`"mails"`,
  inInbox: Prisma.sql`"inInbox"`,
  unread: Prisma.sql`"unread"`,
  bytes: Prisma.sql`"bytes"`,
  lastSeen: Prisma.sql`"lastSeen"`,
  lastRead: Prisma.sql`"lastRead"`,
  suggested: Prisma.sql`"suggested"`,
};

const ACTION_COUNTS = Prisma.join(
  SUGGESTED_ACTIONS.map(
    (action) => Prisma.sql`${action}::text, count(*) FILTER (WHERE open."action" = ${action})`,
  ),
);

const OpenSuggestionsSchema = z.array(SuggestionSchema).nullable();

/*
 * Statements that go through all cached messages of a mailbox read nothing but the columns of the index
 * "CachedMessage_userId_senderKey_idx"; texts and labels are fetched for the page that is shown.
 */

/** Which sender is meant: that with an id, or that of an email. */
type SenderReference = { senderId: string } | { emailId: string };

const isSenderOf = (userId: string, emailId: string): Prisma.Sql => Prisma.sql`message."senderKey" = (
    SELECT named."senderKey" FROM "CachedMessage" AS named
    WHERE named."userId" = ${userId}::uuid AND named."emailId" = ${emailId} AND named."senderKey" <> '')`;

/** Whether emails are told apart by their mailing lists. */
const hasLists = (sources: SenderSources): boolean =>
  [...sources.keys()].some((key) => key.startsWith(LIST) || key.startsWith(UNLISTED));

/** Cached emails of a sender that are alike in what bulk actions ask of them. */
interface EmailsAlike {
  isInInbox: boolean;
  isUnread: boolean;
  reason: string | null;
  isNotify: boolean;
  isReceipt: boolean;
  emails: number;
}

/** The cached emails of a sender, counted by what bulk actions ask of them. */
const countEmailsAlike = (database: Database, userId: string, only: Prisma.Sql): Promise<EmailsAlike[]> =>
  database.$queryRaw<EmailsAlike[]>`
    SELECT message."isInInbox", message."isUnread", ${cachedReason(userId)} AS "reason",
      coalesce(noticed."isNotify", false) AS "isNotify", coalesce(noticed."isReceipt", false) AS "isReceipt",
      count(*)::int AS "emails"
    FROM "CachedMessage" AS message
    LEFT JOIN (${noticedEmails(userId)}) AS noticed ON noticed."emailId" = message."emailId"
    WHERE message."userId" = ${userId}::uuid AND NOT message."isHidden" AND ${only}
    GROUP BY 1, 2, 3, 4, 5`;

/**
 * A page of the senders of cached email, the first by `sort` first, and how many there are.
 */
const listSenderRows = async (
  database: Database,
  userId: string,
  { page, perPage, sort }: Pagination & { sort: SenderSort },
  { only, byList = false }: SenderScope,
): Promise<{ total: number; rows: SenderRow[] }> => {
  const order = Prisma.sql`${SORTS[sort]} DESC NULLS LAST, "senderKey", "listKey"`;
  const listKey = byList ? Prisma.sql`message."listKey"` : Prisma.sql`NULL::bytea`;
  const rows = await database.$queryRaw<(SenderRow & { total: number })[]>`
    WITH cached AS MATERIALIZED (
      SELECT message."senderKey", ${listKey} AS "listKey", count(*)::int AS "mails",
        (count(*) FILTER (WHERE message."isInInbox"))::int AS "inInbox",
        (count(*) FILTER (WHERE message."isUnread"))::int AS "unread",
        sum(message."sizeBytes")::float8 AS "bytes", max(message."receivedAt") AS "lastSeen",
        max(message."receivedAt") FILTER (WHERE NOT message."isUnread") AS "lastRead",
        count(open."emailId")::int AS "suggested", jsonb_build_object(${ACTION_COUNTS}) AS "suggestedActions"
      ${fromCachedEmails(userId)} ${only === undefined ? Prisma.empty : Prisma.sql`AND ${only}`}
        AND message."senderKey" <> ''
      GROUP BY 1, 2),
    sender AS MATERIALIZED (
      SELECT cached."senderKey", cached."listKey", coalesce(listed."mails", cached."mails") AS "mails",
        coalesce(listed."inInbox", cached."inInbox") AS "inInbox", coalesce(listed."unread", cached."unread") AS "unread",
        cached."bytes", cached."lastSeen", cached."lastRead", cached."suggested", cached."suggestedActions",
        CASE WHEN listed."mails" IS NOT NULL THEN cached."mails" END AS "read", listed."olderThanYear"
      FROM cached LEFT JOIN (${surveyedSenders(userId)}) AS listed
        ON listed."senderKey" = cached."senderKey" AND listed."mails" > cached."mails" AND NOT ${byList})
    SELECT totals."total", shown.*, newest."emailId", text."encryptedText", text."failsDmarc",
      shown."senderKey" IN (${protectedSenderKeys(userId)})
        OR ${isProtectedList(userId, Prisma.sql`shown."listKey"`)} AS "isProtected"
    FROM (SELECT count(*)::int AS "total" FROM sender) AS totals
    LEFT JOIN (SELECT * FROM sender ORDER BY ${order} LIMIT ${perPage} OFFSET ${(page - 1) * perPage}) AS shown ON true
    LEFT JOIN LATERAL (
      SELECT message."emailId"
      FROM "CachedMessage" AS message
      WHERE message."userId" = ${userId}::uuid AND message."senderKey" = shown."senderKey"
        AND ${listKey} IS NOT DISTINCT FROM shown."listKey" AND NOT message."isHidden"
      ORDER BY message."receivedAt" DESC LIMIT 1
    ) AS newest ON true
    LEFT JOIN "CachedMessage" AS text ON text."userId" = ${userId}::uuid AND text."emailId" = newest."emailId"
    ORDER BY ${order}`;
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.senderKey !== null) };
};

/** A page of the cached messages of a sender, or of those with open suggestions, newest first, and how many there are. */
const listCachedEmailRows = async (
  database: Database,
  userId: string,
  { page, perPage }: Pagination,
  filter: { senders: SenderSources } | { suggested: SuggestionFilter },
  model: AcceptanceModel,
): Promise<{ total: number; rows: CachedEmailRow[] }> => {
  const condition = 'senders' in filter ? isFrom(filter.senders.keys()) : hasOpenSuggestion(filter.suggested);
  const rows = await database.$queryRaw<(CachedEmailRow & { total: number; acceptance: number | null })[]>`
    WITH listed AS MATERIALIZED (
      SELECT message."emailId", message."receivedAt", open."suggestions", learned."acceptance"
      ${fromCachedEmails(userId, { model })} AND ${condition})
    SELECT totals."total", shown."emailId", shown."suggestions", shown."acceptance", message."labels", ${FACTS}
    FROM (SELECT count(*)::int AS "total" FROM listed) AS totals
    LEFT JOIN (
      SELECT * FROM listed ORDER BY "receivedAt" DESC, "emailId" LIMIT ${perPage} OFFSET ${(page - 1) * perPage}
    ) AS shown ON true
    LEFT JOIN "CachedMessage" AS message
      ON message."userId" = ${userId}::uuid AND message."emailId" = shown."emailId"
    ORDER BY shown."receivedAt" DESC, shown."emailId"`;
  return {
    total: rows[0]?.total ?? 0,
    rows: rows
      .filter((row) => row.emailId !== null)
      .map(({ acceptance, ...row }) => ({
        ...row,
        suggestions: rateBest(OpenSuggestionsSchema.parse(row.suggestions) ?? [], acceptance),
      })),
  };
};
