/** First part of every cache key that holds something of senders: their list, and the mails of one of them. */
export const SENDERS_KEY = ['senders'] as const;
export const SENDER_LISTS_KEY = [...SENDERS_KEY, 'list'] as const;
export const SENDER_MAILS_KEY = [...SENDERS_KEY, 'mails'] as const;
