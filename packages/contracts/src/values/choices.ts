// Apart from the schemas: the web app loads no validation library.

/** Category of an email; without a label `primary`. */
export const EMAIL_CATEGORIES = ['promotions', 'social', 'updates', 'forums', 'primary'] as const;

/** Ages by which a survey counts emails: up to 30, 365 and 1,095 days, and the rest. */
export const SURVEY_AGES = ['month', 'year', 'three_years', 'older'] as const;

/** What a user may do to emails directly from the inbox. */
export const INBOX_ACTIONS = ['archive', 'delete', 'mark_unread', 'mark_read'] as const;

/** Actions that accepting carries out. */
export const SUGGESTED_ACTIONS = ['archive', 'delete', 'label', 'notify'] as const;

/** Begins names of labels that the user did not choose. */
export const LABEL_PREFIX = 'Mailsweep/';

export const EXPORT_FILE_NAME = 'mailsweep-export.json';

/** Whether Mailsweep carries out an action; any other is advice. */
export const isSuggestedAction = (action: string): action is (typeof SUGGESTED_ACTIONS)[number] =>
  SUGGESTED_ACTIONS.some((known) => known === action);

/** Degrees of suggestions, by the lowest probability that the user accepts them. */
export const ACCEPTANCE_BANDS = { sure: 0.95, likely: 0.75 } as const;

export const ACTION_SOURCES = ['suggestions', 'inbox', 'cleanup', 'rule'] as const;

/** What was done, as the history keeps it. */
export const RECORDED_ACTIONS = [
  'accept',
  'reject',
  'archive',
  'delete',
  'mark_unread',
  'mark_read',
  'label',
] as const;

/** What senders are ordered by, the most first. */
export const SENDER_SORTS = [
  'mails',
  'inInbox',
  'unread',
  'bytes',
  'lastSeen',
  'lastRead',
  'suggested',
] as const;

/** What senders are listed by; the domain is the one that was registered. */
export const SENDER_GROUPINGS = ['address', 'domain', 'list'] as const;

/** Sender of emails no longer cached. */
export const UNKNOWN_SENDER = 'unknown';

/** Rolling window of a summary: the last 24 hours or the last 7 days. */
export const SUMMARY_PERIODS = ['daily', 'weekly'] as const;

/** How often the watch may check a mailbox, in minutes. */
export const WATCH_INTERVALS = [5, 15, 30, 60, 180] as const;

/** Days to keep the history. A delete can be undone for 30 days. */
export const HISTORY_RETENTION_DAYS = [30, 90, 180, 365, 730] as const;

/** What training data has of a sender: all, its domain, or an HMAC of the address. */
export const SENDER_REDUCTIONS = ['kept', 'domain', 'hashed'] as const;

/** What training data has of a subject: all, nothing, or an HMAC. */
export const SUBJECT_REDUCTIONS = ['kept', 'omitted', 'hashed'] as const;

export const DIGEST_INTERVALS = ['off', 'daily', 'weekly'] as const;
