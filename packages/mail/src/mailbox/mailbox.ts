import type {
  Conversation,
  Email,
  EmailCategory,
  FailureReason,
  LabelChange,
  MailboxCapabilities,
} from '@mailsweep/contracts';
import type { InboxCount } from './inbox-counts.ts';
import { MailboxError } from './mailbox-error.ts';

/** Which emails are meant. All filters are exact, but for the search, which the provider alone can judge. */
export interface EmailFilters {
  /** inbox: only the inbox; all: everything but spam, trash, drafts, snoozed and scheduled email, and what is no mail. */
  scope: 'inbox' | 'all';
  unread?: boolean | undefined;
  receivedBefore?: Date | undefined;
  /** Only emails received at this instant or later; a list of ids may have some of the second before. */
  receivedAfter?: Date | undefined;
  category?: EmailCategory | undefined;
  /** Only emails whose attachments sum up to more than this many MB of 1,048,576 bytes. */
  largerThanMb?: number | undefined;
  /** In the provider's words, as `MailSearchSchema` reads it. */
  search?: string | undefined;
}

/** Which emails a page shows: no email that fails a filter is ever listed. */
export interface EmailQuery extends EmailFilters {
  /** Most emails on the page, 1 to 100. A page may be shorter while further pages remain. */
  pageSize: number;
  pageToken?: string | undefined;
}

export interface EmailPage {
  emails: Email[];
  /** null on the last page. */
  nextPageToken: string | null;
  /** How many emails match, as far as was looked: on this page and on those before. */
  total: number;
  /** Whether that is all: no further page follows. */
  totalIsExact: boolean;
}

/** The emails of the inbox, and those of the whole mailbox by each category that it has. */
export interface MailboxCounts {
  inbox: InboxCount;
  categories: ({ category: EmailCategory } & InboxCount)[];
}

/** Which emails are listed by id: the filters of {@link EmailQuery}, and what else they must have. */
export interface EmailIdQuery extends Omit<EmailQuery, 'pageSize' | 'pageToken'> {
  labelled?: 'starred' | 'important' | 'sent' | undefined;
  /** Only snoozed and scheduled emails, which no label tells; other lists of ids may have them among the others. */
  setAside?: boolean | undefined;
  /** Addresses of senders; the provider may also list senders whose addresses only contain one of them. */
  from?: readonly string[] | undefined;
  /** Only emails that are not in the inbox, or that are read, or both. */
  without?: readonly ('inbox' | 'unread')[] | undefined;
  invitations?: boolean | undefined;
}

export interface EmailRef {
  id: string;
  threadId: string | null;
  /** Where the provider tells them in a list. */
  labels?: string[] | undefined;
}

/** What happened in a mailbox since a point of its history. */
export interface MailboxChanges {
  /** Every change up to here is included, but for those that the history shows late. */
  historyId: string;
  /** Whether the history shows some changes late (docs/decisions/036), so that a stretch of it has to be read again. */
  isLate: boolean;
  /**
   * By message id: labels that were added and removed since, in whatever order, and whether the message was deleted.
   * Messages of which `labelsBefore` tells nothing may be missing.
   */
  messages: ReadonlyMap<
    string,
    { added: ReadonlySet<string>; removed: ReadonlySet<string>; isDeleted: boolean }
  >;
  /** Conversations in which the user has sent a message since. */
  answeredThreads: ReadonlySet<string>;
  /** Messages that arrived in the inbox since, oldest first; some may have left it. */
  arrivedIds: readonly string[];
}

/** Finds the labels of messages, by message id; those that are not known are left out. */
export type FindLabels = (ids: readonly string[]) => Promise<ReadonlyMap<string, readonly string[]>>;

/** It is not known yet whether a change was made: the history may show it late. */
export class ChangePendingError extends MailboxError {
  constructor() {
    super('mailbox_unavailable', 'The history does not show the change yet');
  }
}

/** The provider does not know the page token that a list was asked to go on from. */
export class InvalidPageTokenError extends Error {
  override readonly name = 'InvalidPageTokenError';
  readonly code = 'invalid_page_token';
}

/** The provider cannot search for what an operator of a search asks for. */
export class UnsupportedSearchError extends Error {
  override readonly name = 'UnsupportedSearchError';
  readonly code = 'unsupported_search';
  /** As the search has it: `filename:`. */
  readonly operator: string;
  /** What the provider can search for, in the same form. */
  readonly known: readonly string[];

  constructor(operator: string, known: readonly string[]) {
    super(`the mailbox cannot search by ${operator}`);
    this.operator = operator;
    this.known = known;
  }
}

export interface RequestedLabelChange extends LabelChange {
  id: string;
  /** All labels of the message before, where they are known. */
  before?: string[] | undefined;
  /** `before` has changes of ours that the history did not show yet: it may show them after this one was sent. */
  isAhead?: boolean | undefined;
  /** The mailbox has said that the message is as requested; only what that changed is not known. */
  isDone?: boolean | undefined;
}

/** What Gmail really changed, and where that is in the mailbox's history, if known. */
export interface AppliedLabelChange {
  change: LabelChange;
  historyId?: string | undefined;
}

export type LabelChangeOutcome =
  /** The message is as requested; `change` is what that changed. Without it, {@link Mailbox.findChanges} finds it later. */
  | ({ id: string; status: 'ok' } & Partial<AppliedLabelChange>)
  /** `isUnsure`: the change may have been made all the same, or may still be. */
  | { id: string; status: 'error'; error: MailboxError; isUnsure: boolean };

/** A point of the mailbox's history, before anything is changed, and what was known of messages then. */
export interface LabelsBaseline {
  historyId: string;
  /** By message id; messages without are unknown, and may not even exist. */
  labels: ReadonlyMap<string, string[]>;
  /** Those whose labels have changes of ours that the history does not show yet. */
  ahead: ReadonlySet<string>;
  /** Those that are drafts, or no mail, which must not be changed. */
  noMail: ReadonlySet<string>;
}

/** Whether a change made earlier can be taken back from its message. */
export type ChangeStatus =
  /** `labels`: all labels of the message, where they are known; `isAhead` as in {@link RequestedLabelChange}. */
  | { id: string; isReversible: boolean; labels?: string[] | undefined; isAhead?: boolean }
  | { id: string; error: MailboxError };

export interface LabelLimits {
  perCall: number;
  /** Most labels that the mailbox may have whose names start with `prefix`. */
  inTotal: number;
  prefix: string;
}

export type FoundLabel = { id: string } | { reason: FailureReason };

/**
 * One user's mailbox. Errors of a whole call reject with {@link MailboxError}; errors of a single message are
 * reported in its own outcome. Outcomes stand in the order of the request.
 */
export interface Mailbox {
  /** What its provider can do. It is constant while a mailbox is open. */
  readCapabilities(): Promise<MailboxCapabilities>;
  /**
   * A page of emails, newest first.
   *
   * @throws {InvalidPageTokenError} when the query's page token is not one of the provider's
   * @throws {UnsupportedSearchError} when the query's search has an operator that the provider does not know
   */
  listEmails(query: EmailQuery): Promise<EmailPage>;
  /** How many emails a scope has, by the totals that the provider keeps. */
  countEmails(scope: EmailQuery['scope']): Promise<number>;
  /** How many emails the inbox has, by the totals that the provider keeps; may be remembered for a short time. */
  countInbox(): Promise<InboxCount>;
  /** How many emails the inbox and each category have now. */
  countMailbox(): Promise<MailboxCounts>;
  /** The emails with these ids, in that order; those that are gone are left out, as are drafts and chats. */
  findEmails(ids: readonly string[]): Promise<Email[]>;
  /**
   * The ids of all emails that a query lists, newest first: 5 quota units for every 500. No message is fetched, unless
   * the query asks for the size of attachments, which no list tells.
   *
   * @param limit - most ids; `isComplete` says whether there are no more
   */
  listEmailIds(query: EmailIdQuery, limit: number): Promise<{ emails: EmailRef[]; isComplete: boolean }>;
  /** Where the history of the mailbox stands now. */
  readHistoryId(): Promise<string>;
  /**
   * What happened since a point of the history; undefined when the provider no longer knows, or there is too much.
   *
   * @param labelsBefore - finds the labels that messages had at that point, by message id, of those that matter to the
   * caller; for providers that only tell which messages changed
   */
  readChangesSince(historyId: string, labelsBefore?: FindLabels): Promise<MailboxChanges | undefined>;
  /** The conversation with this id; rejects with `not_found` when there is none. */
  readConversation(threadId: string): Promise<Conversation>;
  /** The current history id before these messages are changed, and their labels as far as they are known. */
  readBaseline(ids: readonly string[]): Promise<LabelsBaseline>;
  /**
   * Changes labels, of each message at most once in a call; nothing is ever deleted for good.
   *
   * @param historyId - of a baseline read before; without one a new point of the history is read
   */
  changeLabels(
    changes: readonly RequestedLabelChange[],
    historyId: string | undefined,
  ): Promise<LabelChangeOutcome[]>;
  /**
   * Finds out what became of changes that were asked for, or were about to be, after a point of the history. What was
   * not made is an error that is not unsure; while the mailbox cannot be read, each has one that is. Where the history
   * is gone, the present labels decide.
   *
   * @param ageMs - how long ago they were asked for, in milliseconds, 0 by default; of recent ones the history may
   * still show more
   */
  findChanges(
    changes: readonly RequestedLabelChange[],
    historyId: string | undefined,
    ageMs?: number,
  ): Promise<LabelChangeOutcome[]>;
  /** Whether changes made earlier, of each message at most one, can be taken back; also gives a baseline for new changes. */
  checkChanges(
    changes: readonly (AppliedLabelChange & { id: string })[],
  ): Promise<{ historyId: string; statuses: ChangeStatus[] }>;
  /** The user labels with these names, by name; missing ones are created, within limits. */
  findOrCreateLabels(names: readonly string[], limits: LabelLimits): Promise<Map<string, FoundLabel>>;
}

/** Opens the mailbox of a user. Opening costs nothing; the mailbox's calls may reject with MailboxError. */
export type OpenMailbox = (userId: string) => Mailbox;

/**
 * Opens a user's mailbox for one step of work in the background, and says what the step has cost so far.
 *
 * @param options.isAwaited - whether a user waits for the step: it may take more of the quota
 */
export type OpenMeteredMailbox = (
  userId: string,
  signal: AbortSignal,
  options?: { isAwaited?: boolean },
) => { mailbox: Mailbox; unitsUsed: () => number };
