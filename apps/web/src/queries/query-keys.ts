/** First part of the cache key of every list of emails. */
export const EMAIL_LISTS_KEY = 'emails';
export const SUGGESTIONS_KEY = ['suggestions'] as const;
/** First part of every cache key that holds something of senders: their list, and the emails of one of them. */
export const SENDERS_KEY = ['senders'] as const;
export const SENDER_LISTS_KEY = [...SENDERS_KEY, 'list'] as const;
export const SENDER_EMAILS_KEY = [...SENDERS_KEY, 'mails'] as const;
/** Of every mutation that changes the mailbox. */
export const MAILBOX_CHANGE_KEY = ['mailbox-change'] as const;
export const SCAN_KEY = ['scan'] as const;
