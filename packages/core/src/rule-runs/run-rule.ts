import type { Cleanup, CleanupPlan, CreateCleanupRequest } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { OpenMailbox } from '@mailsweep/mailbox';
import type { TextCipher } from '@mailsweep/message-cache';
import { findCleanup } from '../cleanups/cleanup.repository.ts';
import { selectEmails } from '../cleanups/select-emails.ts';
import { findRuleRow, lockRule } from '../rules/rule.repository.ts';
import { toCleanupRequest } from '../rules/rule-selection.ts';
import { beginRuleRun, requireNoRun } from './begin-rule-run.ts';

/** What a user can have a rule do now, whether it is enabled or not. */
export const createRunRule = (dependencies: {
  database: Database;
  cipher: TextCipher;
  openMailbox: OpenMailbox;
  planCleanup: (userId: string, request: CreateCleanupRequest, ruleId: string) => Promise<CleanupPlan>;
  nowMs?: () => number;
}) => {
  const { database, openMailbox, planCleanup, nowMs = Date.now } = dependencies;

  return {
    /**
     * Plans what the rule would do now; running the plan is a run of the rule.
     *
     * @returns null when the user has no such rule
     * @throws {RefusedError}
     * @throws MailboxError when the mailbox can't be read
     */
    async previewRule(userId: string, id: string): Promise<CleanupPlan | null> {
      const rule = await findRuleRow(database, userId, id);
      return rule && (await planCleanup(userId, toCleanupRequest(rule), id));
    },

    /**
     * Runs the rule.
     *
     * @returns the run; null when the user has no such rule
     * @throws {RefusedError} while a run of it is in flight
     * @throws MailboxError when the mailbox can't be read
     */
    async runRule(userId: string, id: string): Promise<Cleanup | null> {
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
  };
};
