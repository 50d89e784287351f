import type { ReencryptCounts } from '@mailsweep/provider-connection';
import { type ReencryptOptions, reencryptRows } from '../protections/reencrypt-rows.repository.ts';
import { readUnsubscribeRequest, writeUnsubscribeRequest } from './unsubscribe-request.ts';

/**
 * Encrypts requests to unsubscribe again that are not under the current key, and gives them the sender key that belongs to
 * it. Where the user has asked again under the current key, that request stays.
 */
export const reencryptUnsubscribes = (options: ReencryptOptions): Promise<ReencryptCounts> =>
  reencryptRows(options, {
    table: 'Unsubscribe',
    column: 'encryptedRequest',
    read: (userId, text) => {
      const request = readUnsubscribeRequest(options.cipher, userId, text);
      return (
        request && { from: request.from, text: writeUnsubscribeRequest(options.cipher, userId, request) }
      );
    },
    write: (row) =>
      options.database.$transaction(async (tx) => {
        const replaced = await tx.$executeRaw`
            DELETE FROM "Unsubscribe" AS old WHERE ${row.isOld} AND EXISTS (
              SELECT FROM "Unsubscribe" AS newer WHERE newer."id" <> old."id" AND newer."userId" = old."userId"
                AND newer."senderKey" = decode(${row.senderKey}, 'hex'))`;
        if (replaced > 0) return replaced;
        return await tx.$executeRaw`
            UPDATE "Unsubscribe" SET "senderKey" = decode(${row.senderKey}, 'hex'), "encryptedRequest" = ${row.text}
            WHERE ${row.isOld}`;
      }),
  });
