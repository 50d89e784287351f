import { Prisma } from '@mailsweep/database';

/** A sender that a rule names. Keys are hexadecimal: ids of the sender. */
interface RuleSender {
  key: string;
  formerKey: string | null;
  encryptedSender: string;
}

/** A rule as it is stored. */
export type RuleRow = Prisma.RuleGetPayload<object> & { senders: RuleSender[] };

/** The columns of the table `rule` of a query, with the senders that it names: a `RuleRow`. */
export const RULE_COLUMNS = Prisma.sql`rule.*, (
  SELECT coalesce(jsonb_agg(jsonb_build_object(
    'key', encode(sender."senderKey", 'hex'), 'formerKey', encode(sender."formerKey", 'hex'),
    'encryptedSender', sender."encryptedSender") ORDER BY sender."id"), '[]')
  FROM "RuleSender" AS sender WHERE sender."ruleId" = rule."id") AS "senders"`;
