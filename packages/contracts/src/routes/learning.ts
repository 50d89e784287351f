import { PrecisionQuerySchema, PrecisionSchema } from '../suggestions/precision.ts';
import {
  ListStoppedSuggestionsResponseSchema,
  StoppedSuggestionParamsSchema,
} from '../suggestions/stopped-suggestion.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineRoutes, NoContentSchema } from './route-contract.ts';

export const LEARNING_ROUTES = defineRoutes({
  getPrecision: {
    method: 'get',
    path: '/api/v1/precision',
    query: PrecisionQuerySchema,
    response: PrecisionSchema,
  },
  listStoppedSuggestions: {
    method: 'get',
    path: '/api/v1/suggestions/stopped',
    query: PaginationQuerySchema,
    response: ListStoppedSuggestionsResponseSchema,
  },
  allowSuggestion: {
    method: 'delete',
    path: '/api/v1/suggestions/stopped/{id}',
    params: StoppedSuggestionParamsSchema,
    response: NoContentSchema,
  },
});
