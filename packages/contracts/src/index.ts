export * from './account/audit.ts';
export * from './account/authorization-request.ts';
export * from './account/default-preferences.ts';
export * from './account/mailbox-capabilities.ts';
export * from './account/notification-preferences.ts';
export * from './account/outgoing-calls.ts';
export * from './account/own-mailbox.ts';
export * from './account/personal-data.ts';
export * from './account/personal-token.ts';
export * from './account/preferences.ts';
export * from './account/provider.ts';
export * from './account/push.ts';
export * from './account/session.ts';
export * from './account/token-scope.ts';
export * from './account/training-data-preferences.ts';
export * from './account/training-decision.ts';
export * from './account/user-session.ts';
export * from './actions/cleanup.ts';
export * from './actions/mailbox-action.ts';
export * from './actions/rule.ts';
export * from './emails/conversation.ts';
export * from './emails/email.ts';
export * from './emails/email-lookup.ts';
export * from './emails/email-query.ts';
export { MailSearchSchema } from './emails/mail-search.ts';
export * from './emails/mailbox-overview.ts';
export * from './emails/survey.ts';
export * from './health.ts';
export * from './history/action-batch.ts';
export * from './history/action-history.ts';
export * from './history/activity.ts';
export * from './history/domain-events.ts';
export * from './history/notification.ts';
export * from './history/record-queries.ts';
export * from './history/recorded-action.ts';
export * from './history/webhook.ts';
export * from './problem.ts';
export * from './problem-catalogue.ts';
export * from './routes/index.ts';
export * from './scans/scan.ts';
export * from './scans/watch.ts';
export * from './senders/protection.ts';
export * from './senders/sender.ts';
export * from './senders/unsubscribe.ts';
export * from './suggestions/classification-service.ts';
export * from './suggestions/label-names.ts';
export * from './suggestions/precision.ts';
export * from './suggestions/stopped-suggestion.ts';
export * from './suggestions/suggestion.ts';
export * from './suggestions/suggestion-group.ts';
export * from './suggestions/suggestion-queries.ts';
export * from './values/choices.ts';
export * from './values/email-id.ts';
export * from './values/failure-reason.ts';
export * from './values/label-name.ts';
export * from './values/limits.ts';
export * from './values/public-provider.ts';
export {
  type Counts,
  CountsSchema,
  type Page,
  type Pagination,
  PaginationQuerySchema,
  paginated,
  QueryBooleanSchema,
  SENDER_ID,
  type SenderGrouping,
  SenderGroupingSchema,
  SenderIdSchema,
  type SenderSort,
  SenderSortSchema,
} from './values/scalars.ts';
export * from './values/search-words.ts';
export * from './values/sender-name.ts';
export * from './values/summary-period.ts';
