import {
  type Cleanup,
  type CleanupAction,
  type CleanupSelection,
  type CreateCleanupRequest,
  type ExclusionReason,
  MAX_CLEANUP_EMAILS,
  type ProtectionReason,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { type EmailIdQuery, type Mailbox, SYSTEM_LABELS } from '@mailsweep/mailbox';
import type { TextCipher } from '@mailsweep/message-cache';
import { toEmailFilters, toReceivedBefore } from '../emails/email-filters.ts';
import { readAcceptanceModel } from '../learning/learned-acceptance.repository.ts';
import { listNoticed, listSenderProtection } from '../protections/cached-protection.repository.ts';
import { listEmailsFromProtected } from '../protections/list-emails-from.ts';
import { clearsAway, whyProtected } from '../protections/why-protected.ts';
import { listHandledEmails } from '../rules/rule-candidates.repository.ts';
import {
  type Candidate,
  listEmailsOfAny,
  listEmailsOfSenders,
  listSuggestedEmails,
} from './cleanup-email.repository.ts';
import { toPlannedAction } from './cleanup-plan.ts';

/** Exclusions have to be complete: more emails than any label has. */
const NO_LIMIT = 1_000_000;
const NO_EMAILS: ReadonlySet<string> = new Set();

interface Dependencies {
  database: Database;
  cipher: TextCipher;
  nowMs?: () => number;
}

/** The emails of a selection that may be acted upon, at a point of the mailbox's history. */
export interface SelectedEmails {
  emails: Candidate[];
  isComplete: boolean;
  excluded: Cleanup['excluded'];
  historyId: string;
  hasQuotaUnits: boolean;
}

/** Emails that a selection matches. */
interface Matched {
  emails: Candidate[];
  isComplete: boolean;
  historyId: string;
  isMarked: (email: Candidate, label: 'starred' | 'important') => boolean;
  /** Emails from protected senders; of those that are not cached, no other way tells. */
  fromProtected: ReadonlySet<string>;
}

const toIdQuery = (
  selection: Extract<CleanupSelection, { type: 'filter' }>,
  action: CleanupAction,
  nowMs: number,
): EmailIdQuery => ({
  ...toEmailFilters(selection, nowMs),
  // Only what is in the inbox can be archived, and only unread email can be marked read.
  ...(action === 'archive' && { scope: 'inbox' }),
  ...(action === 'mark_read' && { unread: true }),
});

/** Lists the emails that filters match, by list pages alone. */
const selectByFilter = async (
  dependencies: Dependencies,
  mailbox: Mailbox,
  userId: string,
  query: EmailIdQuery,
): Promise<Matched> => {
  // Before the lists: what happens while they are read is seen by the execution. The present end of the history, not the
  // cached cursor: what happened since that cursor is in the lists already.
  const { historyId } = await mailbox.checkChanges([]);
  const ofAnySize = { ...query, largerThanMb: undefined };
  const [listed, starred, important] = await Promise.all([
    mailbox.listEmailIds(query, MAX_CLEANUP_EMAILS),
    mailbox.listEmailIds({ ...ofAnySize, labelled: 'starred' }, NO_LIMIT),
    mailbox.listEmailIds({ ...ofAnySize, labelled: 'important' }, NO_LIMIT),
  ]);
  const ids = listed.emails.map(({ id }) => id);
  const cached = await listSenderProtection(dependencies.database, userId, ids);
  const fromProtected = ids.every((id) => cached.has(id))
    ? NO_EMAILS
    : await listEmailsFromProtected(dependencies, mailbox, userId, ofAnySize);
  const marked = { starred: toIds(starred), important: toIds(important) };
  return {
    emails: listed.emails.map(({ id, threadId, labels }) => ({ emailId: id, threadId, labels })),
    isComplete: listed.isComplete,
    historyId,
    isMarked: ({ emailId }, label) => marked[label].has(emailId),
    fromProtected,
  };
};

const toIds = ({ emails }: { emails: readonly { id: string }[] }): Set<string> =>
  new Set(emails.map(({ id }) => id));

/** Takes cached emails, with the labels that they have now; those that the action cannot concern are left out. @param isDecision - about the suggestions of all these emails */
const selectCached = async (
  mailbox: Mailbox,
  cached: Candidate[],
  action: CleanupAction,
  isDecision = false,
): Promise<Matched> => {
  // Brings the cache to the end of the history.
  await mailbox.checkChanges([]);
  const baseline = await mailbox.readBaseline(cached.map(({ emailId }) => emailId));
  const labelsOf = ({ emailId }: Candidate) => baseline.labels.get(emailId) ?? [];
  const isConcerned = (email: Candidate): boolean => {
    const labels = labelsOf(email);
    const isGone = labels.includes(SYSTEM_LABELS.trash) || labels.includes(SYSTEM_LABELS.spam);
    if (!baseline.labels.has(email.emailId) || isGone) return false;
    // Every suggestion is decided, also where nothing is left to change.
    if (isDecision) return true;
    const effective = toPlannedAction(action, email);
    if (effective === 'archive') return labels.includes(SYSTEM_LABELS.inbox);
    if (effective === 'mark_unread') return !labels.includes(SYSTEM_LABELS.unread);
    return effective !== 'mark_read' || labels.includes(SYSTEM_LABELS.unread);
  };
  return {
    emails: cached.filter(isConcerned).map((email) => ({ ...email, labels: labelsOf(email) })),
    isComplete: true,
    historyId: baseline.historyId,
    isMarked: (email, label) => labelsOf(email).includes(SYSTEM_LABELS[label]),
    fromProtected: NO_EMAILS,
  };
};

/** The conversations in which the user has written. */
const listOwnThreads = async (mailbox: Mailbox): Promise<Set<string>> => {
  const sent = await mailbox.listEmailIds({ scope: 'all', labelled: 'sent' }, NO_LIMIT);
  return new Set(sent.emails.flatMap(({ threadId }) => threadId ?? []));
};

/**
 * Finds the emails of a selection, and leaves out those that a bulk action must not touch: protected ones
 * (docs/decisions/044); for a rule, also what it has handled (docs/decisions/046).
 *
 * @param options.limit - most emails
 * @throws MailboxError when the mailbox can't be read
 */
export const selectEmails = async (
  dependencies: Dependencies,
  mailbox: Mailbox,
  userId: string,
  { action, selection }: CreateCleanupRequest,
  options: { ruleId?: string | null; limit?: number } = {},
): Promise<SelectedEmails> => {
  const { database, nowMs = Date.now } = dependencies;
  const { ruleId = null, limit = MAX_CLEANUP_EMAILS } = options;
  const mayClear = action === 'accept' || clearsAway(action);
  const { emails, isComplete, historyId, isMarked, fromProtected } = await select();
  // After the history id: what changes until the execution is either in these lists or in the history since.
  const [ownThreads, invitations, noticed] = await Promise.all([
    listOwnThreads(mailbox),
    mayClear ? mailbox.listEmailIds({ scope: 'all', invitations: true }, NO_LIMIT).then(toIds) : NO_EMAILS,
    listNoticed(database, userId),
  ]);
  const ids = emails.map(({ emailId }) => emailId);
  const senders = await listSenderProtection(database, userId, ids);
  const handled =
    ruleId === null ? NO_EMAILS : await listHandledEmails(database, userId, { ruleId, action }, ids);

  const holds: Record<ProtectionReason, (email: Candidate) => boolean> = {
    protected: ({ emailId }) => senders.get(emailId) ?? fromProtected.has(emailId),
    starred: (email) => isMarked(email, 'starred'),
    important: (email) => isMarked(email, 'important'),
    conversation: ({ threadId }) => threadId !== null && ownThreads.has(threadId),
    invitation: ({ emailId }) => invitations.has(emailId),
    notify: ({ emailId }) => noticed.notify.has(emailId),
    receipt: ({ emailId }) => noticed.receipt.has(emailId),
  };
  const excluded = new Map<ExclusionReason, number>();
  const exceptions = new Set(selection.except);
  const kept = emails.filter((email) => {
    if (exceptions.has(email.emailId)) return false;
    const reason =
      whyProtected({ action, selection }, toPlannedAction(action, email), (candidate) =>
        holds[candidate](email),
      ) ?? (handled.has(email.emailId) ? 'handled' : undefined);
    if (reason !== undefined) excluded.set(reason, (excluded.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  return {
    emails: kept.slice(0, limit),
    isComplete: isComplete && kept.length <= limit,
    excluded: Object.fromEntries(excluded),
    historyId,
    hasQuotaUnits: (await mailbox.readCapabilities()).hasQuotaUnits,
  };

  async function select(): Promise<Matched> {
    switch (selection.type) {
      case 'filter':
        return await selectByFilter(dependencies, mailbox, userId, toIdQuery(selection, action, nowMs()));
      case 'senders': {
        const { senders } = selection;
        const receivedBefore = toReceivedBefore(selection.olderThan, nowMs());
        return await selectCached(
          mailbox,
          action === 'accept'
            ? await listSuggestedEmails(
                database,
                userId,
                { senders, receivedBefore },
                await readAcceptanceModel(database, userId),
              )
            : await listEmailsOfSenders(database, userId, senders, receivedBefore),
          action,
        );
      }
      case 'any': {
        const { senders, classifications, minConfidence } = selection;
        const receivedBefore = toReceivedBefore(selection.olderThan, nowMs());
        const slice = { senders, classifications, minConfidence, receivedBefore };
        const model = await readAcceptanceModel(database, userId);
        return await selectCached(mailbox, await listEmailsOfAny(database, userId, slice, model), action);
      }
      case 'suggestions': {
        const receivedBefore = toReceivedBefore(selection.olderThan, nowMs());
        const slice = { ...selection, receivedBefore };
        const suggested = await listSuggestedEmails(
          database,
          userId,
          slice,
          await readAcceptanceModel(database, userId),
        );
        return await selectCached(mailbox, suggested, action, ruleId === null && action !== 'accept');
      }
    }
  }
};
