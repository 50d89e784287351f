export {
  ACCESS_ERRORS,
  type AccessTokenSource,
  MailboxError,
  SYSTEM_LABELS,
  toEmail,
  type UnsubscribeOffer,
} from '@mailsweep/gmail';
export { forgetUnreadMessages } from './cache/forget-messages.repository.ts';
export { createMessageStores, type OpenMessageStore } from './cache/message-cache.repository.ts';
export { readMessageText, type TextCipher } from './cache/message-text.ts';
export { reencryptMessages } from './cache/reencrypt-messages.repository.ts';
export { toSenderAddress, toSenderKey } from './cache/sender-address.ts';
export { saveSenderNames } from './cache/sender-names.repository.ts';
export { createGmailMailbox, type GmailMailboxOptions } from './gmail-mailbox.ts';
export { createInboxCounts, type InboxCount } from './inbox-counts.ts';
export { isEmptyChange, isInEffect, NO_CHANGE, toAppliedChange } from './label-change.ts';
export * from './mailbox.ts';
export { toListParameters } from './reading/email-query.ts';
