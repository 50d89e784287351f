import type { KeyObject } from 'node:crypto';
import { type Database, Prisma } from '@mailsweep/database';
import { type TextCipher, toSenderKey } from '@mailsweep/mailbox-sync';
import type { ReencryptedProtections } from '../protections/reencrypt-protections.repository.ts';
import { readUnsubscribeRequest, writeUnsubscribeRequest } from './unsubscribe-request.ts';

/** Rows read at a time. */
const BATCH_SIZE = 500;

/**
 * Encrypts requests to unsubscribe again that are not under the current key, and gives them the sender key that belongs to
 * it. Where the user has asked again under the current key, that request stays.
 */
export const reencryptUnsubscribes = async (dependencies: {
  database: Database;
  cipher: TextCipher & { isCurrent(ciphertext: string): boolean };
  senderKey: KeyObject;
}): Promise<ReencryptedProtections> => {
  const { database, cipher, senderKey } = dependencies;
  const counts: ReencryptedProtections = { reencrypted: 0, current: 0, changed: 0, unreadable: 0 };

  const renew = async (row: { id: string; userId: string; encryptedRequest: string }) => {
    if (cipher.isCurrent(row.encryptedRequest)) return 'current';
    const request = readUnsubscribeRequest(cipher, row.userId, row.encryptedRequest);
    if (request === undefined) return 'unreadable';
    const key = toSenderKey(senderKey, row.userId, request.from);
    const isOld = Prisma.sql`"id" = ${row.id}::uuid AND "encryptedRequest" = ${row.encryptedRequest}`;
    const done = await database.$transaction(async (tx) => {
      const replaced = await tx.$executeRaw`
        DELETE FROM "Unsubscribe" AS old WHERE ${isOld} AND EXISTS (
          SELECT FROM "Unsubscribe" AS newer WHERE newer."id" <> old."id" AND newer."userId" = old."userId"
            AND newer."senderKey" = decode(${key}, 'hex'))`;
      if (replaced > 0) return replaced;
      return await tx.$executeRaw`
        UPDATE "Unsubscribe" SET "senderKey" = decode(${key}, 'hex'),
          "encryptedRequest" = ${writeUnsubscribeRequest(cipher, row.userId, request)}
        WHERE ${isOld}`;
    });
    return done > 0 ? 'reencrypted' : 'changed';
  };

  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const rows = await database.unsubscribe.findMany({
      where: { id: { gt: after } },
      orderBy: { id: 'asc' },
      take: BATCH_SIZE,
      select: { id: true, userId: true, encryptedRequest: true },
    });
    for (const row of rows) counts[await renew(row)] += 1;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH_SIZE) return counts;
    after = last.id;
  }
};
