import { PrecisionQuerySchema, PrecisionSchema } from '../suggestions/precision.ts';
import {
  ListStoppedSuggestionsResponseSchema,
  StoppedSuggestionParamsSchema,
} from '../suggestions/stopped-suggestion.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineSection, NoContentSchema } from './route-contract.ts';

export const LEARNING_SECTION = defineSection({
  tag: 'Learning',
  description:
    'What Mailsweep learns from decisions: how often it was right, and what it no longer suggests.',
  routes: {
    getPrecision: {
      method: 'get',
      path: '/api/v1/precision',
      access: 'read',
      query: PrecisionQuerySchema,
      response: PrecisionSchema,
      summary: 'Get the precision',
      description: [
        'Returns how often the user agreed with suggestions, by what they were called when the user decided: `sure`, `likely` or `check`. `agreed` counts those that were accepted, `decided` those and the ones that were rejected. What was undone does not count; the last decision about an email counts. `low` and `high` are the interval of `rate` at 95 % (Wilson).',
        '`spans` has the same by weeks or months, at most 104 of them; `classifications` names at most 50. Decisions about suggestions that were not shown, and those from before the probability was stored, are left out.',
        'A query of this kind may wait for its turn. If too many users wait, the response is 503 `overloaded`: retry after `Retry-After` seconds.',
      ],
    },
    listStoppedSuggestions: {
      method: 'get',
      path: '/api/v1/suggestions/stopped',
      access: 'read',
      query: PaginationQuerySchema,
      response: ListStoppedSuggestionsResponseSchema,
      summary: 'List what is no longer suggested',
      description: [
        'Returns the actions that are no longer suggested for a sender, newest first: the user rejected the action for three emails of the sender in a row. An acceptance, and undoing one of the rejections, ends that by itself. 20 on a page by default, at most 100.',
      ],
    },
    allowSuggestion: {
      method: 'delete',
      path: '/api/v1/suggestions/stopped/{id}',
      access: 'admin',
      params: StoppedSuggestionParamsSchema,
      response: NoContentSchema,
      summary: 'Allow an action to be suggested again',
      description: [
        'Shows the suggestions of the action for the sender again, also those that were stored meanwhile. The rejections so far no longer count for stopping; the probability still has them. An id that is not in the list returns `not_found`.',
      ],
    },
  },
});
