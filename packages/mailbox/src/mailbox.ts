import type { Email, EmailCategory, FailureReason, LabelChange } from '@mailsweep/contracts';

/** Which emails a page shows. All filters are exact: no email that fails one is ever listed. */
export interface EmailQuery {
  /** inbox: only the inbox; all: everything but spam and trash. */
  scope: 'inbox' | 'all';
  unread?: boolean | undefined;
  /** Only emails received before this instant. */
  receivedBefore?: Date | undefined;
  category?: EmailCategory | undefined;
  /** Only emails whose attachments sum up to more than this many MB of 1,048,576 bytes. */
  largerThanMb?: number | undefined;
  /** Most emails on the page, 1 to 100. A page may be shorter while further pages remain. */
  pageSize: number;
  pageToken?: string | undefined;
}

export interface EmailPage {
  emails: Email[];
  /** null on the last page. */
  nextPageToken: string | null;
  /** How many emails match; the provider's estimate while further pages remain. */
  total: number;
}

/** Why a mailbox could not do what was asked; `code` is also the `reason` shown for one email. */
export class MailboxError extends Error {
  override readonly name = 'MailboxError';
  readonly code: FailureReason;
  /** How long the provider asks us to wait, in milliseconds; only when that is more than was waited here. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: FailureReason,
    message: string,
    options: { cause?: unknown; retryAfterMs?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The provider does not know the page token that a list was asked to go on from. */
export class InvalidPageTokenError extends Error {
  override readonly name = 'InvalidPageTokenError';
  readonly code = 'invalid_page_token';
}

/** The labels of one message, or why they could not be read. */
export type LabelsReading = { id: string; labels: string[] } | { id: string; error: MailboxError };

/** The labels to put on and take off one message. */
export interface PlannedLabelChange extends LabelChange {
  id: string;
}

/** What became of one planned change. */
export type LabelChangeOutcome =
  | { id: string; status: 'ok' }
  | { id: string; status: 'error'; error: MailboxError };

/**
 * One person's mailbox. Whole-call faults reject with {@link MailboxError}; faults of a single message are
 * reported in its own outcome. Outcomes stand in the order of the request.
 */
export interface Mailbox {
  /**
   * A page of emails, newest first.
   *
   * @throws {InvalidPageTokenError} when the query's page token is not one of the provider's
   */
  listEmails(query: EmailQuery): Promise<EmailPage>;
  /** The emails with these ids, in that order; those that are gone are left out. */
  findEmails(ids: readonly string[]): Promise<Email[]>;
  /** The present labels of each message; a missing message reads as `not_found`. */
  readLabels(ids: readonly string[]): Promise<LabelsReading[]>;
  /** Changes labels message by message; nothing is ever deleted for good. */
  changeLabels(changes: readonly PlannedLabelChange[]): Promise<LabelChangeOutcome[]>;
  /** The id of the user label with this name, made when it is missing. */
  findOrCreateLabel(name: string): Promise<string>;
}

/** The access token of the person whose mailbox it is. Both reject with {@link MailboxError}. */
export interface AccessTokenSource {
  /** A token that has not expired, as far as is known. */
  current(): Promise<string>;
  /** A fresh token, after the provider refused `refused`. */
  renew(refused: string): Promise<string>;
}

/** System labels that carry a meaning for us; the provider's own names. */
export const SYSTEM_LABELS = { inbox: 'INBOX', unread: 'UNREAD', trash: 'TRASH', spam: 'SPAM' } as const;
