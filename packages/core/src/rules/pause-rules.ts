import type { Transaction } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/message-cache';
import { insertAuditEntry } from '../history/audit-trail.repository.ts';
import { recordAttention } from '../notifications/record-notifications.ts';
import { readSender } from '../protections/sender-text.ts';
import { type PausedRuleRow, pauseUndoneRules } from './pause-rules.repository.ts';

/** What encrypts the texts of rules, and those of notifications. */
export interface RuleCiphers {
  messageCipher: TextCipher;
  notificationCipher: TextCipher;
}

/** Pauses the rules of records that were undone, where too much is undone, and tells the user. */
export const pauseRules = async (
  tx: Transaction,
  { messageCipher, notificationCipher }: RuleCiphers,
  undone: { userId: string; recordIds: readonly string[]; undoneAt: Date; nowMs: number },
): Promise<void> => {
  const { userId, recordIds, undoneAt, nowMs } = undone;
  for (const rule of await pauseUndoneRules(tx, userId, recordIds, undoneAt)) {
    const name = toName(messageCipher, rule);
    await recordAttention(tx, notificationCipher, {
      userId,
      key: `rule:${rule.id}:${undoneAt.toISOString()}`,
      content: { reason: 'rule_paused', ...(name !== undefined && { name }) },
      nowMs,
    });
    const details = { ruleId: rule.id };
    await insertAuditEntry(tx, { userId, event: 'rule_paused', address: null, browser: null, details });
  }
};

/** What a rule is about, unless that is several things. */
const toName = (
  cipher: TextCipher,
  { userId, senders, classifications }: PausedRuleRow,
): string | undefined => {
  const [sender] = senders;
  if (senders.length + classifications.length !== 1) return undefined;
  return sender ? readSender(cipher, userId, sender.encryptedSender) : classifications[0];
};
