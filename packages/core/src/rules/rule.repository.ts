import { MAX_RULES, type Pagination, type RuleAction } from '@mailsweep/contracts';
import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';
import { insertAuditEntry, type NewAuditEntry } from '../history/audit-trail.repository.ts';
import { InvalidFieldError } from '../refused-error.ts';
import { RULE_COLUMNS, type RuleRow } from './rule-row.repository.ts';
import { cancelRunsOfRule } from './rule-run.repository.ts';

/** A rule with what its runs have done. */
export type CountedRuleRow = RuleRow & {
  actions: number;
  undone: number;
  undoing: number;
  lastState: string | null;
  lastActions: number;
  lastUndone: number;
};

/** The condition of a rule as it is stored; without classifications there is no confidence. */
export interface StoredCondition {
  senders: { senderKey: Uint8Array<ArrayBuffer>; encryptedSender: string }[];
  classifications: string[];
  minConfidence: number | null;
}

/** Who sent the request that changes a rule. */
export type RuleClient = Omit<NewAuditEntry, 'userId' | 'event' | 'details'>;

/** What a user chooses of a rule. */
export type RuleChoice = StoredCondition & {
  olderThan: number;
  keepNewest: number | null;
  action: RuleAction;
  label: string | null;
  enabled: boolean;
};

/** @throws {InvalidFieldError} where it is not clear whose newest emails are meant */
const requireClearNewest = ({
  keepNewest,
  classifications,
}: Pick<RuleChoice, 'keepNewest' | 'classifications'>): void => {
  if (keepNewest !== null && classifications.length > 0)
    throw new InvalidFieldError('keepNewest', 'is for rules of senders alone, without classifications');
};

const selectRules = (condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT ${RULE_COLUMNS}, counts."actions", counts."undone", counts."undoing", cleanup."state" AS "lastState",
    coalesce(batch."total" - batch."unchanged", 0) AS "lastActions", coalesce(batch."undone", 0) AS "lastUndone"
  FROM "Rule" AS rule
  LEFT JOIN "Cleanup" AS cleanup ON cleanup."id" = rule."lastCleanupId"
  LEFT JOIN "ActionBatch" AS batch ON batch."id" = rule."lastBatchId"
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(batch."total" - batch."unchanged") FILTER (WHERE batch."startedAt" >= rule."countedFrom"), 0)::int AS "actions",
      coalesce(sum(batch."undone") FILTER (WHERE batch."startedAt" >= rule."countedFrom"), 0)::int AS "undone",
      (count(*) FILTER (WHERE batch."undoState" = 'running'))::int AS "undoing"
    FROM "ActionBatch" AS batch WHERE batch."ruleId" = rule."id"
  ) AS counts
  WHERE ${condition}`;

/** The user's rule with this id. */
export const findRuleRow = async (
  database: Database,
  userId: string,
  id: string,
): Promise<CountedRuleRow | null> => {
  const [row] = await database.$queryRaw<CountedRuleRow[]>(
    selectRules(Prisma.sql`rule."userId" = ${userId}::uuid AND rule."id" = ${id}::uuid`),
  );
  return row ?? null;
};

/** A page of the user's rules, newest first. */
export const listRuleRows = async (
  database: Database,
  userId: string,
  { page, perPage }: Pagination,
): Promise<{ total: number; rows: CountedRuleRow[] }> => {
  const total = await database.rule.count({ where: { userId } });
  const rows = await database.$queryRaw<CountedRuleRow[]>`
    ${selectRules(Prisma.sql`rule."userId" = ${userId}::uuid`)}
    ORDER BY rule."id" DESC OFFSET ${(page - 1) * perPage} LIMIT ${perPage}`;
  return { total, rows };
};

/**
 * Inserts a rule, unless the user has as many as they may.
 *
 * @returns its id; undefined when there are too many
 * @throws {InvalidFieldError}
 * @throws an error for which `isOwnerMissing` holds when the user was erased meanwhile
 */
export const insertRule = (
  database: Database,
  userId: string,
  { senders, ...choice }: RuleChoice,
  { client, now }: { client: RuleClient; now: Date },
): Promise<string | undefined> =>
  database.$transaction(async (tx) => {
    requireClearNewest(choice);
    // One at a time: the count below has to include what other requests insert.
    await tx.$queryRaw`SELECT FROM "User" WHERE "id" = ${userId}::uuid FOR NO KEY UPDATE`;
    if ((await tx.rule.count({ where: { userId } })) >= MAX_RULES) return undefined;
    const id = uuidv7();
    const dueAt = choice.enabled ? now : null;
    await tx.rule.create({
      data: { id, userId, ...choice, dueAt, countedFrom: now, createdAt: now, updatedAt: now },
    });
    await insertSenders(tx, { userId, ruleId: id }, senders);
    await insertAuditEntry(tx, { ...client, userId, event: 'rule_created', details: { ruleId: id } });
    return id;
  });

const insertSenders = async (
  tx: Transaction,
  rule: { userId: string; ruleId: string },
  senders: StoredCondition['senders'],
): Promise<void> => {
  await tx.ruleSender.createMany({ data: senders.map((sender) => ({ id: uuidv7(), ...rule, ...sender })) });
};

/**
 * Changes a rule. One that is enabled counts from zero and is due at once, as is one whose condition or action changes; one
 * that is disabled stops its runs in flight.
 *
 * @returns false when the user has no such rule
 * @throws {InvalidFieldError}
 */
export const updateRule = (
  database: Database,
  { userId, id }: Pick<RuleRow, 'userId' | 'id'>,
  { enabled, senders, ...changes }: Partial<RuleChoice>,
  { client, now }: { client: RuleClient; now: Date },
): Promise<boolean> =>
  database.$transaction(async (tx) => {
    const before = await lockRule(tx, userId, id);
    if (before === null) return false;
    requireClearNewest({ ...before, ...changes });
    const isEnabled = enabled ?? before.enabled;
    const isSwitched = enabled !== undefined && (enabled !== before.enabled || before.pausedReason !== null);
    await tx.rule.update({
      where: { id },
      data: {
        ...changes,
        ...(isSwitched && { enabled: isEnabled, pausedReason: null, pausedAt: null }),
        ...(isSwitched && isEnabled && { countedFrom: now, runs: 0 }),
        ...((isSwitched || senders || Object.keys(changes).length > 0) && { dueAt: isEnabled ? now : null }),
        updatedAt: now,
      },
    });
    if (senders) {
      await tx.ruleSender.deleteMany({ where: { ruleId: id } });
      await insertSenders(tx, { userId, ruleId: id }, senders);
    }
    if (isSwitched && !isEnabled) await cancelRunsOfRule(tx, id);
    const details = { ruleId: id, ...(isSwitched && { enabled: String(isEnabled) }) };
    await insertAuditEntry(tx, { ...client, userId, event: 'rule_changed', details });
    return true;
  });

/** Deletes a rule, and stops its runs; what it did stays in the history. Returns false when the user has no such rule. */
export const deleteRule = (
  database: Database,
  { userId, id }: Pick<RuleRow, 'userId' | 'id'>,
  client: RuleClient,
): Promise<boolean> =>
  database.$transaction(async (tx) => {
    const { count } = await tx.rule.deleteMany({ where: { id, userId } });
    if (count === 0) return false;
    await cancelRunsOfRule(tx, id, { withPlans: true });
    await insertAuditEntry(tx, { ...client, userId, event: 'rule_deleted', details: { ruleId: id } });
    return true;
  });

/** The user's rule, which no other transaction changes until this one ends. */
export const lockRule = async (
  tx: Transaction,
  userId: string,
  id: string,
): Promise<Omit<RuleRow, 'senders'> | null> => {
  const [row] = await tx.$queryRaw<Omit<RuleRow, 'senders'>[]>`
    SELECT * FROM "Rule" WHERE "id" = ${id}::uuid AND "userId" = ${userId}::uuid FOR UPDATE`;
  return row ?? null;
};
