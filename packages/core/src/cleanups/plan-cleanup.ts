import type { CleanupPlan, CreateCleanupRequest } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { readMessageText, type TextCipher } from '@mailsweep/mailbox-sync';
import { v7 as uuidv7 } from 'uuid';
import type { OpenMailbox } from '../dependencies.ts';
import { findCleanup, hasMadePlans, insertCleanup } from './cleanup.repository.ts';
import {
  type CleanupEmailRow,
  insertCleanupEmails,
  listSampleRows,
  measureCachedEmails,
} from './cleanup-email.repository.ts';
import { selectEmails } from './select-emails.ts';

/** Most emails of a sample. */
const SAMPLE_SIZE = 20;
/** Emails whose content is fetched for the sample where less is cached, at 20 quota units each. */
const MIN_SAMPLE_SIZE = 5;

/** Most plans that a user may make in a window of so many seconds; each reads lists of Gmail. */
const MAX_PLANS = 20;
const WINDOW_S = 60;

/** The user has made too many plans; nothing was done. */
export class TooManyPlansError extends Error {
  override readonly name = 'TooManyPlansError';
  readonly code = 'too_many_plans';
  readonly retryAfterMs = WINDOW_S * 1_000;
}

/** The cached content of an email as a sample shows it; null where it is not cached. */
export const toSampleEmail = (
  cipher: TextCipher,
  userId: string,
  { emailId, encryptedText, receivedAt, sizeBytes }: CleanupEmailRow,
): CleanupPlan['sample'][number] | null => {
  if (encryptedText === null || receivedAt === null || sizeBytes === null) return null;
  const text = readMessageText(cipher, userId, emailId, encryptedText);
  if (text === undefined) return null;
  return {
    id: emailId,
    from: text.from,
    subject: text.subject,
    date: receivedAt.toISOString(),
    size: sizeBytes,
  };
};

/** Finds one cleanup of a user with its sample; null when there is none. */
export const createFindCleanupPlan =
  ({ database, cipher }: { database: Database; cipher: TextCipher }) =>
  async (userId: string, id: string): Promise<CleanupPlan | null> => {
    const cleanup = await findCleanup(database, userId, id);
    if (cleanup === null) return null;
    const rows = await listSampleRows(database, id, SAMPLE_SIZE);
    return { ...cleanup, sample: rows.flatMap((row) => toSampleEmail(cipher, userId, row) ?? []) };
  };

/**
 * Makes a plan: finds the emails of a selection and freezes their ids. Nothing in the mailbox is changed. The query is
 * never run again: the execution acts on these emails or on fewer.
 *
 * @throws {TooManyPlansError}
 * @throws MailboxError when the mailbox can't be read
 */
export const createPlanCleanup = (dependencies: {
  database: Database;
  cipher: TextCipher;
  openMailbox: OpenMailbox;
  nowMs?: () => number;
}) => {
  const { database, openMailbox } = dependencies;
  const findPlan = createFindCleanupPlan(dependencies);

  return async (userId: string, request: CreateCleanupRequest): Promise<CleanupPlan> => {
    if (await hasMadePlans(database, userId, { count: MAX_PLANS, seconds: WINDOW_S })) {
      throw new TooManyPlansError('too many plans were made');
    }
    const mailbox = openMailbox(userId);
    const selected = await selectEmails(dependencies, mailbox, userId, request);
    const emails = selected.emails.map((email) => ({
      ...email,
      id: uuidv7(),
      suggestions: request.action === 'accept' ? email.suggestions : undefined,
    }));
    const id = uuidv7();
    await database.$transaction(async (tx) => {
      const { isComplete, excluded, historyId } = selected;
      const measured = await measureCachedEmails(
        tx,
        userId,
        emails.map(({ emailId }) => emailId),
      );
      const plan = { id, batchId: uuidv7(), request, total: emails.length, ...measured };
      await insertCleanup(tx, userId, { ...plan, isComplete, excluded, historyId });
      await insertCleanupEmails(tx, { id, userId }, emails);
    });
    const plan = await requirePlan(userId, id);
    const wanted = Math.min(MIN_SAMPLE_SIZE, emails.length);
    if (plan.sample.length >= wanted) return plan;
    // Fetching caches them.
    await mailbox.findEmails(emails.slice(0, wanted).map(({ emailId }) => emailId));
    return await requirePlan(userId, id);
  };

  async function requirePlan(userId: string, id: string): Promise<CleanupPlan> {
    const plan = await findPlan(userId, id);
    if (plan === null) throw new Error('the user was erased while a plan was made');
    return plan;
  }
};
