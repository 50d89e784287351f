import {
  type CleanupEmail,
  CleanupEmailSchema,
  type ListCleanupEmailsQuery,
  type Page,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/message-cache';
import { findCleanup } from './cleanup.repository.ts';
import { listCleanupEmailRows } from './cleanup-email.repository.ts';
import { toSampleEmail } from './plan-cleanup.ts';

const ReasonSchema = CleanupEmailSchema.shape.reason;

/** A page of the emails of a user's cleanup with what came of each; null when there is no such cleanup. */
export const createListCleanupEmails =
  ({ database, cipher }: { database: Database; cipher: TextCipher }) =>
  async (userId: string, id: string, query: ListCleanupEmailsQuery): Promise<Page<CleanupEmail> | null> => {
    if ((await findCleanup(database, userId, id)) === null) return null;
    const { total, rows } = await listCleanupEmailRows(database, id, query);
    const { page, perPage } = query;
    const data = rows.map((row) => ({
      emailId: row.emailId,
      threadId: row.threadId,
      action: row.action,
      outcome: row.outcome,
      reason: ReasonSchema.parse(row.reason),
      recordId: row.id,
      email: toSampleEmail(cipher, userId, row),
    }));
    return { total, page, perPage, data };
  };
