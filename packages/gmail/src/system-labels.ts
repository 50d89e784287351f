/** System labels that carry a meaning for us; the provider's own names. */
export const SYSTEM_LABELS = {
  inbox: 'INBOX',
  unread: 'UNREAD',
  trash: 'TRASH',
  spam: 'SPAM',
  draft: 'DRAFT',
  chat: 'CHAT',
  sent: 'SENT',
} as const;
