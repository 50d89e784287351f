import type { KeyObject } from 'node:crypto';
import type { CreateRuleRequest, UpdateRuleRequest } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { Mailbox } from '@mailsweep/mail/mailbox';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import type { Logger } from '@mailsweep/service-kit';
import type { Mailsweep } from '../mailsweep.ts';
import { readContent } from '../notifications/record-notifications.ts';
import { createRunDueRules } from '../rule-runs/run-rules.ts';

const CLIENT = { address: null, browser: null };

/** What one process of the product does with a user's rules. */
export const openBenchRules = (dependencies: {
  mailsweep: Pick<Mailsweep, 'rules' | 'undo'>;
  database: Database;
  userId: string;
  cipher: TextCipher;
  senderKey: KeyObject;
  mailbox: Mailbox;
  logger: Logger;
  nowMs: () => number;
}) => {
  const { database, userId, mailbox } = dependencies;
  const { rules, undo } = dependencies.mailsweep;
  const runDueRules = createRunDueRules(dependencies);
  return {
    async find(id: string) {
      const rule = await rules.find(userId, id);
      if (rule === null) throw new Error('no such rule');
      return rule;
    },
    create: (request: Partial<CreateRuleRequest> & Pick<CreateRuleRequest, 'condition'>) =>
      rules.create(userId, { olderThan: 0, action: 'archive', enabled: true, ...request }, CLIENT),
    update: (id: string, request: UpdateRuleRequest) => rules.update({ userId, id }, request, CLIENT),
    delete: (id: string) => rules.delete({ userId, id }, CLIENT),
    preview: (id: string) => rules.preview(userId, id, null),
    run: (id: string) => rules.run(userId, id),
    undo: (id: string) => rules.undo(userId, id),
    undoBatch: (batchId: string) => undo.batch(userId, batchId),
    /** What the user is told that needs them. */
    listAttention: async () => {
      const rows = await database.notification.findMany({ orderBy: { id: 'asc' } });
      return rows.map((row) => readContent(dependencies.cipher, { ...row, kind: 'attention' }));
    },
    /** Runs what is due, as a check of the watch does; returns how many runs were begun. */
    /** @param over - what the mailbox does otherwise */
    runDue: (over: Partial<Mailbox> = {}) => runDueRules(userId, { ...mailbox, ...over }),
  };
};
