import { UndoParamsSchema, UndoRequestSchema, UndoResponseSchema } from '../actions/mailbox-action.ts';
import {
  ActionBatchParamsSchema,
  ActionBatchSchema,
  ListActionBatchesResponseSchema,
  ListBatchSendersResponseSchema,
} from '../history/action-batch.ts';
import { ListActionHistoryResponseSchema } from '../history/action-history.ts';
import { ActivitySchema } from '../history/activity.ts';
import { ListNotificationEventsResponseSchema, NotificationSummarySchema } from '../history/notification.ts';
import {
  ListActionBatchesQuerySchema,
  ListActionHistoryQuerySchema,
  ListBatchSendersQuerySchema,
  ListNotificationEventsQuerySchema,
  NotificationSummaryQuerySchema,
} from '../history/record-queries.ts';
import { defineSection } from './route-contract.ts';

export const HISTORY_SECTION = defineSection({
  tag: 'History and events',
  description: 'See what was done and published, and undo actions.',
  routes: {
    listActionHistory: {
      method: 'get',
      path: '/api/v1/notifications/history',
      access: 'read',
      query: ListActionHistoryQuerySchema,
      response: ListActionHistoryResponseSchema,
      summary: 'List the action history',
      description: [
        'Returns the actions of the user, newest first: confirmed suggestions (`details.source` `suggestions`) and actions from the inbox (`inbox`). `source`, `action`, `batch`, `sender` and `search` narrow the list and its `total`. A `search` finds email whose sender and subject have all its words, as far as emails are cached; it goes through the texts of all of them, and may wait for its turn.',
        '`details.labelChange` holds the labels that were really added and removed. `details.gmailResponse.status` is `ok` if the mailbox was changed, `unchanged` if there was nothing left to change, and `skipped` if nothing was asked of the mail provider. `undoneAt` is null until the action is undone.',
        'Pages start at 1 and have 20 records by default, at most 100. A page beyond the last one is empty.',
      ],
    },
    listActionBatches: {
      method: 'get',
      path: '/api/v1/notifications/history/batches',
      access: 'read',
      query: ListActionBatchesQuerySchema,
      response: ListActionBatchesResponseSchema,
      summary: 'List batches',
      description: [
        'Returns the history of the user by batches, newest first. The records of one request are one batch; each names it as `batchId`. `GET /api/v1/notifications/history?batch=…` lists the records of a batch. `source`, `action`, `batch`, `undoable` and `search` narrow the list and its `total`: with `undoable=true` and `perPage=1` it is the action that the user would undo next.',
        '`undone` counts the records that are undone, one by one or together, without those that changed nothing, which `unchanged` counts: there is nothing to undo. `undo` is null until the whole batch is undone by `POST /api/v1/notifications/history/batches/{id}/undo`.',
        '`senders` counts who sent the emails of the batch, and names up to three with the most. Only emails whose messages are cached are counted, so that a batch whose emails were deleted by another client shows fewer.',
      ],
    },
    listBatchSenders: {
      method: 'get',
      path: '/api/v1/notifications/history/batches/{id}/senders',
      access: 'read',
      params: ActionBatchParamsSchema,
      query: ListBatchSendersQuerySchema,
      response: ListBatchSendersResponseSchema,
      summary: 'List the senders of a batch',
      description: [
        'Returns who sent the emails of a batch, the one with the most emails first. `GET /api/v1/notifications/history?batch=…&sender=…` lists their history records. Emails that are not cached any more come last, together, with `sender` null and an empty `from`; their records are listed with `sender=unknown`.',
        'With `search`, only emails count whose sender and subject have all its words.',
        'An unknown batch returns 404.',
      ],
    },
    undoActionBatch: {
      method: 'post',
      path: '/api/v1/notifications/history/batches/{id}/undo',
      access: 'act',
      confirmation: 'not_needed',
      params: ActionBatchParamsSchema,
      response: ActionBatchSchema,
      accepts: true,
      idempotent: true,
      summary: 'Undo a batch',
      description: [
        'Undoes all records of a batch, however many, from the newest to the oldest: each email gets back exactly the labels that the action changed. Up to 1,000 records are undone before the response, which is 200. More than that, and what has to wait for the mail provider, is undone in the background: the response is 202, and `GET /api/v1/notifications/history/batches?batch=…` shows `undone` growing until `undo.state` is `done`.',
        '`undo.failed` counts records that could not be undone, for example because the labels were changed after the action. A request while the undo runs returns the batch as it is; a request after it has ended tries again what failed.',
        'An unknown batch returns 404.',
      ],
    },
    undoActions: {
      method: 'post',
      path: '/api/v1/notifications/history/undo',
      access: 'act',
      confirmation: 'not_needed',
      body: UndoRequestSchema,
      response: UndoResponseSchema,
      idempotent: true,
      summary: 'Undo several actions',
      description: [
        'Undoes 1 to 1,000 history records: each email gets back exactly the labels that the action changed. Several actions on one email are undone from the newest to the oldest. What the action had left as it was has `unchanged`: nothing is put back.',
        '**Partial failure.** The response is 200 even if single records could not be undone; `results` has one entry per record in the order of the request. Reasons include `changed_since` (the labels were changed after the action), `already_undone`, `in_progress` (the outcome of the action is not known yet: retry in a minute) and `not_found`.',
        'Changes of one mailbox run one after another. A request that waits longer than 15 seconds returns 503 `mailbox_busy`, and nothing has been changed.',
      ],
    },
    undoAction: {
      method: 'post',
      path: '/api/v1/notifications/history/{id}/undo',
      access: 'act',
      confirmation: 'not_needed',
      params: UndoParamsSchema,
      response: UndoResponseSchema,
      idempotent: true,
      summary: 'Undo one action',
      description: [
        'Undoes one history record, as `POST /api/v1/notifications/history/undo` does for several. If the action cannot be undone, the response is 200 with `execution` `none` and the `reason`. An unknown record returns 404.',
      ],
    },
    listNotificationEvents: {
      method: 'get',
      path: '/api/v1/notifications/events',
      access: 'read',
      query: ListNotificationEventsQuerySchema,
      response: ListNotificationEventsResponseSchema,
      summary: 'List events',
      description: [
        'Returns the stored domain events of the user, newest first. `type` takes a canonical event name: `domain.suggestions.generated` or `domain.suggestions.confirmed`.',
        'An event keeps `type`, `userId` and `summary`; the list of suggestions and the ids of emails are not stored. Events are stored by the worker, so a new one appears shortly after the request that published it.',
        'With a `userId` other than the user’s own, the page is empty: the events of others are never shown.',
      ],
    },
    summarizeNotifications: {
      method: 'get',
      path: '/api/v1/notifications/summary',
      access: 'read',
      query: NotificationSummaryQuerySchema,
      response: NotificationSummarySchema,
      summary: 'Summarize events',
      description: [
        'Counts suggestions and confirmations of the stored events over a rolling window: the last 24 hours (`daily`) or the last 7 days (`weekly`). Windows are evaluated in UTC over `createdAt` and include both boundaries. Without `period` the summary covers all time, and `period`, `windowStart` and `windowEnd` are null.',
      ],
    },
    getActivity: {
      method: 'get',
      path: '/api/v1/activity',
      access: 'read',
      query: NotificationSummaryQuerySchema,
      response: ActivitySchema,
      summary: 'Get the activity',
      description: [
        'Sums up what the user has done over the last 24 hours (`daily`), the last 7 days (`weekly`), or all time. `cleaned` counts the emails that were archived, deleted or labelled, each once; an accepted suggestion counts as what it did. What was undone, and what changed nothing, does not count.',
        '`byAction` and `bySource` count the same emails by the last action on each. `bytes` and `senders` cover those whose size and sender are known; only what is moved to the trash frees space, when the provider empties it (`mailbox.trashDays` of `GET /api/v1/me`), so other emails are not in `bytes`. `silencedSenders` counts the senders of cleaned emails that have nothing left in the inbox, as far as Mailsweep has read it.',
        '`decisions` counts the last decision about each email, for at most 50 classifications. `inboxSizes` has the last count of each UTC day on which `GET /api/v1/mailbox` was called, at most a year of them.',
        'A query of this kind may wait for its turn. If too many users wait, the response is 503 `overloaded`: retry after `Retry-After` seconds.',
      ],
    },
  },
});
