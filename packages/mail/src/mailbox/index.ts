export type { MailboxCapabilities } from '@mailsweep/contracts';
export { type AccessTokenSource, createCallTokens } from './access-token-source.ts';
export { createInboxCounts, type InboxCount, type InboxCounts } from './inbox-counts.ts';
export * from './label-change.ts';
export * from './labels.ts';
export * from './mailbox.ts';
export { ACCESS_ERRORS, FINAL_FAULTS, MailboxError } from './mailbox-error.ts';
export { contradictsList, isMail, matchesLabelFilters, matchesQuery } from './matches-query.ts';
export { toOrganization } from './message/authentication.ts';
export { readFrom } from './message/from-header.ts';
export * from './message/header-text.ts';
export {
  type MessageFacts,
  MessageFactsSchema,
  type ReadEmail,
  readClaims,
  readSentAt,
  toEmail,
  toInstant,
} from './message/message-facts.ts';
export { type UnsubscribeOffer, UnsubscribeOfferSchema } from './message/unsubscribe-offer.ts';
export { toConversation } from './to-conversation.ts';
