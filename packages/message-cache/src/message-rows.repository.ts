import type { KeyObject } from 'node:crypto';
import { Prisma } from '@mailsweep/database';
import type { MessageFacts } from '@mailsweep/mailbox';
import { type TextCipher, writeMessageText } from './message-text.ts';
import { toNameKeys, toSenderKey } from './sender-address.ts';
import type { NamedSender } from './sender-names.repository.ts';

/** A message to cache: what never changes, and its labels. */
export interface MessageToCache {
  id: string;
  labels: string[];
  facts: MessageFacts;
}

/** The message as its row has it, texts encrypted. */
export const toMessageRow = (
  { cipher, senderKey }: { cipher: TextCipher; senderKey: KeyObject },
  userId: string,
  { id, labels, facts }: MessageToCache,
) => {
  const { from, subject, snippet, unsubscribe, isInvitation = false, ...numbers } = facts;
  return {
    ...numbers,
    emailId: id,
    labels,
    senderKey: toSenderKey(senderKey, userId, from),
    encryptedText: writeMessageText(cipher, userId, id, { from, subject, snippet, unsubscribe }),
    hasUnsubscribe: unsubscribe !== undefined,
    isInvitation,
  };
};

export const toNamedSender = (senderKey: KeyObject, userId: string, { from }: MessageFacts): NamedSender => ({
  userId,
  senderKey: toSenderKey(senderKey, userId, from),
  nameKeys: toNameKeys(senderKey, userId, from),
});

/** A row to insert; `completeUpTo`: where the cursor may stand at most. */
type MessageRow = ReturnType<typeof toMessageRow> & { historyId?: string; completeUpTo?: string };

/**
 * Inserts messages, as a part of a statement in which `sync` has the user's locked row of MailboxSync.
 *
 * @param when.condition - on `sync` and `message`, the row to insert
 * @param when.isReplaced - on `cached` and `EXCLUDED`: whether a row of the same generation is replaced
 */
export const insertMessages = (
  userId: string,
  rows: readonly MessageRow[],
  when: { condition: Prisma.Sql; isReplaced: Prisma.Sql },
): Prisma.Sql => Prisma.sql`
  INSERT INTO "CachedMessage" AS cached ("userId", "emailId", "threadId", "generation", "historyId", "labels",
    "receivedAt", "sizeBytes", "attachmentCount", "attachmentBytes", "senderKey", "encryptedText",
    "hasUnsubscribe", "isInvitation")
  SELECT ${userId}::uuid, "emailId", "threadId", sync."generation", coalesce(message."historyId", 0), "labels",
    "receivedAt", "sizeBytes", "attachmentCount", "attachmentBytes", decode("senderKey", 'hex'), "encryptedText",
    "hasUnsubscribe", "isInvitation"
  FROM sync, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS message(
    "emailId" text, "threadId" text, "historyId" numeric, "completeUpTo" numeric, "labels" text[], "receivedAt" timestamptz,
    "sizeBytes" bigint, "attachmentCount" int, "attachmentBytes" bigint, "senderKey" text,
    "encryptedText" text, "hasUnsubscribe" boolean, "isInvitation" boolean)
  WHERE ${when.condition}
  ON CONFLICT ("userId", "emailId") DO UPDATE SET
    "threadId" = EXCLUDED."threadId", "generation" = EXCLUDED."generation",
    "historyId" = EXCLUDED."historyId", "labels" = EXCLUDED."labels", "unshownLabels" = '[]',
    "receivedAt" = EXCLUDED."receivedAt", "sizeBytes" = EXCLUDED."sizeBytes",
    "attachmentCount" = EXCLUDED."attachmentCount", "attachmentBytes" = EXCLUDED."attachmentBytes",
    "senderKey" = EXCLUDED."senderKey", "encryptedText" = EXCLUDED."encryptedText",
    "hasUnsubscribe" = EXCLUDED."hasUnsubscribe", "isInvitation" = EXCLUDED."isInvitation"
  WHERE cached."generation" < EXCLUDED."generation" OR ${when.isReplaced}`;
