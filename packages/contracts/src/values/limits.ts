// Apart from the schemas: the web app loads no validation library.

/** Bytes in one MB as `attachmentSizeMb` and `minAttachmentSize` count it. */
export const BYTES_PER_MB = 1024 * 1024;

/** Emails on a page when `pageSize` is left out. */
export const DEFAULT_PAGE_SIZE = 25;

export const MAX_PAGE_SIZE = 100;

/** Most emails one request may act upon (docs/decisions/003). */
export const MAX_EMAIL_IDS = 1_000;

/** Most emails one request may ask the names of. */
export const MAX_LOOKUP_IDS = 100;

/** Shortest time between a cancelled scan and the next one, in seconds: a loop of both slows all users down. */
export const SCAN_AFTER_CANCEL_SECONDS = 30;

/** The page without `page`. */
export const DEFAULT_PAGE = 1;

/** Records on a page when `perPage` is left out. */
export const DEFAULT_PER_PAGE = 20;

/** Most records one page may carry (docs/decisions/003). */
export const MAX_PER_PAGE = 100;

export const MAX_PAGE = 10_000_000;

/** Most emails of one cleanup; a selection with more becomes several cleanups. */
export const MAX_CLEANUP_EMAILS = 25_000;

/** Most emails that a cleanup's selection leaves out by id, and most senders that it names. */
export const MAX_CLEANUP_EXCEPTIONS = 1_000;
export const MAX_CLEANUP_SENDERS = 500;

/** Most emails of a sender, the newest ones, that a cleanup or a rule leaves as they are. */
export const MAX_KEPT_NEWEST = 100;

/** Longest search of senders and history, in characters. */
export const MAX_SEARCH_LENGTH = 200;

/** Longest search of the mailbox, in characters. */
export const MAX_MAIL_SEARCH_LENGTH = 500;

export const MAX_RULES = 100;

/** Most senders, and most classifications, that one rule names. */
export const MAX_RULE_SUBJECTS = 50;

export const MAX_PROTECTED_SENDERS = 1_000;

/** Most mailboxes of one owner, and the longest name of one. */
export const MAX_MAILBOXES = 20;
export const MAX_MAILBOX_NAME_LENGTH = 60;

/** Most browsers of one user that notifications are sent to. */
export const MAX_PUSH_SUBSCRIPTIONS = 20;

/** Most live personal access tokens of a user, and the longest name of one. */
export const MAX_TOKENS = 20;
export const MAX_TOKEN_NAME_LENGTH = 100;

/** Days until a personal access token ends, by default and at most. */
export const DEFAULT_TOKEN_DAYS = 90;
export const MAX_TOKEN_DAYS = 365;

/** Days until a program's token ends, by default. */
export const DEFAULT_AUTHORIZATION_DAYS = 30;

/** Most classifications that `decisions` of the activity names. */
export const MAX_ACTIVITY_DECISIONS = 50;

/** Most days that `inboxSizes` of the activity shows: a year. */
export const MAX_INBOX_SIZES = 366;

/** Most classifications that `labels` of a group of suggestions names. */
export const MAX_GROUP_LABELS = 20;

/** Most weeks or months that `spans` of the precision shows. */
export const MAX_PRECISION_SPANS = 104;

/** Most classifications that `classifications` of the precision names. */
export const MAX_PRECISION_CLASSIFICATIONS = 50;

/** Longest name of a label that a user gives. Gmail takes up to 225 characters. */
export const MAX_LABEL_LENGTH = 100;

/** Longest classification; it also becomes the tail of a mailbox label's name. */
export const MAX_CLASSIFICATION_LENGTH = 100;
