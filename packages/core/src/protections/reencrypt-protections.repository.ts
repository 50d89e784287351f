import type { Database } from '@mailsweep/database';
import type { ReencryptCounts } from '@mailsweep/provider-connection';
import { type ReencryptOptions, reencryptRows } from './reencrypt-rows.repository.ts';
import { renewSender } from './sender-text.ts';

/**
 * Encrypts protections again that are not under the current key, and gives them the sender key that belongs to it. The
 * former one stays until {@link forgetFormerKeys}: a sender is protected all the time, whichever key a message has.
 */
export const reencryptProtections = (options: ReencryptOptions): Promise<ReencryptCounts> =>
  reencryptRows(options, {
    table: 'Protection',
    column: 'encryptedSender',
    read: (userId, text) => renewSender(options.cipher, userId, text),
    write: ({ isOld, senderKey, text }) =>
      options.database.$transaction(async (tx) => {
        // The user has protected the sender again, under the current key.
        const merged = await tx.$executeRaw`
          UPDATE "Protection" AS newer SET "formerKey" = old."senderKey"
          FROM (SELECT "senderKey", "userId" FROM "Protection" WHERE ${isOld} FOR UPDATE) AS old
          WHERE newer."userId" = old."userId" AND newer."senderKey" = decode(${senderKey}, 'hex')`;
        if (merged > 0) return await tx.$executeRaw`DELETE FROM "Protection" WHERE ${isOld}`;
        return await tx.$executeRaw`
          UPDATE "Protection" SET "formerKey" = "senderKey", "senderKey" = decode(${senderKey}, 'hex'),
            "encryptedSender" = ${text}
          WHERE ${isOld}`;
      }),
  });

/** Drops former sender keys: no message has one any more. */
export const forgetFormerKeys = async (database: Database): Promise<void> => {
  await database.$executeRaw`
    DELETE FROM "SenderName" AS named WHERE NOT EXISTS (
      SELECT FROM "CachedMessage" AS message
      WHERE message."userId" = named."userId" AND message."senderKey" = named."senderKey")`;
  await database.protection.updateMany({ where: { formerKey: { not: null } }, data: { formerKey: null } });
};
