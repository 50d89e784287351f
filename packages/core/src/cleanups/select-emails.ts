import {
  type Cleanup,
  type CleanupAction,
  type CleanupSelection,
  type CreateCleanupRequest,
  type ExclusionReason,
  MAX_CLEANUP_EMAILS,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { type EmailIdQuery, type Mailbox, SYSTEM_LABELS } from '@mailsweep/mailbox-sync';
import { toEmailFilters } from '../emails/email-filters.ts';
import { type Candidate, listEmailsOfSenders, listSuggestedEmails } from './cleanup-email.repository.ts';

/** No mailbox has so many emails with one label that a plan does not see them all. */
const NO_LIMIT = 1_000_000;

/** The emails of a selection that may be acted upon, at a point of the mailbox's history. */
export interface SelectedEmails {
  emails: Candidate[];
  isComplete: boolean;
  excluded: Cleanup['excluded'];
  historyId: string;
}

/** Emails, and why some of them are excluded; a reason is looked up in the order of the schema. */
interface Judged {
  emails: Candidate[];
  isComplete: boolean;
  historyId: string;
  whyExcluded: (email: Candidate) => ExclusionReason | undefined;
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
const selectByFilter = async (mailbox: Mailbox, query: EmailIdQuery, limit: number): Promise<Judged> => {
  // Before the lists: what happens while they are read is seen by the execution.
  const { historyId } = await mailbox.readBaseline([]);
  const [listed, starred, important] = await Promise.all([
    mailbox.listEmailIds(query, limit),
    mailbox.listEmailIds({ ...query, largerThanMb: undefined, labelled: 'starred' }, NO_LIMIT),
    mailbox.listEmailIds({ ...query, largerThanMb: undefined, labelled: 'important' }, NO_LIMIT),
  ]);
  const starredIds = new Set(starred.emails.map(({ id }) => id));
  const importantIds = new Set(important.emails.map(({ id }) => id));
  return {
    emails: listed.emails.map(({ id, threadId }) => ({ emailId: id, threadId })),
    isComplete: listed.isComplete,
    historyId,
    whyExcluded({ emailId }) {
      if (starredIds.has(emailId)) return 'starred';
      return importantIds.has(emailId) ? 'important' : undefined;
    },
  };
};

/** Takes cached emails, with the labels that they have now; those that the action cannot concern are left out. */
const selectCached = async (
  mailbox: Mailbox,
  cached: Candidate[],
  action: CleanupAction,
): Promise<Judged> => {
  // Brings the cache to the end of the history.
  await mailbox.checkChanges([]);
  const baseline = await mailbox.readBaseline(cached.map(({ emailId }) => emailId));
  const labelsOf = ({ emailId }: Candidate) => baseline.labels.get(emailId) ?? [];
  const isConcerned = (email: Candidate): boolean => {
    const labels = labelsOf(email);
    const isGone = labels.includes(SYSTEM_LABELS.trash) || labels.includes(SYSTEM_LABELS.spam);
    if (!baseline.labels.has(email.emailId) || isGone) return false;
    const effective = action === 'accept' ? email.suggestions?.[0]?.action : action;
    if (effective === 'archive') return labels.includes(SYSTEM_LABELS.inbox);
    return effective !== 'mark_read' || labels.includes(SYSTEM_LABELS.unread);
  };
  return {
    emails: cached.filter(isConcerned),
    isComplete: true,
    historyId: baseline.historyId,
    whyExcluded(email) {
      const labels = labelsOf(email);
      if (labels.includes(SYSTEM_LABELS.starred)) return 'starred';
      return labels.includes(SYSTEM_LABELS.important) ? 'important' : undefined;
    },
  };
};

/** The conversations in which the user has written. */
const listOwnThreads = async (mailbox: Mailbox): Promise<Set<string>> => {
  const sent = await mailbox.listEmailIds({ scope: 'all', labelled: 'sent' }, NO_LIMIT);
  return new Set(sent.emails.flatMap(({ threadId }) => threadId ?? []));
};

/**
 * Finds the emails of a selection, and leaves out those that a bulk action must not touch: starred and important ones,
 * and conversations in which the user has written.
 *
 * @throws MailboxError when the mailbox can't be read
 */
export const selectEmails = async (
  dependencies: { database: Database; nowMs?: () => number },
  mailbox: Mailbox,
  userId: string,
  { action, selection }: CreateCleanupRequest,
): Promise<SelectedEmails> => {
  const { database, nowMs = Date.now } = dependencies;
  const ownThreads = await listOwnThreads(mailbox);
  const { emails, isComplete, historyId, whyExcluded } = await select();

  const excluded = new Map<ExclusionReason, number>();
  const exceptions = new Set(selection.except);
  const kept = emails.filter((email) => {
    if (exceptions.has(email.emailId)) return false;
    const isOwn = email.threadId !== null && ownThreads.has(email.threadId);
    const reason = whyExcluded(email) ?? (isOwn ? 'conversation' : undefined);
    if (reason !== undefined) excluded.set(reason, (excluded.get(reason) ?? 0) + 1);
    return reason === undefined;
  });
  return {
    emails: kept.slice(0, MAX_CLEANUP_EMAILS),
    isComplete: isComplete && kept.length <= MAX_CLEANUP_EMAILS,
    excluded: Object.fromEntries(excluded),
    historyId,
  };

  async function select(): Promise<Judged> {
    switch (selection.type) {
      case 'filter':
        return await selectByFilter(mailbox, toIdQuery(selection, action, nowMs()), MAX_CLEANUP_EMAILS);
      case 'senders':
        return await selectCached(
          mailbox,
          await listEmailsOfSenders(database, userId, selection.senders),
          action,
        );
      case 'suggestions':
        return await selectCached(mailbox, await listSuggestedEmails(database, userId, selection), action);
    }
  }
};
