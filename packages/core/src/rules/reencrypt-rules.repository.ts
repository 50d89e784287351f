import type { Database } from '@mailsweep/database';
import type { ReencryptCounts } from '@mailsweep/provider-connection';
import { type ReencryptOptions, reencryptRows } from '../protections/reencrypt-rows.repository.ts';
import { renewSender } from '../protections/sender-text.ts';

/**
 * Encrypts the senders of rules again that are not under the current key, as those of protections are: the former sender
 * key stays until {@link forgetFormerRuleKeys}, so that the rule finds messages with either.
 */
export const reencryptRules = (options: ReencryptOptions): Promise<ReencryptCounts> =>
  reencryptRows(options, {
    table: 'RuleSender',
    column: 'encryptedSender',
    read: (userId, text) => renewSender(options.cipher, userId, text),
    write: ({ isOld, senderKey, text }) => options.database.$executeRaw`
      UPDATE "RuleSender" SET "formerKey" = "senderKey", "senderKey" = decode(${senderKey}, 'hex'),
        "encryptedSender" = ${text}
      WHERE ${isOld}`,
  });

/** Drops former sender keys: no message has one any more. */
export const forgetFormerRuleKeys = async (database: Database): Promise<void> => {
  await database.ruleSender.updateMany({ where: { formerKey: { not: null } }, data: { formerKey: null } });
};
