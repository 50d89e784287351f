// Apart from the schemas, so that the web app has them without the validation library.

/** The mailbox category of an email; one without any category label is `primary`. */
export const EMAIL_CATEGORIES = ['promotions', 'social', 'updates', 'forums', 'primary'] as const;

/** What a user may do to emails directly from the inbox. */
export const INBOX_ACTIONS = ['archive', 'delete', 'mark_unread', 'mark_read'] as const;

/** The actions that Mailsweep carries out when their suggestion is accepted. */
export const SUGGESTED_ACTIONS = ['archive', 'delete', 'label', 'notify'] as const;

/** Before the classification, in the name of a label at Gmail that the user did not choose. */
export const LABEL_PREFIX = 'Mailsweep/';

/** Under what name the download of everything stored is saved. */
export const EXPORT_FILE_NAME = 'mailsweep-export.json';

/** Whether Mailsweep carries out an action; any other is advice. */
export const isSuggestedAction = (action: string): action is (typeof SUGGESTED_ACTIONS)[number] =>
  SUGGESTED_ACTIONS.some((known) => known === action);

/**
 * What a suggestion is called, by the lowest probability that the user accepts it: `sure` from 0.95 on, `likely` from 0.75
 * on, and below that it is one to `check`.
 */
export const ACCEPTANCE_BANDS = { sure: 0.95, likely: 0.75 } as const;

/** Where an action came from: a confirmed suggestion, the inbox itself, a cleanup, or a rule. */
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
export const SENDER_SORTS = ['mails', 'unread', 'bytes', 'lastSeen', 'suggested'] as const;

/** The sender of emails that are not cached any more. */
export const UNKNOWN_SENDER = 'unknown';

/** Rolling window of a summary: the last 24 hours or the last 7 days. */
export const SUMMARY_PERIODS = ['daily', 'weekly'] as const;

/** How often the watch may check a mailbox, in minutes. */
export const WATCH_INTERVALS = [5, 15, 30, 60, 180] as const;

/** How long the history of a user may be kept, in days. Undo of a delete is possible for 30 days. */
export const HISTORY_RETENTION_DAYS = [30, 90, 180, 365, 730] as const;

/** What training data has of a sender: all of it, the domain of the address, or an HMAC of the address. */
export const SENDER_REDUCTIONS = ['kept', 'domain', 'hashed'] as const;

/** What training data has of a subject: all of it, nothing, or an HMAC. */
export const SUBJECT_REDUCTIONS = ['kept', 'omitted', 'hashed'] as const;

/** How often a digest is sent. */
export const DIGEST_INTERVALS = ['off', 'daily', 'weekly'] as const;
