import type { KeyObject } from 'node:crypto';
import type { Database } from '@mailsweep/database';
import { type TextCipher, toSenderKey } from '@mailsweep/mailbox-sync';
import type { ReencryptedProtections } from '../protections/reencrypt-protections.repository.ts';
import { readSender, writeSender } from '../protections/sender-text.ts';

/**
 * Encrypts the senders of rules again that are not under the current key, as those of protections are: the former sender
 * key stays until {@link forgetFormerRuleKeys}, so that the rule finds messages with either.
 */
export const reencryptRules = async (dependencies: {
  database: Database;
  cipher: TextCipher & { isCurrent(ciphertext: string): boolean };
  senderKey: KeyObject;
}): Promise<ReencryptedProtections> => {
  const { database, cipher, senderKey } = dependencies;
  const counts: ReencryptedProtections = { reencrypted: 0, current: 0, changed: 0, unreadable: 0 };
  const rows = await database.$queryRaw<{ id: string; userId: string; encryptedSender: string }[]>`
    SELECT "id", "userId", "encryptedSender" FROM "Rule" WHERE "encryptedSender" IS NOT NULL ORDER BY "id"`;
  for (const row of rows) counts[await renew(row)] += 1;
  return counts;

  async function renew({ id, userId, encryptedSender }: (typeof rows)[number]) {
    if (cipher.isCurrent(encryptedSender)) return 'current';
    const from = readSender(cipher, userId, encryptedSender);
    if (from === undefined) return 'unreadable';
    const done = await database.$executeRaw`
      UPDATE "Rule" SET "formerKey" = "senderKey",
        "senderKey" = decode(${toSenderKey(senderKey, userId, from)}, 'hex'),
        "encryptedSender" = ${writeSender(cipher, userId, from)}
      WHERE "id" = ${id}::uuid AND "encryptedSender" = ${encryptedSender}`;
    return done > 0 ? 'reencrypted' : 'changed';
  }
};

/** Drops former sender keys: no message has one any more. */
export const forgetFormerRuleKeys = async (database: Database): Promise<void> => {
  await database.rule.updateMany({ where: { formerKey: { not: null } }, data: { formerKey: null } });
};
