export { createGmailMailbox, GMAIL_CAPABILITIES, type GmailMailboxOptions } from './gmail-mailbox.ts';
export { toListParameters } from './reading/list-parameters.ts';
