import { type CleanupSelection, type CreateCleanupRequest, RuleActionSchema } from '@mailsweep/contracts';
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

/** A cleanup that a rule makes. */
type RuleRequest = CreateCleanupRequest & {
  selection: Extract<CleanupSelection, { type: 'senders' | 'suggestions' | 'any' }>;
};

/** The cleanup that a rule makes. While keys are rotated, messages may still have the former keys of its senders. */
export const toCleanupRequest = (rule: RuleRow): RuleRequest => {
  const { classifications, olderThan, keepNewest, label } = rule;
  const senders = rule.senders.flatMap(({ key, formerKey }) => [
    key,
    ...(formerKey === null ? [] : [formerKey]),
  ]);
  const minConfidence = rule.minConfidence ?? 1;
  const [classification] = classifications;
  // Clocks differ: any age means no bound.
  const selected = { ...(olderThan > 0 && { olderThan }), except: [] };
  return {
    action: RuleActionSchema.parse(rule.action),
    ...(label === null ? {} : { label }),
    selection: toSelection(),
  };

  function toSelection(): RuleRequest['selection'] {
    if (classification === undefined)
      return { type: 'senders', senders, ...(keepNewest !== null && { keepNewest }), ...selected };
    return senders.length === 0 && classifications.length === 1
      ? { type: 'suggestions', classification, minConfidence, ...selected }
      : { type: 'any', senders, classifications, minConfidence, ...selected };
  }
};
