import type { KeyObject } from 'node:crypto';
import { type Database, Prisma } from '@mailsweep/database';
import { readMessageText, type TextCipher, writeMessageText } from './message-text.ts';
import { toSenderKeys } from './sender-address.ts';
import { insertSenderNames } from './sender-names.repository.ts';

const BATCH_SIZE = 1_000;

interface Row {
  userId: string;
  emailId: string;
  encryptedText: string;
}

/** Kept messages, by what became of them. */
export interface ReencryptedMessages {
  reencrypted: number;
  /** They were under the current key already. */
  current: number;
  /** Another process wrote or deleted them at the same time: another round finds their key. */
  changed: number;
  /** Neither key reads them: they are dropped, and fetched again when they are read. */
  dropped: number;
}

/**
 * Encrypts again the texts of cached messages that are not under the current key, and gives them the sender key that
 * belongs to it, so that all mail of a sender stays together. Safe while the service runs, and to stop and begin again.
 */
export const reencryptMessages = async (dependencies: {
  database: Database;
  cipher: TextCipher & { isCurrent(ciphertext: string): boolean };
  senderKey: KeyObject;
}): Promise<ReencryptedMessages> => {
  const { database, cipher, senderKey } = dependencies;
  const counts: ReencryptedMessages = { reencrypted: 0, current: 0, changed: 0, dropped: 0 };

  const readBatch = (after: Pick<Row, 'userId' | 'emailId'>): Promise<Row[]> =>
    database.$queryRaw<Row[]>`
      SELECT "userId"::text AS "userId", "emailId", "encryptedText" FROM "CachedMessage"
      WHERE ("userId", "emailId") > (${after.userId}::uuid, ${after.emailId})
      ORDER BY "userId", "emailId" LIMIT ${BATCH_SIZE}`;

  const renew = ({ userId, emailId, encryptedText }: Row) => {
    const text = readMessageText(cipher, userId, emailId, encryptedText);
    return {
      userId,
      emailId,
      encryptedText,
      renewedText: text === undefined ? null : writeMessageText(cipher, userId, emailId, text),
      ...(text === undefined
        ? { senderKey: null, nameKeys: [], listKey: null }
        : toSenderKeys(senderKey, userId, text)),
    };
  };

  const replace = async (rows: Row[]): Promise<void> => {
    const renewed = rows.map(renew);
    const unreadable = renewed.filter(({ renewedText }) => renewedText === null);
    // Before their keys: a sender of a protected domain is protected all the time.
    const named = renewed.flatMap(({ userId, senderKey: key, nameKeys }) =>
      key === null ? [] : [{ userId, senderKey: key, nameKeys }],
    );
    await database.$executeRaw(
      insertSenderNames(named, Prisma.sql`JOIN "User" AS owner ON owner."id" = named."userId"`),
    );
    const replaced = await database.$executeRaw`
      UPDATE "CachedMessage" AS cached
      SET "encryptedText" = newer."renewedText", "senderKey" = decode(newer."senderKey", 'hex'),
        "listKey" = decode(newer."listKey", 'hex')
      FROM jsonb_to_recordset(${JSON.stringify(renewed)}::jsonb) AS newer(
        "userId" uuid, "emailId" text, "encryptedText" text, "renewedText" text, "senderKey" text,
        "listKey" text)
      WHERE cached."userId" = newer."userId" AND cached."emailId" = newer."emailId"
        AND cached."encryptedText" = newer."encryptedText" AND newer."renewedText" IS NOT NULL`;
    const dropped = await database.$executeRaw`
      DELETE FROM "CachedMessage" AS cached
      USING jsonb_to_recordset(${JSON.stringify(unreadable)}::jsonb) AS lost(
        "userId" uuid, "emailId" text, "encryptedText" text)
      WHERE cached."userId" = lost."userId" AND cached."emailId" = lost."emailId"
        AND cached."encryptedText" = lost."encryptedText"`;
    counts.reencrypted += replaced;
    counts.dropped += dropped;
    counts.changed += rows.length - replaced - dropped;
  };

  for (let after = { userId: '00000000-0000-0000-0000-000000000000', emailId: '' }; ; ) {
    const rows = await readBatch(after);
    const old = rows.filter(({ encryptedText }) => !cipher.isCurrent(encryptedText));
    counts.current += rows.length - old.length;
    if (old.length > 0) await replace(old);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_SIZE) return counts;
    after = last;
  }
};
