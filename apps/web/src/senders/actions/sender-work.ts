import type { CreateCleanupRequest, InboxAction } from '@mailsweep/contracts';

/** What can be done to all email of a sender: something in the inbox, or what is suggested. */
export type SenderWork = InboxAction | 'accept';

/** The work as one cleanup of all email of these senders. */
export const toCleanupRequest = (work: SenderWork, senders: readonly string[]): CreateCleanupRequest => ({
  action: work,
  selection: { type: 'senders', senders: [...senders], except: [] },
});
