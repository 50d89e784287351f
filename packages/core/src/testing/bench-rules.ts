import type { CreateCleanupRequest, CreateRuleRequest, UpdateRuleRequest } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { Mailbox } from '@mailsweep/mailbox';
import type { TextCipher } from '@mailsweep/message-cache';
import type { Logger } from '@mailsweep/service-kit';
import type { createPlanCleanup } from '../cleanups/plan-cleanup.ts';
import { createRunStep } from '../due-work/run-step.ts';
import { createBrowseHistory } from '../history/browse-history.ts';
import { readContent } from '../notifications/notification-content.ts';
import { createRunDueRules } from '../rule-runs/run-due-rules.ts';
import { createRunRule } from '../rule-runs/run-rule.ts';
import { createUndoRule } from '../rule-runs/undo-rule.ts';
import { createRules } from '../rules/rules.ts';
import type { createUndoActions } from '../undoing/undo-actions.ts';
import { createTakeUndoStep, createUndoBatch } from '../undoing/undo-batch.ts';

const CLIENT = { address: null, browser: null };

/** What one process of the product does with a user's rules. */
export const openBenchRules = (dependencies: {
  database: Database;
  userId: string;
  cipher: TextCipher;
  mailbox: Mailbox;
  planCleanup: ReturnType<typeof createPlanCleanup>;
  undoActions: ReturnType<typeof createUndoActions>;
  logger: Logger;
  nowMs: () => number;
}) => {
  const { database, userId, mailbox, undoActions, logger } = dependencies;
  const shared = { ...dependencies, openMailbox: () => mailbox };
  const rules = createRules(dependencies);
  const running = createRunRule({
    ...shared,
    planCleanup: (id, request: CreateCleanupRequest, ruleId) => dependencies.planCleanup(id, request, ruleId),
  });
  const runDueRules = createRunDueRules(shared);
  const undoBatch = createUndoBatch({
    database,
    runBatchUndo: createRunStep({ database, logger }, 'undo', createTakeUndoStep({ database, undoActions })),
    findActionBatch: createBrowseHistory(dependencies).findActionBatch,
  });
  const undoRule = createUndoRule({
    database,
    findRule: rules.findRule,
    undoBatch: (id, batchId) => undoBatch(id, batchId),
  });
  const find = async (id: string) => {
    const rule = await rules.findRule(userId, id);
    if (rule === null) throw new Error('no such rule');
    return rule;
  };
  return {
    find,
    create: (request: Partial<CreateRuleRequest> & Pick<CreateRuleRequest, 'condition'>) =>
      rules.createRule(userId, { olderThan: 0, action: 'archive', enabled: true, ...request }, CLIENT),
    update: (id: string, request: UpdateRuleRequest) => rules.updateRule({ userId, id }, request, CLIENT),
    delete: (id: string) => rules.deleteRule({ userId, id }, CLIENT),
    preview: (id: string) => running.previewRule(userId, id),
    run: (id: string) => running.runRule(userId, id),
    undo: (id: string) => undoRule(userId, id),
    undoBatch: (batchId: string) => undoBatch(userId, batchId),
    /** What the user is told that needs them. */
    listAttention: async () => {
      const rows = await database.notification.findMany({ orderBy: { id: 'asc' } });
      return rows.map((row) => readContent(dependencies.cipher, { ...row, kind: 'attention' }));
    },
    /** Runs what is due, as a check of the watch does; returns how many runs were begun. */
    runDue: () => runDueRules(userId, mailbox),
  };
};
