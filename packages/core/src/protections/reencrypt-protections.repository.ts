import type { KeyObject } from 'node:crypto';
import { type Database, Prisma } from '@mailsweep/database';
import { type TextCipher, toSenderKey } from '@mailsweep/mailbox-sync';
import { readSender, writeSender } from './sender-text.ts';

/** Rows read at a time. */
const BATCH_SIZE = 500;

/** Protections by what became of them. */
export interface ReencryptedProtections {
  reencrypted: number;
  current: number;
  /** Written or deleted by another process at the same time. */
  changed: number;
  /** Neither key reads them. */
  unreadable: number;
}

/**
 * Encrypts protections again that are not under the current key, and gives them the sender key that belongs to it. The
 * former one stays until {@link forgetFormerKeys}: a sender is protected all the time, whichever key a message has.
 */
export const reencryptProtections = async (dependencies: {
  database: Database;
  cipher: TextCipher & { isCurrent(ciphertext: string): boolean };
  senderKey: KeyObject;
}): Promise<ReencryptedProtections> => {
  const { database, cipher, senderKey } = dependencies;
  const counts: ReencryptedProtections = { reencrypted: 0, current: 0, changed: 0, unreadable: 0 };

  const renew = async (row: { id: string; userId: string; encryptedSender: string }) => {
    if (cipher.isCurrent(row.encryptedSender)) return 'current';
    const from = readSender(cipher, row.userId, row.encryptedSender);
    if (from === undefined) return 'unreadable';
    const key = toSenderKey(senderKey, row.userId, from);
    return await database.$transaction(async (tx) => {
      const isOld = Prisma.sql`"id" = ${row.id}::uuid AND "encryptedSender" = ${row.encryptedSender}`;
      // The user has protected the sender again, under the current key.
      const merged = await tx.$executeRaw`
        UPDATE "Protection" AS newer SET "formerKey" = old."senderKey"
        FROM (SELECT "senderKey", "userId" FROM "Protection" WHERE ${isOld} FOR UPDATE) AS old
        WHERE newer."userId" = old."userId" AND newer."senderKey" = decode(${key}, 'hex')`;
      const done =
        merged > 0
          ? await tx.$executeRaw`DELETE FROM "Protection" WHERE ${isOld}`
          : await tx.$executeRaw`
              UPDATE "Protection" SET "formerKey" = "senderKey", "senderKey" = decode(${key}, 'hex'),
                "encryptedSender" = ${writeSender(cipher, row.userId, from)}
              WHERE ${isOld}`;
      return done > 0 ? 'reencrypted' : 'changed';
    });
  };

  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await database.protection.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: BATCH_SIZE,
      select: { id: true, userId: true, encryptedSender: true },
    });
    for (const row of rows) counts[await renew(row)] += 1;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_SIZE) return counts;
    after = last.id;
  }
};

/** Drops former sender keys: no message has one any more. */
export const forgetFormerKeys = async (database: Database): Promise<void> => {
  await database.protection.updateMany({ where: { formerKey: { not: null } }, data: { formerKey: null } });
};
