import {
  CleanupStateSchema,
  type CreateRuleRequest,
  type ExportRulesQuery,
  type ListRulesResponse,
  MAX_RULES,
  type Pagination,
  type Rule,
  RuleActionSchema,
  type RuleCondition,
  type RuleFile,
  RulePauseReasonSchema,
  type UpdateRuleRequest,
} from '@mailsweep/contracts';
import { readMessageText, readSender, writeSender } from '@mailsweep/mail/message-cache';
import { findNewestMessage, listSparedSenders } from '../protections/protection.repository.ts';
import { InvalidFieldError, RefusedError } from '../refused-error.ts';
import { findSenderGroup, type SenderKeys } from '../sender-groups/sender-groups.ts';
import { listRuleSenders, toRuleFile } from './export-rules.ts';
import {
  type CountedRuleRow,
  deleteRule,
  findRuleRow,
  insertRule,
  listRuleRows,
  type RuleChoice,
  type RuleClient,
  type StoredCondition,
  updateRule,
} from './rule.repository.ts';

/** The user's rules (docs/decisions/046): what a user chooses of them, and what they did. */
export const createRules = (dependencies: SenderKeys & { nowMs?: () => number }) => {
  const { database, cipher, nowMs = Date.now } = dependencies;
  const now = () => new Date(nowMs());

  /** @param kept - the senders that the rule has: no email of theirs needs to be there any more */
  const toStoredCondition = async (
    userId: string,
    condition: RuleCondition,
    kept: CountedRuleRow['senders'] = [],
  ): Promise<StoredCondition> => {
    if (condition.type === 'sender') {
      const sender = await toStoredSender(userId, condition.sender, 'condition.sender', kept);
      return { senders: [sender], classifications: [], minConfidence: null };
    }
    if (condition.type === 'classification') {
      const { classification, minConfidence } = condition;
      return { senders: [], classifications: [classification], minConfidence };
    }
    const senders: StoredCondition['senders'] = [];
    for (const [index, sender] of [...new Set(condition.senders)].entries())
      senders.push(await toStoredSender(userId, sender, `condition.senders.${index}`, kept));
    const classifications = [...new Set(condition.classifications)];
    return {
      senders,
      classifications,
      minConfidence: classifications.length === 0 ? null : condition.minConfidence,
    };
  };

  const toStoredSender = async (
    userId: string,
    sender: string,
    path: string,
    kept: CountedRuleRow['senders'],
  ): Promise<StoredCondition['senders'][number]> => {
    const senderKey = Uint8Array.from(Buffer.from(sender, 'hex'));
    const known = kept.find(({ key }) => key === sender);
    if (known) return { senderKey, encryptedSender: known.encryptedSender };
    const group = await findSenderGroup(dependencies, userId, sender);
    const newest = await findNewestMessage(database, userId, sender);
    const text = newest && readMessageText(cipher, userId, newest.emailId, newest.encryptedText);
    const from = group?.name ?? text?.from;
    if (from === undefined) throw new InvalidFieldError(path, 'is not a sender of whom an email was read');
    return { senderKey, encryptedSender: writeSender(cipher, userId, from) };
  };

  const toRule = (row: CountedRuleRow): Rule => ({
    id: row.id,
    condition: toCondition(row),
    olderThan: row.olderThan,
    keepNewest: row.keepNewest,
    action: RuleActionSchema.parse(row.action),
    label: row.label,
    enabled: row.enabled,
    pausedReason: row.pausedReason === null ? null : RulePauseReasonSchema.parse(row.pausedReason),
    pausedAt: row.pausedAt?.toISOString() ?? null,
    nextRunAt: row.dueAt?.toISOString() ?? null,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    lastRun: toLastRun(row),
    counts: {
      since: row.countedFrom.toISOString(),
      runs: row.runs,
      actions: row.actions,
      undone: row.undone,
    },
    undoing: row.undoing,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  });

  const toCondition = ({
    userId,
    senders,
    classifications,
    minConfidence,
  }: CountedRuleRow): Rule['condition'] => {
    const named = senders.map(({ key, encryptedSender }) => ({
      sender: key,
      from: readSender(cipher, userId, encryptedSender) ?? '',
    }));
    const [sender, classification] = [named[0], classifications[0]];
    const isSingle = senders.length + classifications.length === 1;
    if (isSingle && sender) return { type: 'sender', ...sender };
    if (isSingle && classification !== undefined)
      return { type: 'classification', classification, minConfidence: minConfidence ?? 1 };
    return { type: 'any', senders: named, classifications, minConfidence: minConfidence ?? 1 };
  };

  const findRule = async (userId: string, id: string): Promise<Rule | null> => {
    const row = await findRuleRow(database, userId, id);
    return row && toRule(row);
  };

  return {
    find: findRule,

    async list(userId: string, pagination: Pagination): Promise<ListRulesResponse> {
      const { total, rows } = await listRuleRows(database, userId, pagination);
      return { total, ...pagination, data: rows.map(toRule) };
    },

    /** Rules as a file for others; null when the user has no rule with the id. */
    async export(userId: string, { format, ruleId }: ExportRulesQuery): Promise<RuleFile | null> {
      const chosen = ruleId === undefined ? undefined : await findRule(userId, ruleId);
      if (chosen === null) return null;
      const { rows } = await listRuleRows(database, userId, { page: 1, perPage: MAX_RULES });
      const rules = chosen ? [chosen] : rows.map(toRule);
      const keys = rules.flatMap(listRuleSenders).map(({ sender }) => sender);
      const spared = await listSparedSenders(database, userId, keys);
      return toRuleFile(rules, format, { spared, withDisabled: chosen !== undefined, now: now() });
    },

    /**
     * @throws {InvalidFieldError} for a sender of whom no email was read, and for `keepNewest` beside classifications
     * @throws {RefusedError}
     */
    async create(userId: string, request: CreateRuleRequest, client: RuleClient): Promise<Rule> {
      const { condition, keepNewest = null, label = null, ...rest } = request;
      const choice = { ...rest, keepNewest, label, ...(await toStoredCondition(userId, condition)) };
      const id = await insertRule(database, userId, choice, { client, now: now() });
      if (id === undefined) throw new RefusedError('too_many_rules', `a user may have ${MAX_RULES} rules`);
      const rule = await findRule(userId, id);
      if (rule === null) throw new Error('a rule was deleted while it was made');
      return rule;
    },

    /**
     * Changes what the request names. Counts restart at zero when the rule is enabled.
     *
     * @returns null when the user has no such rule
     * @throws {InvalidFieldError} for a sender that the rule does not have yet and of whom no email was read, and for
     * `keepNewest` beside classifications
     */
    async update(
      { userId, id }: { userId: string; id: string },
      request: UpdateRuleRequest,
      client: RuleClient,
    ): Promise<Rule | null> {
      const { condition, olderThan, keepNewest, action, label, enabled } = request;
      const before = condition && (await findRuleRow(database, userId, id));
      const stored = condition && (await toStoredCondition(userId, condition, before?.senders));
      const changes: Partial<RuleChoice> = {
        ...stored,
        ...(olderThan !== undefined && { olderThan }),
        ...(keepNewest !== undefined && { keepNewest }),
        ...(action !== undefined && { action, label: label ?? null }),
        ...(enabled !== undefined && { enabled }),
      };
      const isFound = await updateRule(database, { userId, id }, changes, { client, now: now() });
      return isFound ? await findRule(userId, id) : null;
    },

    /** Returns false when the user has no such rule. */
    delete: (rule: { userId: string; id: string }, client: RuleClient): Promise<boolean> =>
      deleteRule(database, rule, client),
  };
};

const toLastRun = (row: CountedRuleRow): Rule['lastRun'] => {
  const { lastRunAt, lastCleanupId, lastBatchId, lastState } = row;
  if (lastRunAt === null || lastCleanupId === null || lastBatchId === null) return null;
  return {
    at: lastRunAt.toISOString(),
    cleanupId: lastCleanupId,
    batchId: lastBatchId,
    state: lastState === null ? null : CleanupStateSchema.parse(lastState),
    actions: row.lastActions,
    undone: row.lastUndone,
  };
};
