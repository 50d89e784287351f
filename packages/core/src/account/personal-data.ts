import type { TextCipher } from '@mailsweep/message-cache';
import { readSender } from '../protections/sender-text.ts';
import { readUnsubscribeRequest } from '../unsubscribing/unsubscribe-request.ts';

/** A table that holds rows of users. */
export interface PersonalTable {
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

const byId = { column: 'id', type: 'uuid' } as const;

/**
 * Every table with rows of users, in the order of erasure: a table comes before those that it refers to.
 * Export and erasure go by this list; a test holds it against the database.
 */
export const PERSONAL_TABLES: PersonalTable[] = [
  { table: 'OutboxEvent', owner: 'userId', key: byId, hidden: [] },
  { table: 'NotificationEvent', owner: 'userId', key: byId, hidden: [] },
  {
    table: 'ActionHistory',
    owner: 'userId',
    key: byId,
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
  { table: 'ActionBatch', owner: 'userId', key: byId, hidden: ['undoCursor'] },
  { table: 'ActionIntent', owner: 'userId', key: byId, hidden: ['leasedUntil', 'idempotencyKey'] },
  {
    table: 'IdempotencyKey',
    owner: 'userId',
    key: { column: 'key', type: 'text' },
    hidden: ['requestHash', 'holderId', 'leasedUntil', 'done', 'status', 'body'],
  },
  {
    table: 'MailboxLease',
    owner: 'userId',
    key: { column: 'userId', type: 'uuid' },
    hidden: ['holderId', 'leasedUntil'],
  },
  {
    table: 'QuotaLedger',
    owner: 'userId',
    key: { column: 'userId', type: 'uuid' },
    hidden: ['version', 'ledger'],
  },
  {
    table: 'RequestsInFlight',
    owner: 'userId',
    key: { column: 'userId', type: 'uuid' },
    hidden: ['leases'],
  },
  { table: 'EmailSuggestion', owner: 'userId', key: { column: 'emailId', type: 'text' }, hidden: [] },
  {
    table: 'CachedMessage',
    owner: 'userId',
    key: { column: 'emailId', type: 'text' },
    // The texts are copies; the user has them in the mailbox.
    // What follows from the labels is left out, too.
    hidden: [
      'encryptedText',
      'senderKey',
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
  {
    table: 'MailboxSync',
    owner: 'userId',
    key: { column: 'userId', type: 'uuid' },
    hidden: ['generation', 'historyId'],
  },
  {
    table: 'MailboxScan',
    owner: 'userId',
    key: byId,
    hidden: ['pageToken', 'pages', 'restarts', 'generation', 'progressedAt', 'sampledEmailIds'],
  },
  { table: 'InboxSize', owner: 'userId', key: { column: 'day', type: 'date' }, hidden: [] },
  {
    table: 'UserPreferences',
    owner: 'userId',
    key: { column: 'userId', type: 'uuid' },
    hidden: ['leaseId', 'leasedUntil', 'crashes'],
  },
  {
    table: 'Protection',
    owner: 'userId',
    key: byId,
    hidden: ['senderKey', 'formerKey'],
    decrypted: { column: 'encryptedSender', name: 'sender', read: readSender },
  },
  // Keys that follow from the addresses in the mailbox.
  { table: 'SenderName', owner: 'userId', key: byId, hidden: ['senderKey', 'nameKey'] },
  { table: 'StoppedSuggestion', owner: 'userId', key: byId, hidden: ['senderKey'] },
  {
    table: 'Unsubscribe',
    owner: 'userId',
    key: byId,
    hidden: ['senderKey', 'leaseId', 'leasedUntil', 'crashes'],
    decrypted: { column: 'encryptedRequest', name: 'request', read: readUnsubscribeRequest },
  },
  {
    table: 'RuleSender',
    owner: 'userId',
    key: byId,
    hidden: ['senderKey', 'formerKey'],
    decrypted: { column: 'encryptedSender', name: 'sender', read: readSender },
  },
  { table: 'Rule', owner: 'userId', key: byId, hidden: [] },
  {
    table: 'MailboxWatch',
    owner: 'userId',
    key: { column: 'userId', type: 'uuid' },
    hidden: [
      'leaseId',
      'leasedUntil',
      'listenerId',
      'listenedUntil',
      'crashes',
      'historyId',
      'overlapHistoryId',
      'seenEmailIds',
      'readAt',
    ],
  },
  {
    table: 'Notification',
    owner: 'userId',
    key: byId,
    // Copies of sender and subject; the user has them in the mailbox.
    hidden: ['encryptedContent', 'bundleId', 'leaseId', 'leasedUntil', 'crashes', 'sentTo'],
  },
  {
    table: 'PushSubscription',
    owner: 'userId',
    key: { column: 'id', type: 'text' },
    // These are secrets: with them, anyone can send to the browser.
    hidden: ['encryptedSubscription'],
  },
  { table: 'CleanupEmail', owner: 'userId', key: byId, hidden: [] },
  {
    table: 'Cleanup',
    owner: 'userId',
    key: byId,
    hidden: ['historyId', 'overlapHistoryId', 'steps', 'progressedAt'],
  },
  { table: 'AuditEntry', owner: 'userId', key: byId, hidden: [] },
  { table: 'Session', owner: 'userId', key: byId, hidden: [] },
  { table: 'PersonalToken', owner: 'userId', key: byId, hidden: ['hash'] },
  {
    table: 'AuthorizationRequest',
    owner: 'userId',
    key: byId,
    hidden: ['state', 'codeChallenge', 'codeHash'],
  },
  {
    // Only sign-ins that renew a known user's connection name a user.
    table: 'PendingLogin',
    owner: 'expectedUserId',
    key: { column: 'stateHash', type: 'text' },
    hidden: ['stateHash', 'browserHash', 'nonce', 'encryptedCodeVerifier'],
  },
  {
    table: 'ProviderConnection',
    owner: 'userId',
    key: { column: 'userId', type: 'uuid' },
    hidden: ['encryptedAccessToken', 'encryptedRefreshToken', 'refreshLeasedUntil'],
  },
  { table: 'User', owner: 'id', key: byId, hidden: [] },
];
