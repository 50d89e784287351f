import type { Database } from '@mailsweep/database';
import { type Mailbox, MailboxError } from '@mailsweep/mailbox';
import type { TextCipher } from '@mailsweep/message-cache';
import type { Logger } from '@mailsweep/service-kit';
import { type SelectedEmails, selectEmails } from '../cleanups/select-emails.ts';
import { hasRuleCandidates } from '../rules/rule-candidates.repository.ts';
import type { RuleRow } from '../rules/rule-row.repository.ts';
import { listDueRules, takeRuleSlot } from '../rules/rule-run.repository.ts';
import { toCleanupRequest } from '../rules/rule-selection.ts';
import { lockEnabledWatch } from '../watch/mailbox-watch.repository.ts';
import { beginRuleRun } from './begin-rule-run.ts';
import { nextRuleRun } from './rule-schedule.ts';

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
  (dependencies: { database: Database; cipher: TextCipher; logger: Logger; nowMs?: () => number }) =>
  async (userId: string, mailbox: Mailbox): Promise<number> => {
    const { database, logger, nowMs = Date.now } = dependencies;
    const due = await listDueRules(database, userId, {
      now: new Date(nowMs()),
      limit: MAX_RULES_PER_CHECK,
    });
    if (due.length === 0) return 0;
    let begun = 0;
    try {
      // Brings the cache to the end of the history.
      await mailbox.checkChanges([]);
      for (const rule of due) if (await runDueRule(rule)) begun += 1;
    } catch (error) {
      if (!(error instanceof MailboxError)) throw error;
      // The rules stay due: the next check runs them.
      logger.info({ userId, code: error.code }, 'rules wait for the mailbox');
    }
    return begun;

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
      if (!(await hasRuleCandidates(database, userId, acting, request.selection, nowMs()))) return undefined;
      const selected = await selectEmails(dependencies, mailbox, userId, request, {
        ruleId: rule.id,
        limit: MAX_RUN_EMAILS,
      });
      return selected.emails.length === 0 ? undefined : selected;
    }
  };
