import type { KeyObject } from 'node:crypto';
import type { Cleanup, CleanupPlan, CreateCleanupRequest, Rule } from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { type Mailbox, MailboxError, type OpenMailbox } from '@mailsweep/mail/mailbox';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import type { Logger } from '@mailsweep/service-kit';
import { changeCleanupState, findCleanup } from '../cleanups/cleanup.repository.ts';
import { storePlan } from '../cleanups/plan-cleanup.ts';
import { type SelectedEmails, selectEmails } from '../cleanups/select-emails.ts';
import { canChangeMailbox } from '../concurrency/can-change.repository.ts';
import { RefusedError } from '../refused-error.ts';
import { findRuleRow, lockRule } from '../rules/rule.repository.ts';
import { hasRuleCandidates } from '../rules/rule-candidates.repository.ts';
import { type RuleRow, toCleanupRequest } from '../rules/rule-row.repository.ts';
import {
  cancelPausedRuns,
  isRuleRunning,
  listBatchesToUndo,
  listDueRules,
  noteRuleRun,
  takeRuleSlot,
} from '../rules/rule-run.repository.ts';
import { resolveSenders, type SenderKeys } from '../sender-groups/sender-groups.ts';
import { lockEnabledWatch } from '../watch/mailbox-watch.repository.ts';
import { nextRuleRun } from './rule-schedule.ts';

/** Batches that are undone within the request; the worker undoes the others. */
const BATCHES_AT_ONCE = 3;

/**
 * What a user can have a rule do now, whether it is enabled or not.
 *
 * @param dependencies.undoBatch - undoes a batch; with `isDeferred` the worker does
 */
export const createRuleRuns = (dependencies: {
  database: Database;
  cipher: TextCipher;
  senderKey: KeyObject;
  openMailbox: OpenMailbox;
  planCleanup: (
    userId: string,
    request: CreateCleanupRequest,
    maker: { ruleId: string; plannedBy: string | null },
  ) => Promise<CleanupPlan>;
  findRule: (userId: string, id: string) => Promise<Rule | null>;
  undoBatch: (
    userId: string,
    batchId: string,
    options: { isDeferred: boolean },
  ) => Promise<{ isRunning: boolean } | null>;
  nowMs?: () => number;
}) => {
  const { database, openMailbox, planCleanup, findRule, undoBatch, nowMs = Date.now } = dependencies;

  return {
    /**
     * Plans what the rule would do now; running the plan is a run of the rule.
     *
     * @param plannedBy - the id of the token that asks for it
     * @returns null when the user has no such rule
     * @throws {RefusedError}
     * @throws MailboxError when the mailbox can't be read
     */
    async preview(userId: string, id: string, plannedBy: string | null): Promise<CleanupPlan | null> {
      const rule = await findRuleRow(database, userId, id);
      return rule && (await planCleanup(userId, toCleanupRequest(rule), { ruleId: id, plannedBy }));
    },

    /**
     * Runs the rule.
     *
     * @returns the run; null when the user has no such rule
     * @throws {RefusedError} while a run of it is in flight
     * @throws MailboxError when the mailbox can't be read
     */
    async run(userId: string, id: string): Promise<Cleanup | null> {
      const found = await findRuleRow(database, userId, id);
      if (found === null) return null;
      await requireNoRun(database, id);
      const selected = await selectEmails(
        dependencies,
        openMailbox(userId),
        userId,
        toCleanupRequest(found),
        {
          ruleId: id,
        },
      );
      const cleanupId = await database.$transaction(async (tx) => {
        const rule = await lockRule(tx, userId, id);
        if (rule === null) return null;
        await requireNoRun(tx, id);
        return await beginRuleRun(tx, found, { selected, now: new Date(nowMs()), byWatch: false });
      });
      if (cleanupId === null) return null;
      return await findCleanup(database, userId, cleanupId);
    },

    /**
     * Undoes all runs of the rule, by the batches of their records, the newest first. It pauses the rule, as undoing each
     * of them would.
     *
     * @returns the rule, and whether its undo goes on in the background; null when the user has no such rule
     * @throws {RefusedError} while a run of it is in flight
     */
    async undo(userId: string, id: string): Promise<{ rule: Rule; isRunning: boolean } | null> {
      if ((await findRule(userId, id)) === null) return null;
      await requireNoRun(database, id);
      let isRunning = false;
      const batchIds = await listBatchesToUndo(database, userId, id);
      for (const [index, batchId] of batchIds.entries()) {
        const undo = await undoBatch(userId, batchId, { isDeferred: index >= BATCHES_AT_ONCE });
        isRunning ||= undo?.isRunning ?? false;
      }
      const rule = await findRule(userId, id);
      return rule && { rule, isRunning };
    },
  };
};

/** @throws {RefusedError} while a run of the rule is in flight */
const requireNoRun = async (database: Database | Transaction, ruleId: string): Promise<void> => {
  if (await isRuleRunning(database, ruleId)) {
    throw new RefusedError(
      'wrong_state',
      'a run of this rule is in flight: wait for it, or cancel its cleanup',
    );
  }
};

/**
 * Begins a run of a rule: its plan is stored, and due to be executed.
 *
 * @returns the id of the cleanup
 */
const beginRuleRun = async (
  tx: Transaction,
  rule: RuleRow,
  { selected, now, byWatch }: { selected: SelectedEmails; now: Date; byWatch: boolean },
): Promise<string> => {
  const request = toCleanupRequest(rule);
  await cancelPausedRuns(tx, rule.id);
  const id = await storePlan(tx, rule.userId, { request, selected, ruleId: rule.id, byWatch });
  await changeCleanupState(tx, rule.userId, id, { from: ['planned'], to: 'queued' });
  await noteRuleRun(tx, id, now);
  return id;
};

/** Most rules that one check of a mailbox runs; the others stay due. */
const MAX_RULES_PER_CHECK = 10;
/** Most emails of one run that the watch begins; the rest follows within the hour. */
const MAX_RUN_EMAILS = 5_000;

/**
 * Runs the rules of a user that are due, after a check of the mailbox (docs/decisions/046). The slot of a rule and the plan
 * of its run are written in one transaction: whatever dies before has done nothing, and whatever dies later has left a
 * cleanup that goes on. A rule for which the cache has no email costs no quota unit.
 *
 * @returns how many runs were begun
 */
export const createRunDueRules =
  (dependencies: SenderKeys & { logger: Logger; nowMs?: () => number }) =>
  async (userId: string, mailbox: Mailbox): Promise<number> => {
    const { database, logger, nowMs = Date.now } = dependencies;
    const due = await listDueRules(database, userId, {
      now: new Date(nowMs()),
      limit: MAX_RULES_PER_CHECK,
    });
    if (due.length === 0) return 0;
    if (!(await canChangeMailbox(database, userId))) {
      // They stay due, and run once the user allows changes.
      logger.info(
        { userId, rules: due.length, code: 'read_only_access' },
        'rules do not act: the user lets Mailsweep only look',
      );
      return 0;
    }
    let begun = 0;
    try {
      // Brings the cache to the end of the history.
      await mailbox.checkChanges([]);
      for (const rule of due) if (await runUnlessRefused(rule)) begun += 1;
    } catch (error) {
      if (!(error instanceof MailboxError)) throw error;
      // The rules stay due: the next check runs them.
      logger.info({ userId, code: error.code }, 'rules wait for the mailbox');
    }
    return begun;

    /** What the mailbox refuses of one rule keeps none of the others from being run. */
    async function runUnlessRefused(rule: RuleRow): Promise<boolean> {
      return await runDueRule(rule).catch((error: unknown) => {
        if (!(error instanceof MailboxError) || error.code !== 'failed') throw error;
        logger.warn({ userId, ruleId: rule.id, err: error }, 'the mailbox refuses what a rule needs');
        return false;
      });
    }

    async function runDueRule(rule: RuleRow): Promise<boolean> {
      const selected = await select(rule);
      const now = new Date(nowMs());
      const nextDueAt = nextRuleRun(rule.dueAt ?? now, rule.olderThan, {
        nowMs: now.getTime(),
        isComplete: selected?.isComplete ?? true,
      });
      const cleanupId = await database.$transaction(async (tx) => {
        // The user may have switched the watch off since: nothing begins any more.
        if (!(await lockEnabledWatch(tx, userId))) return undefined;
        if (!(await takeRuleSlot(tx, rule, { now, nextDueAt })) || selected === undefined) return undefined;
        return await beginRuleRun(tx, rule, { selected, now, byWatch: true });
      });
      if (cleanupId === undefined) return false;
      const emails = selected?.emails.length;
      logger.info({ userId, ruleId: rule.id, cleanupId, emails }, 'a run of a rule has begun');
      return true;
    }

    /** The emails of a run; undefined where there are none. */
    async function select(rule: RuleRow): Promise<SelectedEmails | undefined> {
      const request = toCleanupRequest(rule);
      const acting = { ruleId: rule.id, action: rule.action };
      const { selection } = request;
      const named = 'senders' in selection ? selection.senders : [];
      const wanted = { selection, senders: await resolveSenders(dependencies, userId, named) };
      if (!(await hasRuleCandidates(database, userId, acting, wanted, nowMs()))) return undefined;
      const selected = await selectEmails(dependencies, mailbox, userId, request, {
        ruleId: rule.id,
        limit: MAX_RUN_EMAILS,
      });
      return selected.emails.length === 0 ? undefined : selected;
    }
  };
