export { GMAIL_CAPABILITIES } from './capabilities.ts';
export { createGmailMailbox, type GmailMailboxOptions } from './gmail-mailbox.ts';
export { toListParameters } from './reading/list-parameters.ts';
