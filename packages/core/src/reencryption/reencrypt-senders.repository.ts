import type { KeyObject } from 'node:crypto';
import { type Database, Prisma } from '@mailsweep/database';
import {
  type OutdatedText,
  reencryptColumns,
  renewSender,
  type TextCipher,
  toSenderKey,
} from '@mailsweep/mail/message-cache';
import { readUnsubscribeRequest, writeUnsubscribeRequest } from '../unsubscribing/unsubscribe.repository.ts';

interface ReencryptOptions {
  database: Database;
  cipher: TextCipher & { isCurrent(ciphertext: string): boolean };
  senderKey: KeyObject;
}

/** A sender's text under the current key. */
interface Renewed {
  from: string;
  text: string;
}

/** Columns whose texts name a sender. */
interface SenderColumn {
  table: 'Protection' | 'WrittenTo' | 'RuleSender' | 'Unsubscribe';
  /** What operators know it by. */
  name: string;
  column: 'encryptedSender' | 'encryptedRequest';
  /** @returns undefined when neither key reads the text */
  renew(cipher: TextCipher, userId: string, text: string): Renewed | undefined;
  /**
   * @param row.senderKey - belongs to the current key
   * @returns how many rows it wrote
   */
  write(
    database: Database,
    row: Pick<OutdatedText, 'isOld' | 'text'> & { senderKey: Prisma.Sql },
  ): Promise<number>;
}

/** A table that has each sender of a user once. */
const toOnceEach = (table: 'Protection' | 'WrittenTo'): SenderColumn => {
  const rows = Prisma.raw(`"${table}"`);
  return {
    table,
    name: table,
    column: 'encryptedSender',
    renew: renewSender,
    write: (database, { isOld, senderKey, text }) =>
      database.$transaction(async (tx) => {
        // The sender was stored again, under the current key.
        const merged = await tx.$executeRaw`
          UPDATE ${rows} AS newer SET "formerKey" = old."senderKey"
          FROM (SELECT "senderKey", "userId" FROM ${rows} WHERE ${isOld} FOR UPDATE) AS old
          WHERE newer."userId" = old."userId" AND newer."senderKey" = ${senderKey}`;
        if (merged > 0) return await tx.$executeRaw`DELETE FROM ${rows} WHERE ${isOld}`;
        return await tx.$executeRaw`
          UPDATE ${rows} SET "formerKey" = "senderKey", "senderKey" = ${senderKey}, "encryptedSender" = ${text}
          WHERE ${isOld}`;
      }),
  };
};

/**
 * Former sender keys stay until {@link forgetFormerKeys}: a sender is protected, and a rule finds its messages, whichever key
 * a message has.
 */
const SENDER_COLUMNS: SenderColumn[] = [
  toOnceEach('Protection'),
  toOnceEach('WrittenTo'),
  {
    table: 'RuleSender',
    name: 'Rule',
    column: 'encryptedSender',
    renew: renewSender,
    write: (database, { isOld, senderKey, text }) => database.$executeRaw`
      UPDATE "RuleSender" SET "formerKey" = "senderKey", "senderKey" = ${senderKey}, "encryptedSender" = ${text}
      WHERE ${isOld}`,
  },
  {
    table: 'Unsubscribe',
    name: 'Unsubscribe',
    column: 'encryptedRequest',
    renew(cipher, userId, text) {
      const request = readUnsubscribeRequest(cipher, userId, text);
      return request && { from: request.from, text: writeUnsubscribeRequest(cipher, userId, request) };
    },
    write: (database, { isOld, senderKey, text }) =>
      database.$transaction(async (tx) => {
        // The user has asked again, under the current key.
        const replaced = await tx.$executeRaw`
          DELETE FROM "Unsubscribe" AS old WHERE ${isOld} AND EXISTS (
            SELECT FROM "Unsubscribe" AS newer WHERE newer."id" <> old."id" AND newer."userId" = old."userId"
              AND newer."senderKey" = ${senderKey})`;
        if (replaced > 0) return replaced;
        return await tx.$executeRaw`
          UPDATE "Unsubscribe" SET "senderKey" = ${senderKey}, "encryptedRequest" = ${text} WHERE ${isOld}`;
      }),
  },
];

const reencryptSenders = (
  { database, cipher, senderKey }: ReencryptOptions,
  { table, column, renew, write }: SenderColumn,
) =>
  reencryptColumns(
    database,
    { table, key: { column: 'id', type: 'uuid' }, owner: 'userId', columns: [column] },
    {
      isCurrent: cipher.isCurrent,
      async renew({ isOld, owner: userId, text }) {
        const renewed = renew(cipher, userId, text);
        if (renewed === undefined) return undefined;
        const current = Prisma.sql`decode(${toSenderKey(senderKey, userId, renewed.from)}, 'hex')`;
        return await write(database, { isOld, senderKey: current, text: renewed.text });
      },
    },
  );

/** Drops former sender keys once no message has one. */
const forgetFormerKeys = async (database: Database): Promise<void> => {
  await database.$executeRaw`
    DELETE FROM "SenderName" AS named WHERE NOT EXISTS (
      SELECT FROM "CachedMessage" AS message
      WHERE message."userId" = named."userId" AND message."senderKey" = named."senderKey")`;
  const forget = { where: { formerKey: { not: null } }, data: { formerKey: null } };
  await database.protection.updateMany(forget);
  await database.writtenTo.updateMany(forget);
  await database.ruleSender.updateMany(forget);
};

/**
 * Gives decisions the new sender keys of their cached messages, after messages were re-encrypted. A sender without such a
 * message keeps the former key: decisions about it count for their kind alone.
 *
 * @returns how many decisions were changed
 */
const renameLearnedSenders = (database: Database): Promise<number> =>
  database.$transaction(async (tx) => {
    const renamed = await tx.$queryRaw<object[]>`
      SELECT DISTINCT record."userId"::text AS "userId", encode(record."senderKey", 'hex') AS "former",
        encode(message."senderKey", 'hex') AS "current"
      FROM "ActionHistory" AS record JOIN "CachedMessage" AS message
        ON message."userId" = record."userId" AND message."emailId" = record."emailId"
      WHERE record."senderKey" <> message."senderKey"`;
    if (renamed.length === 0) return 0;
    const pairs = Prisma.sql`(
      SELECT "userId", decode("former", 'hex') AS "former", decode("current", 'hex') AS "current"
      FROM jsonb_to_recordset(${JSON.stringify(renamed)}::jsonb) AS pair("userId" uuid, "former" text, "current" text)
    ) AS renamed`;
    await tx.$executeRaw`
      UPDATE "StoppedSuggestion" AS stop SET "senderKey" = renamed."current" FROM ${pairs}
      WHERE stop."userId" = renamed."userId" AND stop."senderKey" = renamed."former" AND NOT EXISTS (
        SELECT FROM "StoppedSuggestion" AS other
        WHERE other."userId" = stop."userId" AND other."senderKey" = renamed."current"
          AND other."action" = stop."action")`;
    await tx.$executeRaw`
      DELETE FROM "SenderAcceptance" AS known USING ${pairs}
      WHERE known."userId" = renamed."userId" AND known."senderKey" = renamed."former"`;
    // The trigger counts the decisions under their new keys.
    return await tx.$executeRaw`
      UPDATE "ActionHistory" AS record SET "senderKey" = renamed."current" FROM ${pairs}
      WHERE record."userId" = renamed."userId" AND record."senderKey" = renamed."former"`;
  });

/** Brings stored senders under the current key and its sender keys. */
export const createReencryption = (options: ReencryptOptions) => ({
  tables: SENDER_COLUMNS.map((place) => ({
    table: place.name,
    reencrypt: () => reencryptSenders(options, place),
  })),
  renameLearnedSenders: () => renameLearnedSenders(options.database),
  forgetFormerKeys: () => forgetFormerKeys(options.database),
});
