/** First part of the cache key of every list of emails. */
export const EMAIL_LISTS_KEY = ['emails'] as const;
/** First part of every cache key that holds stored suggestions: their groups, and the emails of one group. */
export const SUGGESTIONS_KEY = ['suggestions'] as const;
export const SUGGESTION_GROUPS_KEY = [...SUGGESTIONS_KEY, 'groups'] as const;
export const SUGGESTED_EMAILS_KEY = [...SUGGESTIONS_KEY, 'emails'] as const;
/** The newest emails, as they were last classified. */
export const NEWEST_EMAILS_KEY = ['newest-emails'] as const;
/** First part of every cache key that holds something of senders: their list, and what each action takes of one of them. */
export const SENDERS_KEY = ['senders'] as const;
export const SENDER_LISTS_KEY = [...SENDERS_KEY, 'list'] as const;
/** How often the user agreed with suggestions, and what is no longer suggested. */
export const PRECISION_KEY = ['precision'] as const;
/** The protected senders. */
export const PROTECTIONS_KEY = ['protections'] as const;
/** Of every mutation that changes the mailbox. */
export const MAILBOX_CHANGE_KEY = ['mailbox-change'] as const;
/** How much email there is. */
export const MAILBOX_KEY = ['mailbox'] as const;
/** The user's rules, with what they did. */
export const RULES_KEY = ['rules'] as const;
/** First part of every cache key that holds something of the history. */
export const HISTORY_KEY = ['history'] as const;
/** First part of every cache key that holds something of what the user has done. */
export const ACTIVITY_KEY = ['activity'] as const;
/** What a change of the mailbox makes out of date, apart from its numbers and the rules. */
export const LIST_KEYS = [EMAIL_LISTS_KEY, SUGGESTIONS_KEY, SENDERS_KEY, HISTORY_KEY, ACTIVITY_KEY];
export const CLEANUPS_KEY = ['cleanups'] as const;
export const SCAN_KEY = ['scan'] as const;
