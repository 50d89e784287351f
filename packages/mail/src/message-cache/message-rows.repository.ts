import type { KeyObject } from 'node:crypto';
import { Prisma } from '@mailsweep/database';
import { type MessageFacts, SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import { FACT_COLUMNS, type FactColumn, MessageColumnsSchema } from './fact-columns.ts';
import { type TextCipher, writeMessageText } from './message-text.ts';
import { toSenderKey, toSenderKeys } from './sender-address.ts';
import type { NamedSender } from './sender-names.repository.ts';
import { writeSender } from './sender-text.ts';

/** A message to cache: what never changes, and its labels. */
export interface MessageToCache {
  id: string;
  labels: string[];
  facts: MessageFacts;
}

const list = (names: readonly string[], of = ''): Prisma.Sql =>
  Prisma.raw(names.map((name) => `${of}"${name}"`).join(', '));

const COLUMNS = Object.keys(Prisma.CachedMessageScalarFieldEnum);

/** The columns of a {@link FactsRow}, of `message`. */
export const FACTS = list([...FACT_COLUMNS, 'encryptedText'], 'message.');

export const isSent = (labels: readonly string[]): boolean => labels.includes(SYSTEM_LABELS.sent);

export const toMessageRow = (
  { cipher, senderKey }: { cipher: TextCipher; senderKey: KeyObject },
  userId: string,
  { id, labels, facts }: MessageToCache,
  historyId = 0n,
) => {
  const { senderKey: author, listKey } = toSenderKeys(senderKey, userId, facts);
  const recipients = isSent(labels) ? [] : undefined;
  const further = {
    userId,
    emailId: id,
    historyId: String(historyId),
    labels,
    unshownLabels: [],
    senderKey: `\\x${author}`,
    listKey: listKey && `\\x${listKey}`,
    encryptedText: writeMessageText(cipher, userId, id, { ...facts, recipients }),
    hasUnsubscribe: facts.unsubscribe !== undefined,
    hasSignedUnsubscribe: facts.unsubscribe?.isSigned === true,
  } satisfies Record<Exclude<Prisma.CachedMessageScalarFieldEnum, FactColumn | 'generation'>, unknown>;
  return { ...MessageColumnsSchema.parse(facts), ...further };
};

export const toNamedSender = (senderKey: KeyObject, userId: string, facts: MessageFacts): NamedSender => ({
  userId,
  ...toSenderKeys(senderKey, userId, facts),
});

/**
 * Inserts messages, as a part of a statement in which `sync` has the user's locked row of MailboxSync.
 *
 * @param when.condition - on `sync` and `row`, the row to insert as JSON
 * @param when.isReplaced - on `cached` and `EXCLUDED`: whether a row of the same generation is replaced
 */
export const insertMessages = (
  rows: readonly ReturnType<typeof toMessageRow>[],
  when: { condition: Prisma.Sql; isReplaced: Prisma.Sql },
): Prisma.Sql => Prisma.sql`
  INSERT INTO "CachedMessage" AS cached (${list(COLUMNS)})
  SELECT ${list(COLUMNS, 'message.')}
  FROM sync, jsonb_array_elements(${JSON.stringify(rows)}::jsonb) AS row, jsonb_populate_record(
    NULL::"CachedMessage", row || jsonb_build_object('generation', sync."generation")) AS message
  WHERE ${when.condition}
  ON CONFLICT ("userId", "emailId") DO UPDATE SET (${list(COLUMNS)}) = (${list(COLUMNS, 'EXCLUDED.')})
  WHERE cached."generation" < EXCLUDED."generation" OR ${when.isReplaced}`;

/** Notes whom the user has written to by these messages, as a part of such a statement. */
export const insertWrittenTo = (
  { cipher, senderKey }: { cipher: TextCipher; senderKey: KeyObject },
  userId: string,
  messages: readonly MessageToCache[],
): Prisma.Sql => {
  const sent = messages.filter(({ labels }) => isSent(labels));
  const addresses = new Set(sent.flatMap(({ facts }) => facts.recipients ?? []));
  const rows = [...addresses].map((address) => ({
    key: toSenderKey(senderKey, userId, address),
    text: writeSender(cipher, userId, address),
  }));
  return Prisma.sql`
    INSERT INTO "WrittenTo" ("userId", "senderKey", "encryptedSender")
    SELECT ${userId}::uuid, decode(address."key", 'hex'), address."text"
    FROM sync, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS address("key" text, "text" text)
    ON CONFLICT ("userId", "senderKey") DO NOTHING`;
};
