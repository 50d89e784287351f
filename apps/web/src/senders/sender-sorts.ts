import type { SenderSort } from '@mailsweep/contracts';

/** What senders can be ordered by, the most first, and how the screen calls it. */
export const SORT_NAMES: Record<SenderSort, string> = {
  mails: 'Emails',
  unread: 'Unread',
  bytes: 'Size',
  lastSeen: 'Last seen',
  suggested: 'Suggested',
};
