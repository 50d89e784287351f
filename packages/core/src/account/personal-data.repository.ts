import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { readSender, type TextCipher } from '@mailsweep/mail/message-cache';
import { z } from 'zod';
import { removeMailbox } from '../owners/owners.repository.ts';
import { readUnsubscribeRequest } from '../unsubscribing/unsubscribe.repository.ts';

/** A table that holds rows of users. */
interface PersonalTable {
  table: string;
  /** The column that says whose row it is. */
  owner: string;
  /** Identifies and orders the rows of one user. */
  key: { column: string; type: 'uuid' | 'text' | 'date' };
  /** Columns that no export shows: tokens, and what only concerns the running of the service. */
  hidden: string[];
  /** Shows a column that is stored encrypted, under another name. */
  decrypted?: {
    column: string;
    name: string;
    read: (cipher: TextCipher, userId: string, text: string) => unknown;
  };
}

const BY_USER = { column: 'userId', type: 'uuid' } as const;
const BY_EMAIL = { column: 'emailId', type: 'text' } as const;
const LEASE = ['leaseId', 'leasedUntil', 'crashes'];

const TABLES: (Pick<PersonalTable, 'table'> & Partial<PersonalTable>)[] = [
  { table: 'OutboxEvent' },
  { table: 'NotificationEvent' },
  {
    table: 'ActionHistory',
    // What follows from the details.
    hidden: [
      'source',
      'classification',
      'effect',
      'senderKey',
      'suggestedAction',
      'confidence',
      'acceptance',
    ],
  },
  { table: 'ActionBatch', hidden: ['undoCursor'] },
  { table: 'ActionIntent', hidden: ['leasedUntil', 'idempotencyKey'] },
  {
    table: 'IdempotencyKey',
    key: { column: 'key', type: 'text' },
    hidden: ['requestHash', 'holderId', 'leasedUntil', 'done', 'status', 'body'],
  },
  { table: 'MailboxLease', key: BY_USER, hidden: ['holderId', 'leasedUntil'] },
  { table: 'QuotaLedger', key: BY_USER, hidden: ['version', 'ledger'] },
  { table: 'RequestsInFlight', key: BY_USER, hidden: ['leases'] },
  { table: 'EmailSuggestion', key: BY_EMAIL },
  {
    table: 'CachedMessage',
    key: BY_EMAIL,
    // The texts are copies; the user has them in the mailbox.
    // What follows from the labels is left out, too.
    hidden: [
      'encryptedText',
      'senderKey',
      'listKey',
      'generation',
      'historyId',
      'unshownLabels',
      'isHidden',
      'isInInbox',
      'isUnread',
      'isStarred',
      'isImportant',
    ],
  },
  { table: 'MailboxSync', key: BY_USER, hidden: ['generation', 'historyId'] },
  {
    table: 'MailboxScan',
    hidden: ['pageToken', 'pages', 'restarts', 'generation', 'progressedAt', 'sampledEmailIds'],
  },
  { table: 'MailboxSurvey', key: BY_USER, hidden: ['scanId', 'cleanedAt'] },
  { table: 'SurveyedSender', key: BY_EMAIL },
  { table: 'InboxSize', key: { column: 'day', type: 'date' } },
  { table: 'UserPreferences', key: BY_USER, hidden: LEASE },
  {
    table: 'Protection',
    hidden: ['senderKey', 'formerKey'],
    decrypted: { column: 'encryptedSender', name: 'sender', read: readSender },
  },
  {
    table: 'WrittenTo',
    hidden: ['senderKey', 'formerKey'],
    decrypted: { column: 'encryptedSender', name: 'address', read: readSender },
  },
  // Keys that follow from the addresses in the mailbox.
  { table: 'SenderName', hidden: ['senderKey', 'nameKey'] },
  { table: 'StoppedSuggestion', hidden: ['senderKey'] },
  {
    table: 'Unsubscribe',
    hidden: ['senderKey', ...LEASE],
    decrypted: { column: 'encryptedRequest', name: 'request', read: readUnsubscribeRequest },
  },
  {
    table: 'RuleSender',
    hidden: ['senderKey', 'formerKey'],
    decrypted: { column: 'encryptedSender', name: 'sender', read: readSender },
  },
  { table: 'Rule' },
  {
    table: 'MailboxWatch',
    key: BY_USER,
    hidden: [
      ...LEASE,
      'listenerId',
      'listenedUntil',
      'historyId',
      'overlapHistoryId',
      'seenEmailIds',
      'readAt',
    ],
  },
  {
    table: 'Notification',
    // Copies of sender and subject; the user has them in the mailbox.
    hidden: ['encryptedContent', 'bundleId', ...LEASE, 'sentTo'],
  },
  {
    table: 'PushSubscription',
    key: { column: 'id', type: 'text' },
    // These are secrets: with them, anyone can send to the browser.
    hidden: ['encryptedSubscription'],
  },
  { table: 'CleanupEmail' },
  { table: 'Cleanup', hidden: ['historyId', 'overlapHistoryId', 'steps', 'progressedAt'] },
  { table: 'OutgoingCall' },
  { table: 'AuditEntry' },
  { table: 'Session' },
  { table: 'PersonalToken', hidden: ['hash', 'familyHash', 'refreshHash'] },
  { table: 'AuthorizationRequest', hidden: ['state', 'codeChallenge', 'codeHash'] },
  {
    // Only sign-ins that renew a known user's connection name a user.
    table: 'PendingLogin',
    owner: 'expectedUserId',
    key: { column: 'stateHash', type: 'text' },
    hidden: ['stateHash', 'browserHash', 'nonce', 'encryptedCodeVerifier'],
  },
  {
    table: 'ProviderConnection',
    key: BY_USER,
    hidden: ['encryptedAccessToken', 'encryptedRefreshToken', 'refreshLeasedUntil'],
  },
  { table: 'User', owner: 'id' },
];

/**
 * Every table with rows of users, in the order of erasure: a table comes before those that it refers to.
 * Export and erasure go by this list; a test holds it against the database.
 */
export const PERSONAL_TABLES: PersonalTable[] = TABLES.map((table) => ({
  owner: 'userId',
  key: { column: 'id', type: 'uuid' },
  hidden: [],
  ...table,
}));

/** Rows read at a time, so that an export of any size takes little memory. */
const PAGE_SIZE = 1_000;

/** Deletes all rows of a user, and marks the user as erased. */
export const deletePersonalRows = async (tx: Transaction, userId: string): Promise<void> => {
  // The same lock as in the trigger `dropRowsOfErasedUsers`: inserts in flight come first, or see the mark.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, 1))`;
  await tx.$executeRaw`INSERT INTO "ErasedUser" ("id") VALUES (${userId}::uuid) ON CONFLICT DO NOTHING`;
  await removeMailbox(tx, userId);
  for (const { table, owner } of PERSONAL_TABLES) {
    await tx.$executeRaw`DELETE FROM ${Prisma.raw(`"${table}"`)} WHERE ${Prisma.raw(`"${owner}"`)} = ${userId}::uuid`;
  }
};

/** A user's rows of a table, each as JSON text, page by page; no page is empty. */
async function* readPersonalRows(
  database: Database,
  { table, owner, key, hidden }: PersonalTable,
  userId: string,
): AsyncGenerator<string[]> {
  const keyColumn = Prisma.raw(`"${key.column}"`);
  const keyType = Prisma.raw(key.type);
  for (let after: string | undefined; ; ) {
    const isNext = after === undefined ? Prisma.empty : Prisma.sql`AND ${keyColumn} > ${after}::${keyType}`;
    const rows = await database.$queryRaw<{ key: string; text: string }[]>`
      SELECT ${keyColumn}::text AS "key", (to_jsonb(row) - ${hidden}::text[])::text AS "text"
      FROM ${Prisma.raw(`"${table}"`)} AS row
      WHERE ${Prisma.raw(`"${owner}"`)} = ${userId}::uuid ${isNext}
      ORDER BY ${keyColumn} LIMIT ${PAGE_SIZE}`;
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => row.text);
    if (rows.length < PAGE_SIZE) return;
    after = last.key;
  }
}

const RowSchema = z.record(z.string(), z.unknown());

/**
 * Everything stored of a user, as the JSON text of a `PersonalDataExport`, piece by piece. The tables are read
 * one after the other: a change made meanwhile is included if its table was not read yet.
 */
export async function* exportPersonalData(
  { database, cipher }: { database: Database; cipher: TextCipher },
  userId: string,
  nowMs = Date.now,
): AsyncGenerator<string> {
  const head = JSON.stringify({ exportedAt: new Date(nowMs()).toISOString(), userId }).slice(0, -1);
  let opening = `${head},"data":{`;
  for (const table of PERSONAL_TABLES) {
    opening += `${JSON.stringify(table.table)}:[`;
    for await (const rows of readPersonalRows(database, table, userId)) {
      yield opening + rows.map((row) => decryptRow(row, table.decrypted)).join(',');
      opening = ',';
    }
    opening = opening === ',' ? '],' : `${opening}],`;
  }
  yield `${opening.slice(0, -1)}}}`;

  function decryptRow(text: string, decrypted: PersonalTable['decrypted']): string {
    if (decrypted === undefined) return text;
    const { [decrypted.column]: encrypted, ...row } = RowSchema.parse(JSON.parse(text));
    return JSON.stringify({
      ...row,
      [decrypted.name]: decrypted.read(cipher, userId, String(encrypted)) ?? null,
    });
  }
}
