import type { Mailbox } from '@mailsweep/mailbox';

/** Opens the mailbox of a user. Opening costs nothing; the mailbox's calls may reject with MailboxError. */
export type OpenMailbox = (userId: string) => Mailbox;
