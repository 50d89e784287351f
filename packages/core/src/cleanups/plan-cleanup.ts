import type { CleanupPlan, CreateCleanupRequest } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { OpenMailbox } from '@mailsweep/mailbox';
import { readMessageText, type TextCipher } from '@mailsweep/message-cache';
import { RefusedError } from '../refused-error.ts';
import { findCleanup, hasPlannedCleanups } from './cleanup.repository.ts';
import { type CleanupEmailRow, listSampleRows } from './cleanup-email.repository.ts';
import { selectEmails } from './select-emails.ts';
import { storePlan } from './store-plan.ts';

/** Most emails of a sample. */
const SAMPLE_SIZE = 20;
/** Emails whose content is fetched for the sample where less is cached, at 20 quota units each. */
const MIN_SAMPLE_SIZE = 5;

/** Most plans that a user may make in a window of so many seconds: a group of suggestions a second, by key. */
const MAX_PLANS = 60;
const WINDOW_S = 60;

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

/** Lists the first emails of a cleanup whose texts are cached. */
export const createListCleanupSample =
  ({ database, cipher }: { database: Database; cipher: TextCipher }) =>
  async (userId: string, id: string): Promise<CleanupPlan['sample']> => {
    const rows = await listSampleRows(database, id, SAMPLE_SIZE);
    return rows.flatMap((row) => toSampleEmail(cipher, userId, row) ?? []);
  };

/**
 * Makes a plan: finds the emails of a selection and freezes their ids. Nothing in the mailbox is changed. The query is
 * never run again: the execution acts on these emails or on fewer.
 *
 * @throws {RefusedError}
 * @throws MailboxError when the mailbox can't be read
 */
export const createPlanCleanup = (dependencies: {
  database: Database;
  cipher: TextCipher;
  openMailbox: OpenMailbox;
  nowMs?: () => number;
}) => {
  const { database, openMailbox } = dependencies;
  const listSample = createListCleanupSample(dependencies);

  return async (
    userId: string,
    request: CreateCleanupRequest,
    ruleId: string | null = null,
  ): Promise<CleanupPlan> => {
    if (await hasPlannedCleanups(database, userId, { count: MAX_PLANS, seconds: WINDOW_S })) {
      throw new RefusedError(
        'too_many_plans',
        'too many plans were made: wait before you make another',
        WINDOW_S * 1_000,
      );
    }
    const mailbox = openMailbox(userId);
    const selected = await selectEmails(dependencies, mailbox, userId, request, { ruleId });
    const id = await database.$transaction((tx) => storePlan(tx, userId, { request, selected, ruleId }));
    const plan = await requirePlan(userId, id);
    const wanted = selected.emails.slice(0, MIN_SAMPLE_SIZE);
    if (plan.sample.length >= wanted.length) return plan;
    // Fetching caches them.
    await mailbox.findEmails(wanted.map(({ emailId }) => emailId));
    return await requirePlan(userId, id);
  };

  async function requirePlan(userId: string, id: string): Promise<CleanupPlan> {
    const cleanup = await findCleanup(database, userId, id);
    if (cleanup === null) throw new Error('the user was erased while a plan was made');
    return { ...cleanup, sample: await listSample(userId, id) };
  }
};
