import type { Transaction } from '@mailsweep/database';
import { readSender, type TextCipher } from '@mailsweep/mail/message-cache';
import { insertAuditEntry } from '../history/audit-trail.repository.ts';
import { recordAttention } from '../notifications/record-notifications.ts';
import { RULE_COLUMNS, type RuleRow } from './rule-row.repository.ts';
import { cancelRunsOfRule } from './rule-run.repository.ts';

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

type PausedRuleRow = Pick<RuleRow, 'id' | 'userId' | 'senders' | 'classifications'>;

/** The newest runs that count by themselves have at least so many actions together. */
const RECENT_ACTIONS = 100;

/**
 * Pauses the rules of records that were undone, where the user has undone at least a tenth: of all actions of the rule
 * since it was enabled, or of those of its newest runs. Where the mailbox was as the rule wants it, nothing was done that
 * counts. A rule that is disabled has nothing to pause.
 *
 * @returns the rules that are paused now
 */
const pauseUndoneRules = async (
  tx: Transaction,
  userId: string,
  recordIds: readonly string[],
  now: Date,
): Promise<PausedRuleRow[]> => {
  const paused = await tx.$queryRaw<PausedRuleRow[]>`
    WITH touched AS (
      SELECT DISTINCT batch."ruleId" AS "id"
      FROM "ActionHistory" AS record JOIN "ActionBatch" AS batch ON batch."id" = record."batchId"
      WHERE record."userId" = ${userId}::uuid AND record."id" = ANY(${recordIds}::uuid[])
        AND batch."ruleId" IS NOT NULL
    ), run AS (
      SELECT rule."id", batch."changed", batch."changedUndone",
        sum(batch."changed") OVER (PARTITION BY rule."id" ORDER BY batch."startedAt" DESC, batch."id" DESC)
          - batch."changed" < ${RECENT_ACTIONS} AS "isRecent"
      FROM touched JOIN "Rule" AS rule ON rule."id" = touched."id" AND rule."userId" = ${userId}::uuid
      JOIN "ActionBatch" AS batch ON batch."ruleId" = rule."id" AND batch."startedAt" >= rule."countedFrom"
      WHERE rule."enabled"
    ), unwanted AS (
      SELECT "id" FROM run GROUP BY "id"
      HAVING (sum("changedUndone") > 0 AND sum("changedUndone") * 10 >= sum("changed"))
        OR (sum("changedUndone") FILTER (WHERE "isRecent") > 0
          AND sum("changedUndone") FILTER (WHERE "isRecent") * 10 >= sum("changed") FILTER (WHERE "isRecent"))
    ), paused AS (
      UPDATE "Rule" AS rule SET "enabled" = false, "pausedReason" = 'undone', "pausedAt" = ${now}, "dueAt" = NULL,
        "updatedAt" = ${now}
      FROM unwanted WHERE rule."id" = unwanted."id" AND rule."enabled"
      RETURNING rule.*
    )
    SELECT ${RULE_COLUMNS} FROM paused AS rule`;
  for (const { id } of paused) await cancelRunsOfRule(tx, id);
  return paused;
};
