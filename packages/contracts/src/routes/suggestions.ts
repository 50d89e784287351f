import { ListSuggestionsQuerySchema } from '../email-query.ts';
import { ConfirmRequestSchema, ConfirmResponseSchema } from '../mailbox-action.ts';
import { SuggestionSummarySchema } from '../notification.ts';
import {
  ListStoredSuggestionsQuerySchema,
  ListSuggestionGroupsQuerySchema,
  NotificationSummaryQuerySchema,
} from '../record-queries.ts';
import { ListStoredSuggestionsResponseSchema } from '../sender.ts';
import { ListSuggestionsResponseSchema } from '../suggestion.ts';
import { ListSuggestionGroupsResponseSchema } from '../suggestion-group.ts';
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
