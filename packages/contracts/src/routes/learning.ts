import { PrecisionQuerySchema, PrecisionSchema } from '../suggestions/precision.ts';
import {
  ListStoppedSuggestionsResponseSchema,
  StoppedSuggestionParamsSchema,
} from '../suggestions/stopped-suggestion.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineSection, NoContentSchema } from './route-contract.ts';
import { NEWSLETTER, pageOf, RECORD_ID } from './samples.ts';

const NONE = { decided: 0, agreed: 0 };

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
      examples: {
        query: { by: 'week' },
        responses: {
          'Hundred decisions': {
            by: 'week',
            sure: { decided: 80, agreed: 78, rate: 0.975, low: 0.9134, high: 0.9931 },
            likely: { decided: 20, agreed: 17, rate: 0.85, low: 0.6396, high: 0.9476 },
            check: { ...NONE, rate: null, low: null, high: null },
            spans: [
              {
                start: '2026-01-26',
                sure: { decided: 80, agreed: 78 },
                likely: { decided: 20, agreed: 17 },
                check: NONE,
              },
            ],
            classifications: [
              {
                classification: 'bulk',
                sure: { decided: 80, agreed: 78 },
                likely: { decided: 20, agreed: 17 },
                check: NONE,
              },
            ],
          },
        },
      },
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
      examples: {
        query: { page: 1, perPage: 20 },
        responses: {
          'One action': pageOf([
            {
              id: RECORD_ID,
              sender: '9f2c'.repeat(16),
              from: NEWSLETTER.from,
              action: 'archive',
              stoppedAt: '2026-02-01T08:17:00.000Z',
            },
          ]),
        },
      },
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
      examples: {
        params: { id: RECORD_ID },
      },
    },
  },
});
