import { ConfirmRequestSchema, ConfirmResponseSchema } from '../actions/mailbox-action.ts';
import { ListSuggestionsQuerySchema } from '../emails/email-query.ts';
import { SuggestionSummarySchema } from '../history/notification.ts';
import { NotificationSummaryQuerySchema } from '../history/record-queries.ts';
import { ListStoredSuggestionsResponseSchema } from '../senders/sender.ts';
import { ListSuggestionsResponseSchema } from '../suggestions/suggestion.ts';
import { ListSuggestionGroupsResponseSchema } from '../suggestions/suggestion-group.ts';
import {
  ListStoredSuggestionsQuerySchema,
  ListSuggestionGroupsQuerySchema,
} from '../suggestions/suggestion-queries.ts';
import { defineRoutes } from './route-contract.ts';

export const SUGGESTIONS_ROUTES = defineRoutes({
  listSuggestions: {
    method: 'get',
    path: '/api/v1/suggestions',
    query: ListSuggestionsQuerySchema,
    response: ListSuggestionsResponseSchema,
  },
  listStoredSuggestions: {
    method: 'get',
    path: '/api/v1/suggestions/stored',
    query: ListStoredSuggestionsQuerySchema,
    response: ListStoredSuggestionsResponseSchema,
  },
  listSuggestionGroups: {
    method: 'get',
    path: '/api/v1/suggestions/groups',
    query: ListSuggestionGroupsQuerySchema,
    response: ListSuggestionGroupsResponseSchema,
  },
  summarizeSuggestions: {
    method: 'get',
    path: '/api/v1/suggestions/summary',
    query: NotificationSummaryQuerySchema,
    response: SuggestionSummarySchema,
  },
  confirmSuggestions: {
    method: 'post',
    path: '/api/v1/notifications/confirm',
    body: ConfirmRequestSchema,
    response: ConfirmResponseSchema,
    idempotent: true,
  },
});
