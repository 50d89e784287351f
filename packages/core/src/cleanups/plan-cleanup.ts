import type { KeyObject } from 'node:crypto';
import type { CleanupPlan, CreateCleanupRequest } from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import type { OpenMailbox } from '@mailsweep/mail/mailbox';
import { readMessageText, type TextCipher } from '@mailsweep/mail/message-cache';
import { v7 as uuidv7 } from 'uuid';
import { RefusedError } from '../refused-error.ts';
import { findCleanup, hasPlannedCleanups, insertCleanup } from './cleanup.repository.ts';
import {
  type CleanupEmailRow,
  insertCleanupEmails,
  listSampleRows,
  measureCachedEmails,
} from './cleanup-email.repository.ts';
import { countPlannedActions, estimateQuotaUnits } from './cleanup-plan.ts';
import { type SelectedEmails, selectEmails } from './select-emails.ts';

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
 * Stores the plan of a cleanup.
 *
 * @param ruleId - the rule that it is a run of
 * @param byWatch - whether the watch begins it, and not the user
 * @param plannedBy - the id of the token that makes it
 * @returns the id of the cleanup
 * @throws an error for which `isOwnerMissing` holds when the user was erased meanwhile
 */
export const storePlan = async (
  tx: Transaction,
  userId: string,
  {
    request,
    selected,
    ruleId,
    byWatch = false,
    plannedBy = null,
  }: {
    request: CreateCleanupRequest;
    selected: SelectedEmails;
    ruleId: string | null;
    byWatch?: boolean;
    plannedBy?: string | null;
  },
): Promise<string> => {
  const { isComplete, excluded, historyId, hasQuotaUnits } = selected;
  const isDecision =
    request.action === 'accept' || (ruleId === null && request.selection.type === 'suggestions');
  const emails = selected.emails.map((email) => ({
    ...email,
    id: uuidv7(),
    // Only they are decided about.
    suggestions: isDecision ? email.suggestions : undefined,
  }));
  const id = uuidv7();
  const measured = await measureCachedEmails(
    tx,
    userId,
    emails.map(({ emailId }) => emailId),
  );
  const plannedActions = countPlannedActions(request.action, emails);
  const plan = {
    id,
    batchId: uuidv7(),
    ruleId,
    byWatch,
    plannedBy,
    request,
    total: emails.length,
    ...measured,
    plannedActions,
    quotaUnits: hasQuotaUnits ? estimateQuotaUnits(emails.length) : 0,
  };
  await insertCleanup(tx, userId, { ...plan, isComplete, excluded, historyId });
  await insertCleanupEmails(tx, { id, userId }, emails);
  return id;
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
  senderKey: KeyObject;
  openMailbox: OpenMailbox;
  nowMs?: () => number;
}) => {
  const { database, openMailbox } = dependencies;
  const listSample = createListCleanupSample(dependencies);

  return async (
    userId: string,
    request: CreateCleanupRequest,
    { ruleId = null, plannedBy = null }: { ruleId?: string | null; plannedBy?: string | null } = {},
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
    const id = await database.$transaction((tx) =>
      storePlan(tx, userId, { request, selected, ruleId, plannedBy }),
    );
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
