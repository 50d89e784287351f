import {
  type Cleanup,
  type CleanupAction,
  type CleanupSelection,
  type CreateCleanupRequest,
  type Email,
  type ExclusionReason,
  MAX_CLEANUP_EMAILS,
  type ProtectionReason,
} from '@mailsweep/contracts';
import { type EmailIdQuery, type EmailRef, type Mailbox, SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import { toEmailFilters, toReceivedBefore } from '../emails/email-filters.ts';
import { readAcceptanceModel } from '../learning/learned-acceptance.repository.ts';
import {
  listNoticed,
  listSenderReasons,
  NO_LIMIT,
  readSetAside,
  type SenderReason,
} from '../protections/cached-protection.repository.ts';
import { listEmailsFromProtected, readSentTo } from '../protections/list-emails-from.ts';
import { clearsAway, whyProtected } from '../protections/why-protected.ts';
import { listHandledEmails } from '../rules/rule-candidates.repository.ts';
import { resolveSenders, type SenderKeys } from '../sender-groups/sender-groups.ts';
import type { SenderSources } from '../sender-groups/sender-source.repository.ts';
import { findSurveyedSenders, listUncachedEmails } from '../survey/surveyed-senders.ts';
import {
  type Candidate,
  countSentBefore,
  listEmailsOfAny,
  listEmailsOfSenders,
  listSuggestedEmails,
} from './cleanup-email.repository.ts';
import { toPlannedAction } from './cleanup-plan.ts';

/** Most emails of a plan that are read because their labels are not known, at 20 quota units each. */
const MAX_READ = 100;
const NO_EMAILS: ReadonlySet<string> = new Set();
const NO_REASONS: ReadonlyMap<string, SenderReason> = new Map();

interface Dependencies extends SenderKeys {
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

interface Matched {
  emails: Candidate[];
  isComplete: boolean;
  historyId: string;
  isMarked: (email: Candidate, label: 'starred' | 'important') => boolean;
  /** What the senders of emails that are not cached give as a reason to protect them. */
  fromProtected: ReadonlyMap<string, SenderReason>;
}

/** Only what is in the inbox can be archived, and only unread email can be marked read. */
const toConcerned = (action: CleanupAction): Partial<EmailIdQuery> => ({
  ...(action === 'archive' && { scope: 'inbox' }),
  ...(action === 'mark_read' && { unread: true }),
});

const toIdQuery = (
  selection: Extract<CleanupSelection, { type: 'filter' }>,
  action: CleanupAction,
  nowMs: number,
): EmailIdQuery => ({
  ...toEmailFilters(selection, nowMs),
  ...toConcerned(action),
});

/**
 * The newest emails of a list, newest first. Where the last ones came at the same instant, more are read: their ids decide.
 *
 * @param listed - newest first
 */
const readNewest = async (mailbox: Mailbox, listed: readonly EmailRef[], count: number): Promise<Email[]> => {
  for (let size = count + 1; ; size *= 2) {
    const read = await mailbox.findEmails(listed.slice(0, size).map(({ id }) => id));
    read.sort((one, other) => other.date.localeCompare(one.date) || (one.id < other.id ? -1 : 1));
    const isSure = read.length > count && read.at(-1)?.date !== read[count - 1]?.date;
    if (isSure || size >= listed.length) return read.slice(0, count);
  }
};

/** Lists the emails that filters match, by list pages alone, but for the newest ones that are kept. */
const selectByFilter = async (
  dependencies: Dependencies,
  mailbox: Mailbox,
  userId: string,
  query: EmailIdQuery,
  keepNewest: number | undefined,
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
  const kept = keepNewest === undefined ? NO_EMAILS : toIds({ emails: await readKept(keepNewest) });
  const emails = listed.emails.filter(({ id }) => !kept.has(id));
  const ids = emails.map(({ id }) => id);
  const cached = await listSenderReasons(dependencies.database, userId, ids);
  const fromProtected = ids.every((id) => cached.has(id))
    ? NO_REASONS
    : await listEmailsFromProtected(dependencies, mailbox, userId, ofAnySize);
  const marked = { starred: toIds(starred), important: toIds(important) };
  return {
    emails: emails.map(({ id, threadId, labels }) => ({ emailId: id, threadId, labels })),
    isComplete: listed.isComplete,
    historyId,
    isMarked: ({ emailId }, label) => marked[label].has(emailId),
    fromProtected,
  };

  /** Lists them after the others: what arrives meanwhile is newer than those. */
  async function readKept(count: number): Promise<Email[]> {
    const { scope, search } = query;
    const { emails } = await mailbox.listEmailIds({ scope, search }, NO_LIMIT);
    return await readNewest(mailbox, emails, count);
  }
};

const toIds = ({ emails }: { emails: readonly { id: string }[] }): Set<string> =>
  new Set(emails.map(({ id }) => id));

/** The newest emails of each sender or group. @param emails - newest first */
const pickNewest = (emails: readonly Candidate[], count: number): Set<string> => {
  const seen = new Map<string | undefined, number>();
  const isNewest = ({ sender }: Candidate): boolean => {
    const nth = (seen.get(sender) ?? 0) + 1;
    seen.set(sender, nth);
    return nth <= count;
  };
  return new Set(emails.filter(isNewest).map(({ emailId }) => emailId));
};

/**
 * Takes cached emails, with the labels that they have now; those that the action cannot concern are left out.
 *
 * @param options.isDecision - about the suggestions of all these emails
 * @param options.keepNewest - leaves out so many of each sender
 * @param options.receivedBefore - leaves out what is newer, once it is known which ones are the newest
 */
const selectCached = async (
  mailbox: Mailbox,
  cached: Candidate[],
  action: CleanupAction,
  options: { isDecision?: boolean; keepNewest?: number | undefined; receivedBefore?: Date | undefined } = {},
): Promise<Matched> => {
  const { isDecision = false, keepNewest, receivedBefore } = options;
  // Brings the cache to the end of the history.
  await mailbox.checkChanges([]);
  const ids = cached.map(({ emailId }) => emailId);
  let baseline = await mailbox.readBaseline(ids);
  const unknown = ids.filter((id) => !baseline.labels.has(id));
  if (unknown.length > 0) {
    // Reading caches their labels, which are stale or in doubt.
    await mailbox.findEmails(unknown.slice(0, MAX_READ));
    baseline = await mailbox.readBaseline(ids);
  }
  const labelsOf = ({ emailId }: Candidate) => baseline.labels.get(emailId) ?? [];
  const isInInbox = (email: Candidate) => labelsOf(email).includes(SYSTEM_LABELS.inbox);
  const isThere = (email: Candidate): boolean => {
    const labels = labelsOf(email);
    const isGone = labels.includes(SYSTEM_LABELS.trash) || labels.includes(SYSTEM_LABELS.spam);
    return baseline.labels.has(email.emailId) && !baseline.noMail.has(email.emailId) && !isGone;
  };
  const there = cached.filter(isThere);
  const counted = action === 'archive' ? there.filter(isInInbox) : there;
  const kept = keepNewest === undefined ? NO_EMAILS : pickNewest(counted, keepNewest);
  const isConcerned = (email: Candidate): boolean => {
    if (kept.has(email.emailId)) return false;
    if (receivedBefore && email.receivedAt && email.receivedAt >= receivedBefore) return false;
    // Every suggestion is decided, also where nothing is left to change.
    if (isDecision) return true;
    const isUnread = labelsOf(email).includes(SYSTEM_LABELS.unread);
    const effective = toPlannedAction(action, email);
    if (effective === 'archive') return isInInbox(email);
    if (effective === 'mark_unread') return !isUnread;
    return effective !== 'mark_read' || isUnread;
  };
  return {
    emails: there.filter(isConcerned).map((email) => ({ ...email, labels: labelsOf(email) })),
    isComplete: unknown.length <= MAX_READ,
    historyId: baseline.historyId,
    isMarked: (email, label) => labelsOf(email).includes(SYSTEM_LABELS[label]),
    fromProtected: NO_REASONS,
  };
};

/** Adds to the cached emails of senders those that were only listed; by list pages, but for a sample. */
const selectOfSenders = async (
  dependencies: Dependencies,
  mailbox: Mailbox,
  userId: string,
  {
    senders,
    action,
    receivedBefore,
    keepNewest,
  }: {
    senders: SenderSources;
    action: CleanupAction;
    receivedBefore: Date | undefined;
    keepNewest: number | undefined;
  },
): Promise<Matched> => {
  const query: EmailIdQuery = { scope: 'all', receivedBefore, ...toConcerned(action) };
  const ofAll: EmailIdQuery = { ...query, receivedBefore: undefined, unread: undefined };
  const surveyed = await findSurveyedSenders(dependencies, userId, [...senders.keys()]);
  // As in selectByFilter. Emails that the lists have read are cached, and selected as such.
  const historyId = surveyed.length > 0 ? (await mailbox.checkChanges([])).historyId : undefined;
  const lists = await Promise.all(
    surveyed.map(async (sender) => {
      const list = (asked: EmailIdQuery) =>
        listUncachedEmails(dependencies.database, mailbox, userId, sender, asked);
      const listed = await list(query);
      if (keepNewest === undefined) return { ...listed, reason: sender.reason };
      const isNarrowed = receivedBefore !== undefined || query.unread === true;
      const all = isNarrowed ? await list(ofAll) : listed;
      // Caches them, so that they are compared with those that are cached already.
      await readNewest(mailbox, all.emails, keepNewest);
      return { ...(all.isComplete ? listed : all), reason: sender.reason };
    }),
  );
  const bound = keepNewest === undefined ? receivedBefore : undefined;
  const read = await listEmailsOfSenders(dependencies.database, userId, senders, bound);
  const cached = await selectCached(mailbox, read, action, { keepNewest, receivedBefore });
  if (historyId === undefined) return cached;
  const from = surveyed.map(({ address }) => address);
  const [starred, important] = await Promise.all([
    mailbox.listEmailIds({ ...query, from, labelled: 'starred' }, NO_LIMIT).then(toIds),
    mailbox.listEmailIds({ ...query, from, labelled: 'important' }, NO_LIMIT).then(toIds),
  ]);
  const marked = { starred, important };
  const isRead = new Set(read.map(({ emailId }) => emailId));
  const listed = lists.flatMap(({ emails }) => emails).filter(({ id }) => !isRead.has(id));
  return {
    emails: [
      ...cached.emails,
      ...listed.map(({ id, threadId, labels }) => ({ emailId: id, threadId, labels })),
    ],
    isComplete: cached.isComplete && lists.every(({ isComplete }) => isComplete),
    historyId,
    isMarked: (email, label) =>
      isRead.has(email.emailId) ? cached.isMarked(email, label) : marked[label].has(email.emailId),
    fromProtected: new Map(
      lists.flatMap(({ reason, emails }) =>
        reason === null ? [] : emails.map(({ id }) => [id, reason] as const),
      ),
    ),
  };
};

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
  const named = 'senders' in selection ? selection.senders : [];
  const sources = await resolveSenders(dependencies, userId, named);
  if (named.length > 0) await readSentTo(dependencies, mailbox, userId, sources);
  const mayClear = action === 'accept' || clearsAway(action);
  const { emails, isComplete, historyId, isMarked, fromProtected } = await select(selection);
  // After the history id: what changes until the execution is either in these lists or in the history since.
  const [ownThreads, setAside, invitations, noticed] = await Promise.all([
    listOwnThreads(mailbox),
    readSetAside(database, mailbox, userId),
    mayClear ? mailbox.listEmailIds({ scope: 'all', invitations: true }, NO_LIMIT).then(toIds) : NO_EMAILS,
    listNoticed(database, userId),
  ]);
  const ids = emails.map(({ emailId }) => emailId);
  const senders = new Map([...fromProtected, ...(await listSenderReasons(database, userId, ids))]);
  const handled =
    ruleId === null ? NO_EMAILS : await listHandledEmails(database, userId, { ruleId, action }, ids);

  const holds: Record<ProtectionReason, (email: Candidate) => boolean> = {
    unclear_sender: ({ emailId }) => senders.get(emailId) === 'unclear_sender',
    protected: ({ emailId }) => senders.get(emailId) === 'protected',
    starred: (email) => isMarked(email, 'starred'),
    important: (email) => isMarked(email, 'important'),
    snoozed: ({ emailId }) => setAside.has(emailId),
    conversation: ({ threadId }) => threadId !== null && ownThreads.has(threadId),
    written_to: ({ emailId }) => senders.get(emailId) === 'written_to',
    invitation: ({ emailId }) => invitations.has(emailId),
    notify: ({ emailId }) => noticed.notify.has(emailId),
    receipt: ({ emailId }) => noticed.receipt.has(emailId),
  };
  const excluded = new Map<ExclusionReason, number>();
  const bound = toReceivedBefore(selection.olderThan, nowMs());
  if (emails.length === 0 && bound !== undefined) {
    const ofAnyAge = await select({ ...selection, olderThan: undefined });
    const anyIds = ofAnyAge.emails.map(({ emailId }) => emailId);
    const count = await countSentBefore(database, userId, anyIds, bound);
    if (count > 0) excluded.set('received_later', count);
  }
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

  async function select(selection: CleanupSelection): Promise<Matched> {
    switch (selection.type) {
      case 'filter':
        return await selectByFilter(
          dependencies,
          mailbox,
          userId,
          toIdQuery(selection, action, nowMs()),
          selection.keepNewest,
        );
      case 'senders': {
        const { keepNewest } = selection;
        const receivedBefore = toReceivedBefore(selection.olderThan, nowMs());
        if (action !== 'accept') {
          const wanted = { senders: sources, action, receivedBefore, keepNewest };
          return await selectOfSenders(dependencies, mailbox, userId, wanted);
        }
        const model = await readAcceptanceModel(database, userId);
        const slice = { senders: [...sources.keys()], receivedBefore };
        return await selectCached(mailbox, await listSuggestedEmails(database, userId, slice, model), action);
      }
      case 'any': {
        const { classifications, minConfidence } = selection;
        const receivedBefore = toReceivedBefore(selection.olderThan, nowMs());
        const slice = { senders: sources, classifications, minConfidence, receivedBefore };
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
        const isDecision = ruleId === null && action !== 'accept';
        return await selectCached(mailbox, suggested, action, { isDecision });
      }
    }
  }
};
