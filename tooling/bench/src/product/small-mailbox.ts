import type { MailboxPlan } from '../google-sandbox/generate-mailbox.ts';

/** A mailbox for benches that are not about Gmail. */
export const smallMailbox = (email: string): MailboxPlan => ({
  email,
  seed: 5,
  messages: 200,
  skew: 1,
  unreadShare: 1,
  ownLabels: 0,
  attachmentShare: 0,
  newestDaysAgo: 1,
  days: 100,
});
