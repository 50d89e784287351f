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
import { defineSection } from './route-contract.ts';

export const SUGGESTIONS_SECTION = defineSection({
  tag: 'Suggestions',
  description: 'Get suggested actions for emails, and accept or reject them.',
  routes: {
    listSuggestions: {
      method: 'get',
      path: '/api/v1/suggestions',
      access: 'read',
      query: ListSuggestionsQuerySchema,
      response: ListSuggestionsResponseSchema,
      summary: 'Suggest actions for recent emails',
      description: [
        'Reads a page of emails, newest first, sends seven metadata fields of each to the classification service, and returns the emails with suggested actions. The text of an email is never sent. Suggestions that the user has accepted or rejected before are left out.',
        'The suggestions are stored: `POST /api/v1/notifications/confirm` carries out what was returned last for an email. If there are at least as many suggestions as the publish threshold (10 by default), the event `domain.suggestions.generated` is published, so call this route only when the user asks for suggestions.',
        '**If the classification service is unavailable**, or takes longer than five seconds, the response is still 200: `classified` is false, the emails have the short form (`id`, `from`, `subject`, `snippet`, `date`), and each has an empty `suggestions` array.',
        'Pass `nextPageToken` back as `pageToken` until it is null.',
      ],
    },
    listStoredSuggestions: {
      method: 'get',
      path: '/api/v1/suggestions/stored',
      access: 'read',
      query: ListStoredSuggestionsQuerySchema,
      response: ListStoredSuggestionsResponseSchema,
      summary: 'List stored suggestions',
      description: [
        'Returns emails with suggestions that were neither accepted nor rejected, newest first. It reads what is stored and calls neither the mail provider nor the classification service; after a scan it covers the whole mailbox. `sender`, `classification`, `minConfidence` and `minAcceptance` narrow the list; they apply to the best suggestion of each email.',
        'The best suggestion of each email has `acceptance`: the probability that the user accepts it, from its confidence and the decisions so far (docs/LEARNING.md). Without decisions it is the confidence, up to 0.94.',
        'A query of this kind reads the whole mailbox of the user and may wait for its turn. If too many users wait, the response is 503 `overloaded`: retry after `Retry-After` seconds.',
      ],
    },
    listSuggestionGroups: {
      method: 'get',
      path: '/api/v1/suggestions/groups',
      access: 'read',
      query: ListSuggestionGroupsQuerySchema,
      response: ListSuggestionGroupsResponseSchema,
      summary: 'Group stored suggestions',
      description: [
        'Groups the emails with suggestions that were neither accepted nor rejected, by sender (the default) or by classification. An email counts once, by its best suggestion. Groups with most emails come first, then those with higher confidence. It reads what is stored and calls neither the mail provider nor the classification service; `complete` says whether a scan has read the whole mailbox.',
        '`emails`, `actions` and `confidence` cover all groups, not only those of the page. `minConfidence` and `minAcceptance` leave out emails whose best suggestion is less sure; `confidence` and `actionsByDegree` count them all the same, so that a client can show what each band would add: `sure` where the user accepts with a probability of at least 0.95, `likely` from 0.75 on, `check` below.',
        'The emails of a group are those of `GET /api/v1/suggestions/stored` with the `key` as `sender` or `classification` and the same `minConfidence` and `minAcceptance`. A cleanup of the selection `suggestions` with the same filters plans these emails, without those that it excludes.',
        'A query of this kind may wait for its turn. If too many users wait, the response is 503 `overloaded`: retry after `Retry-After` seconds.',
      ],
    },
    summarizeSuggestions: {
      method: 'get',
      path: '/api/v1/suggestions/summary',
      access: 'read',
      query: NotificationSummaryQuerySchema,
      response: SuggestionSummarySchema,
      summary: 'Summarize suggestions',
      description: [
        'Counts the emails for which something was suggested, each once however often the suggestion was shown, and what the user decided about them last. Decisions that were undone do not count. Emails without a decision count while their suggestions are open, as in `GET /api/v1/suggestions/groups`: what protection withholds, and what has left the inbox meanwhile, does not. `period` covers what was suggested or decided in the last 24 hours (`daily`) or 7 days (`weekly`); without it the summary covers all time.',
        'A query of this kind may wait for its turn. If too many users wait, the response is 503 `overloaded`: retry after `Retry-After` seconds.',
      ],
    },
    confirmSuggestions: {
      method: 'post',
      path: '/api/v1/notifications/confirm',
      access: 'act',
      body: ConfirmRequestSchema,
      response: ConfirmResponseSchema,
      idempotent: true,
      summary: 'Accept or reject suggestions',
      description: [
        'Confirms what was suggested for 1 to 1,000 emails. `accept` carries out the stored suggestion with the highest confidence of each email: archive, delete (to the trash), add the label `Mailsweep/<classification>` (created if needed), or notify, which changes nothing in the mailbox. Any other action is advice: accepting it is recorded, with a note, and changes nothing either. An email without a stored suggestion is archived, and `details.note` of its record says so. `reject` changes nothing in the mailbox, and the suggestion is not made again. The third rejection in a row ends an action for a sender: `stopped` says so, and `DELETE /api/v1/suggestions/stopped/{id}` allows it again.',
        '`as` carries out another action than the suggested one for all emails: `archive`, `delete`, `mark_read`, or `label` with the name `label`. Only `accept` takes it. The `action` of each record is then what was done, its `suggestions` are what was suggested, and its `note` says both. The suggestion is decided, and nothing is learned from it about the suggested action (docs/LEARNING.md). In the event and in the counts of suggestions it is an acceptance.',
        'Each email that was processed gets a record in the action history with `details.source` `suggestions`. The event `domain.suggestions.confirmed` is published unless nothing was processed.',
        '**Partial failure.** The response is 200 even if single emails failed. `processed` counts the emails that succeeded, `data` holds their records, and `results` has one entry per email in the order of the request, with a `reason` if it failed, and with `unchanged: true` if the email already was as requested. A request creates at most 10 labels with default names and 10 with names of the user, and a mailbox has at most 100 `Mailsweep/` labels; beyond that the reason is `too_many_labels`.',
        'Changes of one mailbox run one after another. A request that waits longer than 15 seconds returns 503 `mailbox_busy`, and nothing has been changed.',
      ],
    },
  },
});
